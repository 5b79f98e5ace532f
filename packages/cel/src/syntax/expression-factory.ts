import type { Value } from "../values/value.ts";
import {
  ACCUMULATOR,
  type CallExpression,
  type ComprehensionExpression,
  type Expression,
  type ListExpression,
  type LiteralExpression,
  type MapExpression,
  type NameExpression,
} from "./expression.ts";

/** Macros that repeat their target double the tree; a short text could take all memory. */
const MAX_NODES = 500_000;

export class TreeTooLarge extends Error {
  override readonly name = "TreeTooLarge";
  readonly code = "tree-too-large";

  constructor() {
    super(`expression has more than ${MAX_NODES} parts once its macros are expanded`);
  }
}

/** Makes the nodes of one tree, each with an id of its own. */
export class ExpressionFactory {
  #nextId = 1;

  id(): number {
    if (this.#nextId > MAX_NODES) throw new TreeTooLarge();
    const id = this.#nextId;
    this.#nextId += 1;
    return id;
  }

  /** A maker of nodes that all point to one place: what a macro expands to points to its call. */
  at(at: number): ExpressionsAt {
    return new ExpressionsAt(this, at);
  }
}

export class ExpressionsAt {
  readonly #factory: ExpressionFactory;
  readonly #at: number;

  constructor(factory: ExpressionFactory, at: number) {
    this.#factory = factory;
    this.#at = at;
  }

  literal(value: Value): LiteralExpression {
    return { kind: "literal", ...this.#node(), value };
  }

  name(name: string): NameExpression {
    return { kind: "name", ...this.#node(), name };
  }

  accumulator(): NameExpression {
    return this.name(ACCUMULATOR);
  }

  select(operand: Expression, field: string): Expression {
    return { kind: "select", ...this.#node(), operand, field, presence: false };
  }

  presence(operand: Expression, field: string): Expression {
    return { kind: "select", ...this.#node(), operand, field, presence: true };
  }

  call(name: string, ...args: readonly Expression[]): CallExpression {
    return { kind: "call", ...this.#node(), function: name, target: undefined, args };
  }

  memberCall(name: string, target: Expression, ...args: readonly Expression[]): CallExpression {
    return { kind: "call", ...this.#node(), function: name, target, args };
  }

  list(...elements: readonly Expression[]): ListExpression {
    return { kind: "list", ...this.#node(), elements, optional: new Set() };
  }

  emptyMap(): MapExpression {
    return { kind: "map", ...this.#node(), entries: [] };
  }

  comprehension(
    parts: Omit<ComprehensionExpression, "kind" | "id" | "at" | "variable2" | "accumulator"> & {
      readonly variable2?: string | undefined;
      readonly accumulator?: string;
    },
  ): ComprehensionExpression {
    const { variable2, accumulator = ACCUMULATOR, ...rest } = parts;
    return { kind: "comprehension", ...this.#node(), variable2, accumulator, ...rest };
  }

  /** The same expression a second time in one tree: with ids of its own, pointing where the first does. */
  copy(expression: Expression): Expression {
    const node = { id: this.#factory.id(), at: expression.at };
    switch (expression.kind) {
      case "literal":
      case "name":
      case "broken":
        return { ...expression, ...node };
      case "select":
        return { ...expression, ...node, operand: this.copy(expression.operand) };
      case "call": {
        const args = expression.args.map((arg) => this.copy(arg));
        const target = expression.target === undefined ? undefined : this.copy(expression.target);
        return { ...expression, ...node, target, args };
      }
      case "list":
        return {
          ...expression,
          ...node,
          elements: expression.elements.map((item) => this.copy(item)),
        };
      case "map": {
        const entries = expression.entries.map((entry) => ({
          ...entry,
          ...this.#node(),
          key: this.copy(entry.key),
          value: this.copy(entry.value),
        }));
        return { ...expression, ...node, entries };
      }
      case "message": {
        const fields = expression.fields.map((field) => ({
          ...field,
          ...this.#node(),
          value: this.copy(field.value),
        }));
        return { ...expression, ...node, fields };
      }
      case "comprehension":
        return {
          ...expression,
          ...node,
          range: this.copy(expression.range),
          init: this.copy(expression.init),
          condition: this.copy(expression.condition),
          step: this.copy(expression.step),
          result: this.copy(expression.result),
        };
    }
  }

  #node(): { readonly id: number; readonly at: number } {
    return { id: this.#factory.id(), at: this.#at };
  }
}

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

/** Makes the nodes of one tree, each with an id of its own. */
export class ExpressionFactory {
  #nextId = 1;

  id(): number {
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

  #node(): { readonly id: number; readonly at: number } {
    return { id: this.#factory.id(), at: this.#at };
  }
}

/**
 * Turns a checked tree into closures, once. What needs no variable is computed here: lists, maps and
 * conversions of literals; a conversion that fails makes the expression unusable (InstantiationError),
 * as it does in kube-apiserver.
 */

import type { CheckedExpression } from "../checker/checked-expression.ts";
import type { Declarations } from "../checker/declarations.ts";
import type { FunctionDeclaration } from "../library/library.ts";
import { CONVERSION_NAMES } from "../library/standard-conversions.ts";
import { STANDARD_LIBRARY } from "../library/standard-library.ts";
import { readPattern } from "../library/standard-texts.ts";
import type {
  CallExpression,
  ComprehensionExpression,
  Expression,
  ListExpression,
  MapExpression,
  MessageExpression,
  SelectExpression,
} from "../syntax/expression.ts";
import type { Pattern } from "../text/pattern.ts";
import { isNumeric } from "../values/compare.ts";
import { Failure, isFailure } from "../values/failure.ts";
import { ArrayList, elementsOf, isList } from "../values/list-value.ts";
import { EntryMap } from "../values/map-value.ts";
import { isOptional } from "../values/optional-value.ts";
import { printValue } from "../values/print-value.ts";
import type { ListValue, Value } from "../values/value.ts";
import { Attribute, attributeNode, presenceNode, type Qualifier } from "./attribute.ts";
import { callNode, callNow } from "./call-node.ts";
import { foldNode, startCollecting } from "./fold-node.ts";
import { constantNode, type Node, strictNode } from "./node.ts";
import { refusedKey } from "./qualify.ts";
import {
  andNode,
  matchingNode,
  memberOfNode,
  notFalseNode,
  orElseNode,
  orNode,
} from "./special-nodes.ts";

const LIST_COST = 10;
const MAP_COST = 30;
const MESSAGE_COST = 40;

/** An expression of right types that can never be evaluated. */
export class InstantiationError extends Error {
  override readonly name = "InstantiationError";
  readonly code = "instantiation-failed";
}

export interface Plan {
  readonly node: Node;
  readonly slots: number;
  /** Where evaluation finds the variables of the environment. */
  readonly variables: ReadonlyMap<string, number>;
}

export function plan(checked: CheckedExpression, declarations: Declarations): Plan {
  const planner = new Planner(checked, declarations);
  const node = planner.plan(checked.expression);
  return { node, slots: planner.slots, variables: planner.variables };
}

interface Variable {
  readonly slot: number;
  readonly init: Node | undefined;
  readonly start: (value: Value) => Value;
}

type PlannedNode = Node & { readonly attribute?: Attribute };

const STANDARD_NAMES: ReadonlySet<string> = new Set(
  STANDARD_LIBRARY.functions.map(({ name }) => name),
);

class Planner {
  slots = 0;
  readonly variables = new Map<string, number>();
  readonly #checked: CheckedExpression;
  readonly #declarations: Declarations;
  readonly #scopes: ReadonlyMap<string, Variable>[] = [];
  readonly #planned = new Map<number, PlannedNode>();

  constructor(checked: CheckedExpression, declarations: Declarations) {
    this.#checked = checked;
    this.#declarations = declarations;
  }

  plan(expression: Expression): PlannedNode {
    const known = this.#planned.get(expression.id);
    if (known !== undefined) return known;
    const node = this.#plan(expression);
    this.#planned.set(expression.id, node);
    return node;
  }

  #plan(expression: Expression): PlannedNode {
    switch (expression.kind) {
      case "literal":
        return constantNode(expression.value);
      case "name":
        return this.#name(expression);
      case "select":
        return this.#select(expression);
      case "call":
        return this.#call(expression);
      case "list":
        return this.#list(expression);
      case "map":
        return this.#map(expression);
      case "comprehension":
        return this.#comprehension(expression);
      case "message":
        return this.#message(expression);
      case "broken":
        throw new InstantiationError("broken expression");
    }
  }

  #name(expression: Expression): PlannedNode {
    const resolved = this.#checked.names.get(expression.id)!;
    const { name, constant } = resolved;
    if (constant !== undefined) {
      if (constant.value !== undefined) return constantNode(constant.value);
      throw new InstantiationError(`reference to undefined type: ${name}`);
    }
    const variable = this.#variable(name);
    return attributeNode(new Attribute({ kind: "variable", name, ...variable }));
  }

  #variable(name: string): Variable {
    for (let depth = this.#scopes.length - 1; depth >= 0; depth -= 1) {
      const variable = this.#scopes[depth]!.get(name);
      if (variable !== undefined) return variable;
    }
    const slot = this.variables.get(name) ?? this.#slot();
    this.variables.set(name, slot);
    return { slot, init: undefined, start: asIs };
  }

  #slot(): number {
    this.slots += 1;
    return this.slots - 1;
  }

  #select(expression: SelectExpression): PlannedNode {
    if (this.#checked.names.has(expression.id)) return this.#name(expression);
    const { operand, field, presence } = expression;
    const attribute = this.#attributeOf(operand).with({ key: field, optional: false, presence });
    return presence ? presenceNode(attribute) : attributeNode(attribute);
  }

  #attributeOf(expression: Expression): Attribute {
    const node = this.plan(expression);
    return node.attribute ?? new Attribute({ kind: "value", node });
  }

  #call(expression: CallExpression): PlannedNode {
    const resolved = this.#checked.calls.get(expression.id)!;
    const { target, overloads } = resolved;
    const given = target === undefined ? expression.args : [target, ...expression.args];
    switch (resolved.function) {
      case "_[_]":
      case "_[?_]":
      case "_?._":
        return this.#index(given, resolved.function !== "_[_]");
      case "_?_:_":
        return this.#choice(given);
      default:
    }
    const args = given.map((arg) => this.plan(arg));
    switch (resolved.function) {
      case "_&&_":
        return andNode(args);
      case "_||_":
        return orNode(args);
      case "@not_strictly_false":
        return notFalseNode(args[0]!);
      case "or":
        if (overloads[0]?.id === "optional_or_optional") return orElseNode(args, false);
        break;
      case "orValue":
        if (overloads[0]?.id === "optional_orValue_value") return orElseNode(args, true);
        break;
      case "matches":
        if (args[1]?.constant !== undefined)
          return this.#matches(args, overloads[0]?.id === "matches");
        break;
      case "find":
      case "findAll":
        this.#readablePattern(args[1]?.constant);
        break;
      case "@in":
        if (overloads.length === 1 && overloads[0]?.id === "in_list") {
          const node = this.#inLiteral(args);
          if (node !== undefined) return node;
        }
        break;
      default:
    }
    const declared = this.#declarations.function(resolved.function)!;
    const constant = this.#converted(declared, overloads, args);
    if (constant !== undefined) return constantNode(constant);
    return callNode({ declared, overloads, args, standard: STANDARD_NAMES.has(declared.name) });
  }

  #converted(
    declared: FunctionDeclaration,
    overloads: FunctionDeclaration["overloads"],
    [arg, ...others]: readonly Node[],
  ): Value | undefined {
    if (!CONVERSION_NAMES.has(declared.name) || others.length > 0) return undefined;
    if (arg?.constant === undefined) return undefined;
    const value = callNow(declared, overloads, [arg.constant]);
    if (isFailure(value)) throw new InstantiationError(value.message);
    return value;
  }

  #index([operand, index]: readonly Expression[], optional: boolean): PlannedNode {
    const attribute = this.#attributeOf(operand!);
    const node = this.plan(index!);
    const key = node.constant ?? node.attribute ?? new Attribute({ kind: "value", node });
    const refused = node.constant === undefined ? undefined : refusedKey(node.constant);
    if (refused !== undefined) throw new InstantiationError(refused.message);
    const qualifier: Qualifier = { key, optional, presence: false };
    return attributeNode(attribute.with(qualifier));
  }

  #choice([condition, yes, no]: readonly Expression[]): PlannedNode {
    return attributeNode(
      new Attribute({
        kind: "choice",
        condition: this.plan(condition!),
        yes: this.#attributeOf(yes!),
        no: this.#attributeOf(no!),
      }),
    );
  }

  /** `global`: called as `matches(value, pattern)`, which costs one whatever the sizes. */
  #matches(args: readonly Node[], global: boolean): Node {
    const pattern = args[1]!.constant;
    const compiled = this.#readablePattern(pattern);
    return matchingNode({ value: args[0]!, pattern: pattern!, compiled, global });
  }

  #readablePattern(pattern: Value | undefined): Pattern | undefined {
    const compiled = typeof pattern === "string" ? readPattern(pattern) : undefined;
    if (compiled instanceof Failure) throw new InstantiationError(compiled.message);
    return compiled;
  }

  /** A test against a list of literals costs nothing; undefined where it is no such test. */
  #inLiteral([value, list]: readonly Node[]): Node | undefined {
    const literal = list?.constant;
    if (literal === undefined || !isList(literal)) return undefined;
    if (literal.size === 0) return constantNode(false);
    return isPrimitiveList(literal) ? memberOfNode(value!, literal) : undefined;
  }

  #list({ elements, optional }: ListExpression): Node {
    const parts = elements.map((element) => this.plan(element));
    const build = (values: readonly Value[]): Value => buildList(values, optional);
    return folded(parts, build, LIST_COST);
  }

  #map({ entries }: MapExpression): Node {
    const parts = entries.flatMap(({ key, value }) => [this.plan(key), this.plan(value)]);
    const optional = entries.map((entry) => entry.optional);
    return folded(parts, (values) => buildMap(values, optional), MAP_COST);
  }

  #message({ typeName, fields }: MessageExpression): Node {
    const name = typeName.startsWith(".") ? typeName.slice(1) : typeName;
    const message = this.#declarations.message(name);
    if (message === undefined) throw new InstantiationError(`unknown type: ${typeName}`);
    const parts = fields.map(({ value }) => this.plan(value));
    const build = (values: readonly Value[]): Value => {
      const given = buildFields(fields, values);
      return given instanceof Failure ? given : message.make(given);
    };
    return strictNode(
      parts,
      (values, frame) => {
        const made = build(values);
        frame.charge(MESSAGE_COST);
        return made;
      },
      { failureCost: MESSAGE_COST },
    );
  }

  #comprehension(expression: ComprehensionExpression): Node {
    const init = this.plan(expression.init);
    const range = this.plan(expression.range);
    const accumulator = this.#slot();
    const variable = this.#slot();
    const variable2 = expression.variable2 === undefined ? undefined : this.#slot();
    const binds = expression.condition.kind === "literal" && expression.condition.value === false;
    const start = binds ? asIs : startCollecting;
    this.#scopes.push(new Map([[expression.accumulator, { slot: accumulator, init, start }]]));
    const local = { init: undefined, start: asIs };
    const variables = new Map<string, Variable>([
      [expression.variable, { slot: variable, ...local }],
    ]);
    if (expression.variable2 !== undefined && variable2 !== undefined) {
      variables.set(expression.variable2, { slot: variable2, ...local });
    }
    this.#scopes.push(variables);
    const condition = this.plan(expression.condition);
    const step = this.plan(expression.step);
    this.#scopes.pop();
    const result = this.plan(expression.result);
    this.#scopes.pop();
    return foldNode({ range, condition, step, result, accumulator, variable, variable2 });
  }
}

function asIs(value: Value): Value {
  return value;
}

/** Computed now where all parts are known. */
function folded(
  parts: readonly Node[],
  build: (values: readonly Value[]) => Value,
  cost: number,
): Node {
  if (parts.every(({ constant }) => constant !== undefined)) {
    return constantNode(build(parts.map(({ constant }) => constant!)));
  }
  return strictNode(
    parts,
    (values, frame) => {
      const value = build(values);
      frame.charge(cost);
      return value;
    },
    { failureCost: cost },
  );
}

function buildList(values: readonly Value[], optional: ReadonlySet<number>): Value {
  if (optional.size === 0) return new ArrayList(values);
  const elements: Value[] = [];
  for (const [index, value] of values.entries()) {
    if (!optional.has(index)) elements.push(value);
    else if (!isOptional(value)) {
      const shown = printValue(value);
      return new Failure(
        `cannot initialize optional list element from non-optional value ${shown}`,
      );
    } else if (value.value !== undefined) elements.push(value.value);
  }
  return new ArrayList(elements);
}

function buildMap(values: readonly Value[], optional: readonly boolean[]): Value {
  const map = new EntryMap();
  for (const [index, isEntryOptional] of optional.entries()) {
    const key = values[index * 2]!;
    const value = values[index * 2 + 1]!;
    if (!isEntryOptional) map.put(key, value);
    else if (!isOptional(value)) {
      const shown = `'${printValue(key)}' from non-optional value ${printValue(value)}`;
      return new Failure(`cannot initialize optional entry ${shown}`);
    } else if (value.value === undefined) map.drop(key);
    else map.put(key, value.value);
  }
  return map;
}

function buildFields(
  fields: MessageExpression["fields"],
  values: readonly Value[],
): ReadonlyMap<string, Value> | Failure {
  const given = new Map<string, Value>();
  for (const [index, { name, optional }] of fields.entries()) {
    const value = values[index]!;
    if (!optional) given.set(name, value);
    else if (!isOptional(value)) {
      const shown = `'${name}' from non-optional value ${printValue(value)}`;
      return new Failure(`cannot initialize optional entry ${shown}`);
    } else if (value.value === undefined) given.delete(name);
    else given.set(name, value.value);
  }
  return given;
}

function isPrimitiveList(list: ListValue): boolean {
  for (const element of elementsOf(list)) {
    if (element === null || isNumeric(element)) continue;
    if (typeof element === "object") return false;
  }
  return true;
}

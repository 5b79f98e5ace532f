/**
 * The tree of a parsed expression. Macros are expanded while parsing: what follows sees literals,
 * names, selections, calls, constructors and comprehensions only. Nodes are told apart by `id`;
 * `at` is where in the text a message about the node points.
 *
 * What a macro repeats is one node in two places, among the same variables: who walks through the tree
 * remembers what came of a node, or a short text could keep it busy for hours.
 */
import type { Value } from "../values/value.ts";

export type Expression =
  | LiteralExpression
  | NameExpression
  | SelectExpression
  | CallExpression
  | ListExpression
  | MapExpression
  | MessageExpression
  | ComprehensionExpression
  | BrokenExpression;

interface Node {
  readonly id: number;
  readonly at: number;
}

export interface LiteralExpression extends Node {
  readonly kind: "literal";
  readonly value: Value;
}

export interface NameExpression extends Node {
  readonly kind: "name";
  readonly name: string;
}

export interface SelectExpression extends Node {
  readonly kind: "select";
  readonly operand: Expression;
  readonly field: string;
  /** `has(operand.field)`. */
  readonly presence: boolean;
}

export interface CallExpression extends Node {
  readonly kind: "call";
  readonly function: string;
  readonly target: Expression | undefined;
  readonly args: readonly Expression[];
}

export interface ListExpression extends Node {
  readonly kind: "list";
  readonly elements: readonly Expression[];
  /** The places of elements written as `?x`. */
  readonly optional: ReadonlySet<number>;
}

export interface MapExpression extends Node {
  readonly kind: "map";
  readonly entries: readonly MapEntryExpression[];
}

export interface MapEntryExpression extends Node {
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

/** `Type{field: value}`. */
export interface MessageExpression extends Node {
  readonly kind: "message";
  readonly typeName: string;
  readonly fields: readonly MessageFieldExpression[];
}

export interface MessageFieldExpression extends Node {
  readonly name: string;
  readonly value: Expression;
  readonly optional: boolean;
}

/**
 * A fold over a list or the keys of a map: the accumulator starts as `init`; while `condition` is not
 * false, `step` makes its next value; `result` is what comes out. With an empty range and a false
 * condition it binds a name to a value.
 */
export interface ComprehensionExpression extends Node {
  readonly kind: "comprehension";
  readonly range: Expression;
  readonly variable: string;
  /** With two variables: the first is index or key, this one element or value. */
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly init: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** Where an issue was reported instead. */
interface BrokenExpression extends Node {
  readonly kind: "broken";
}

/** Not writable in an expression, so that no variable shadows it. */
export const ACCUMULATOR = "@result";
export const OLD_ACCUMULATOR = "__result__";
/** The variable of a fold that only binds a name. */
export const UNUSED_VARIABLE = "#unused";

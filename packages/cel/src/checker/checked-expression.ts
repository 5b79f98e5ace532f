import type { Type } from "../expression-types/type.ts";
import type { Overload } from "../library/library.ts";
import type { Expression } from "../syntax/expression.ts";
import type { NamedConstant } from "./declarations.ts";

/** What the checker found out about a tree, by the ids of its nodes. */
export interface CheckedExpression {
  readonly expression: Expression;
  readonly types: ReadonlyMap<number, Type>;
  /** What names, and selections that are names with dots, mean. */
  readonly names: ReadonlyMap<number, ResolvedName>;
  readonly calls: ReadonlyMap<number, ResolvedCall>;
}

export interface ResolvedName {
  readonly name: string;
  /** Left out for variables. */
  readonly constant?: NamedConstant;
}

export interface ResolvedCall {
  /** The full name: a call `a.b(x)` may be one of the function `a.b`, then it has no target. */
  readonly function: string;
  readonly target: Expression | undefined;
  /** At least one; several where the types of the arguments are known only when they are there. */
  readonly overloads: readonly Overload[];
}

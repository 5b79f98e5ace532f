import { printTypeName } from "../expression-types/print-type.ts";
import type { Type } from "../expression-types/type.ts";
import { FORMAT_RULES } from "./format-rules.ts";
import { type FormatClause, FormatError, walkFormat } from "./format-walk.ts";

/** An expression in the list of arguments of a literal format. */
export interface FormatArgument {
  readonly type: Type;
  /** Of a literal list its elements; of a literal map its keys and values in turn. */
  readonly elements?: readonly FormatArgument[];
}

export interface FormatProblem {
  readonly message: string;
  /** Indexes down to the argument or element that is wrong; empty: the call as a whole. */
  readonly path: readonly number[];
}

/** What is wrong with a call of `format` whose format and list of arguments are literals. */
export function checkFormatCall(
  format: string,
  args: readonly FormatArgument[],
): FormatProblem | undefined {
  let taken = 0;
  const take = (): void => {
    taken++;
  };
  const print = (index: number, clause: FormatClause): string => {
    const argument = args[index];
    if (argument !== undefined) checkArgument({ argument, clause, path: [index] });
    return "";
  };
  try {
    walkFormat(format, { count: args.length, take, print });
  } catch (error) {
    if (error instanceof FormatError) return { message: error.message, path: error.path };
    throw error;
  }
  if (args.length <= taken) return undefined;
  const counts = `(expected ${taken}, got ${args.length})`;
  return { message: `too many arguments supplied to string.format ${counts}`, path: [] };
}

function checkArgument(place: {
  argument: FormatArgument;
  clause: FormatClause;
  path: readonly number[];
}): void {
  const { argument, clause, path } = place;
  const { type } = argument;
  const rule = FORMAT_RULES[clause.verb];
  if (type.kind !== "dyn" && !rule.kinds.includes(type.kind)) {
    throw new FormatError(`${rule.refusal}, was given ${printTypeName(type)}`, path);
  }
  if (clause.verb !== "s") return;
  for (const [index, element] of (argument.elements ?? []).entries()) {
    checkArgument({ argument: element, clause, path: [...path, index] });
  }
}

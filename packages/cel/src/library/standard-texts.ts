import {
  BOOL,
  BYTES,
  INT,
  listOf,
  mapOf,
  STRING,
  type Type,
  typeParam,
} from "../expression-types/type.ts";
import { compilePattern, type Pattern, PatternError } from "../text/pattern.ts";
import { TextSearch } from "../text/text-search.ts";
import type { WorkSteps } from "../text/work-steps.ts";
import { unsupported } from "../values/arithmetic.ts";
import { Failure, NO_SUCH_OVERLOAD } from "../values/failure.ts";
import type { Value } from "../values/value.ts";
import {
  actualSize,
  addRanges,
  multiplyRanges,
  ONE,
  REGEX_LENGTH_FACTOR,
  STRING_TRAVERSAL_FACTOR,
  scaleCost,
  scaleRange,
} from "./cost-range.ts";
import { inSteps } from "./lengthy-call.ts";
import type { CallEstimate, FunctionDeclaration, Overload, SizedArgument } from "./library.ts";

export const STANDARD_TEXTS: readonly FunctionDeclaration[] = [
  {
    name: "size",
    overloads: [
      ...size("bytes", BYTES),
      ...size("list", listOf(typeParam("A"))),
      ...size("map", mapOf(typeParam("A"), typeParam("B"))),
      ...size("string", STRING),
    ],
    call: ([value]) => sizeOf(value!),
  },
  containing({
    cost: ([value, part]) => traversal(value!) * traversal(part!),
    estimate: ([value, part]) => ({
      cost: multiplyRanges(
        scaleRange(value!.size, STRING_TRAVERSAL_FACTOR),
        scaleRange(part!.size, STRING_TRAVERSAL_FACTOR),
      ),
    }),
  }),
  text("endsWith", {
    id: "ends_with_string",
    holds: (value, part) => value.endsWith(part),
    ...ending(),
  }),
  text("startsWith", {
    id: "starts_with_string",
    holds: (value, part) => value.startsWith(part),
    ...ending(),
  }),
  {
    name: "matches",
    overloads: [
      { id: "matches", member: false, params: [STRING, STRING], result: BOOL },
      {
        id: "matches_string",
        member: true,
        params: [STRING, STRING],
        result: BOOL,
        cost: ([value, pattern]) =>
          scaleCost(1 + actualSize(value!), STRING_TRAVERSAL_FACTOR) *
          scaleCost(actualSize(pattern!), REGEX_LENGTH_FACTOR),
        estimate: ([value, pattern]) => ({
          cost: multiplyRanges(
            scaleRange(addRanges(value!.size, ONE), STRING_TRAVERSAL_FACTOR),
            scaleRange(pattern!.size, REGEX_LENGTH_FACTOR),
          ),
        }),
      },
    ],
    call: ([value, pattern]) => matches(value!, pattern!),
    lengthy: { work: searchWork, steps: matchesInSteps },
  },
];

function size(name: string, type: Type): readonly Overload[] {
  const common = { params: [type], result: INT };
  return [
    { id: `size_${name}`, member: false, ...common },
    { id: `${name}_size`, member: true, ...common },
  ];
}

function sizeOf(value: Value): Value {
  if (typeof value === "string") return BigInt(actualSize(value));
  if (typeof value === "object" && value !== null) {
    if (value instanceof Uint8Array) return BigInt(value.length);
    if ("size" in value && typeof value.size === "number") return BigInt(value.size);
  }
  return unsupported(value, "size");
}

function traversal(value: Value): number {
  return scaleCost(actualSize(value), STRING_TRAVERSAL_FACTOR);
}

/** The estimate goes by the part, the cost by the whole: so do kube-apiserver's. */
function ending(): Pick<Overload, "cost" | "estimate"> {
  return {
    cost: ([value]: readonly Value[]): number => traversal(value!),
    estimate: ([, part]: readonly SizedArgument[]): CallEstimate => ({
      cost: scaleRange(part!.size, STRING_TRAVERSAL_FACTOR),
    }),
  };
}

function text(
  name: string,
  {
    id,
    holds,
    ...costs
  }: Pick<Overload, "cost" | "estimate"> & {
    readonly id: string;
    readonly holds: (value: string, part: string) => boolean;
  },
): FunctionDeclaration {
  return {
    name,
    overloads: [{ id, member: true, params: [STRING, STRING], result: BOOL, ...costs }],
    call: ([value, part]) =>
      typeof value === "string" && typeof part === "string" ? holds(value, part) : NO_SUCH_OVERLOAD,
  };
}

function containing(costs: Pick<Overload, "cost" | "estimate">): FunctionDeclaration {
  const id = "contains_string";
  return {
    name: "contains",
    overloads: [{ id, member: true, params: [STRING, STRING], result: BOOL, ...costs }],
    ...inSteps(contains),
  };
}

function* contains([value, part]: readonly Value[]): WorkSteps<Value> {
  if (typeof value !== "string" || typeof part !== "string") return NO_SUCH_OVERLOAD;
  return part === "" || (yield* new TextSearch(part).indexIn(value, 0)) !== -1;
}

/** Of looking for the second argument, a pattern, in the first. */
export function searchWork([value, pattern]: readonly Value[]): number {
  if (typeof value !== "string" || typeof pattern !== "string") return 0;
  const compiled = readPattern(pattern);
  return compiled instanceof Failure ? 0 : compiled.work(value);
}

function* matchesInSteps([value, pattern]: readonly Value[]): WorkSteps<Value> {
  const compiled = typeof pattern === "string" ? readPattern(pattern) : undefined;
  if (typeof value !== "string" || compiled === undefined) return matches(value!, pattern!);
  return compiled instanceof Failure ? compiled : yield* compiled.testInSteps(value);
}

function matches(value: Value, pattern: Value): Value {
  if (typeof value !== "string") return unsupported(value, "matches");
  if (typeof pattern !== "string") return NO_SUCH_OVERLOAD;
  const compiled = readPattern(pattern);
  return compiled instanceof Failure ? compiled : compiled.test(value);
}

/** The pattern, or why it is none. */
export function readPattern(pattern: string): Pattern | Failure {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return new Failure(error.message);
  }
}

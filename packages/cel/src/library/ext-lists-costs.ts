/** What CEL's list functions cost: one for the call, ten for the new list, and so much per element. */
import { isList } from "../values/list-value.ts";
import type { Value } from "../values/value.ts";
import type { CallCosts } from "./call-costs.ts";
import {
  actualSize,
  addRanges,
  fixedRange,
  LIST_CREATE_COST,
  MAX_COST,
  multiplyRanges,
  STRING_TRAVERSAL_FACTOR,
  scaleRange,
  sizeOfArgument,
} from "./cost-range.ts";
import type { CallEstimate, CostRange, SizedArgument } from "./library.ts";

const BASE_COST = 1 + LIST_CREATE_COST;

export const REVERSE_COSTS: CallCosts = {
  estimate: (args) => estimateNewList(sizeOfArgument(args, 0), 1),
  cost: costOfResult,
};

export const SLICE_COSTS: CallCosts = {
  estimate: (args) => {
    const start = literalAt(args, 1) ?? 0;
    const end = literalAt(args, 2) ?? sizeOfArgument(args, 0).max;
    // A slice that ends before it starts is taken for one of all the numbers there are.
    return estimateNewList(fixedRange(end < start ? MAX_COST : end - start), 1);
  },
  cost: costOfResult,
};

export const RANGE_COSTS: CallCosts = {
  estimate: (args) => estimateNewList(fixedRange(literalAt(args, 0) ?? MAX_COST), 1),
  cost: costOfResult,
};

/** Once per level. */
export const FLATTEN_COSTS: CallCosts = {
  estimate: (args) => {
    const depth = args.length > 1 ? (literalAt(args, 1) ?? MAX_COST) : 1;
    return estimateNewList(sizeOfArgument(args, 0), depth);
  },
  cost: ([list = null, depth]) =>
    Math.floor(actualSize(list) * (typeof depth === "bigint" ? Number(depth) : 1)) + BASE_COST,
};

export const DISTINCT_COSTS: CallCosts = {
  estimate: (args) => estimateSelfComparison(sizeOfArgument(args, 0), COMPARISON_COST),
  cost: (args) => selfComparisonCost(args, 0),
};

/** Of the keys, which are the argument of this index; `isText`: comparing them takes longer. */
export function sortCosts(keys: { index: number; isText: boolean }): CallCosts {
  const factor = keys.isText ? TEXT_COMPARISON_COST : COMPARISON_COST;
  return {
    estimate: (args) => estimateSelfComparison(sizeOfArgument(args, keys.index), factor),
    cost: (args) => selfComparisonCost(args, keys.index),
  };
}

const COMPARISON_COST = 2;
const TEXT_COMPARISON_COST: number = COMPARISON_COST + STRING_TRAVERSAL_FACTOR;

function estimateSelfComparison(size: CostRange, factor: number): CallEstimate {
  return estimateNewList(multiplyRanges(size, size), factor);
}

/** What is taken for the size of the result is that of the work. */
function estimateNewList(size: CostRange, factor: number): CallEstimate {
  return { cost: addRanges(scaleRange(size, factor), fixedRange(BASE_COST)), resultSize: size };
}

/** Every element with every other, whatever the sort does. */
function selfComparisonCost(args: readonly Value[], index: number): number {
  const list = args[index] ?? null;
  if (!isList(list)) return BASE_COST;
  const [first] = list.size === 0 ? [] : [list.at(0)];
  const isText = typeof first === "string" || first instanceof Uint8Array;
  const factor = isText ? TEXT_COMPARISON_COST : COMPARISON_COST;
  return Math.floor(list.size * list.size * factor) + BASE_COST;
}

function costOfResult(_: readonly Value[], result: Value): number {
  return actualSize(result) + BASE_COST;
}

/** Negative ones count as 0. */
function literalAt(args: readonly SizedArgument[], index: number): number | undefined {
  const literal = args[index]?.literal;
  if (typeof literal !== "bigint") return undefined;
  return literal < 0n ? 0 : Number(literal);
}

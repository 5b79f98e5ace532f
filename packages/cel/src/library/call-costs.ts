/**
 * What calls cost that kube-apiserver reckons alike. A pair of these is spread into an overload;
 * one without any costs 1.
 */
import { utf8Length } from "../text/byte-text.ts";
import { JsonList } from "../values/json-list.ts";
import { isList } from "../values/list-value.ts";
import { isMap } from "../values/map-value.ts";
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
  sizeOfArgument,
  UNKNOWN_SIZE,
} from "./cost-range.ts";
import type { CallEstimate, CostRange, Overload, SizedArgument } from "./library.ts";

export type CallCosts = Required<Pick<Overload, "cost" | "estimate">>;

/** One walk through the text that is the first argument. */
export const READS_TEXT: CallCosts = readsText({ times: 1 });

/** And the result is about as long. */
export const COPIES_TEXT: CallCosts = {
  estimate: (args) => ({
    cost: scaleRange(sizeOfArgument(args, 0), STRING_TRAVERSAL_FACTOR),
    resultSize: sizeOfArgument(args, 0),
  }),
  cost: READS_TEXT.cost,
};

export function readsText(walk: { times: number }): CallCosts {
  const factor = walk.times * STRING_TRAVERSAL_FACTOR;
  return {
    estimate: (args) => ({ cost: scaleRange(sizeOfArgument(args, 0), factor) }),
    cost: ([text = null]) => scaleCost(actualSize(text), factor),
  };
}

/** Searching the first argument for the second, a pattern; every character may be a result. */
export const MATCHES_PATTERN: CallCosts = {
  estimate: (args) => {
    const size = sizeOfArgument(args, 0);
    const text = scaleRange(addRanges(size, ONE), STRING_TRAVERSAL_FACTOR);
    const pattern = scaleRange(sizeOfArgument(args, 1), REGEX_LENGTH_FACTOR);
    return { cost: multiplyRanges(text, pattern), resultSize: { min: 0, max: size.max } };
  },
  cost: ([text = null, pattern = null]) => matchCost(actualSize(text), actualSize(pattern)),
};

/** One is added, so that a long pattern on an empty text is not free. */
export function matchCost(textSize: number, patternSize: number): number {
  const text = scaleCost(1 + textSize, STRING_TRAVERSAL_FACTOR);
  return text * scaleCost(patternSize, REGEX_LENGTH_FACTOR);
}

/** Comparing all elements of the list that is the first argument, or searching a text. */
export const WALKS_LIST: CallCosts = {
  estimate: estimateWalk,
  cost: ([value = null]) => traversalCost(value),
};

function estimateWalk(args: readonly SizedArgument[]): CallEstimate {
  const [target] = args;
  const size = sizeOfArgument(args, 0);
  if (target?.type.kind !== "list") return { cost: scaleRange(size, STRING_TRAVERSAL_FACTOR) };
  return { cost: multiplyRanges(size, elementCost(target)) };
}

function elementCost(list: SizedArgument): CostRange {
  const kind = list.type.kind === "list" ? list.type.element.kind : "dyn";
  if (kind !== "string" && kind !== "bytes") return ONE;
  const size = list.elementSize ?? UNKNOWN_SIZE;
  return addRanges(ONE, scaleRange(size, STRING_TRAVERSAL_FACTOR));
}

/** Of going through a value with all it holds; rounded down for every text in it. */
function traversalCost(value: Value): number {
  if (typeof value === "string") return Math.floor(utf8Length(value) * STRING_TRAVERSAL_FACTOR);
  if (value instanceof Uint8Array) return Math.floor(value.length * STRING_TRAVERSAL_FACTOR);
  let cost = 0;
  if (isList(value)) {
    if (value instanceof JsonList && value.isOfNumbers) return value.size;
    for (let index = 0; index < value.size; index++) cost += traversalCost(value.at(index));
    return cost;
  }
  if (isMap(value)) {
    for (const key of value.keys()) {
      cost += traversalCost(key) + traversalCost(value.find(key) ?? null);
    }
    return cost;
  }
  return 1;
}

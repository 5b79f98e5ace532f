/** What CEL's string functions cost that are not reckoned like others. */
import type { CallCosts } from "./call-costs.ts";
import {
  actualSize,
  addCosts,
  addRanges,
  MAX_COST,
  multiplyCosts,
  multiplyRanges,
  STRING_TRAVERSAL_FACTOR,
  scaleCost,
  scaleRange,
  sizeOfArgument,
  UNKNOWN_SIZE,
} from "./cost-range.ts";
import type { CostRange } from "./library.ts";

const NOTHING: CostRange = { min: 0, max: 0 };

/** Once through the text, once through the result. */
const TWICE: number = 2 * STRING_TRAVERSAL_FACTOR;

export const REPLACE_COSTS: CallCosts = {
  estimate: (args) => {
    const text = sizeOfArgument(args, 0);
    const from = sizeOfArgument(args, 1);
    const to = sizeOfArgument(args, 2);
    return { cost: scaleRange(text, TWICE), resultSize: replacedSize({ text, from, to }) };
  },
  cost: ([text = null]) => scaleCost(actualSize(text), TWICE),
};

interface Replacement {
  readonly text: CostRange;
  readonly from: CostRange;
  readonly to: CostRange;
}

/** Longest: the shortest finds replaced by the longest text as often as there is room; and vice versa. */
function replacedSize({ text, from, to }: Replacement): CostRange {
  return {
    max: bound({ text: text.max, from: from.min, to: to.max, isKept: to.max <= from.min }),
    min: bound({ text: text.min, from: from.max, to: to.min, isKept: from.max <= to.min }),
  };
}

/** Where nothing is looked for, all stays and there is one more between and around. */
function bound(sizes: { text: number; from: number; to: number; isKept: boolean }): number {
  const { text, from, to, isKept } = sizes;
  if (from === 0) return addCosts(multiplyCosts(addCosts(text, 1), to), text);
  if (isKept) return text;
  return multiplyCosts(Math.ceil(text / from), to);
}

export const SPLIT_COSTS: CallCosts = {
  estimate: (args) => {
    const text = sizeOfArgument(args, 0);
    const limit = args[2]?.literal;
    const max = typeof limit === "bigint" ? asUnsigned(limit) : text.max;
    return { cost: scaleRange(text, TWICE), resultSize: { min: 0, max } };
  },
  cost: REPLACE_COSTS.cost,
};

export const JOIN_COSTS: CallCosts = {
  estimate: (args) => {
    const [target] = args;
    const list = sizeOfArgument(args, 0);
    // Nothing is reckoned for the elements of what is not known to be a list.
    const element = target?.type.kind === "list" ? (target.elementSize ?? UNKNOWN_SIZE) : NOTHING;
    let size = multiplyRanges(list, element);
    if (args.length > 1) {
      const gaps = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
      size = addRanges(size, multiplyRanges(sizeOfArgument(args, 1), gaps));
    }
    return { cost: scaleRange(size, STRING_TRAVERSAL_FACTOR), resultSize: size };
  },
  cost: (_, result) => scaleCost(actualSize(result), TWICE),
};

/** Every character may need an escape; the quotes always come. Unknown sizes run over, as there. */
export const QUOTE_COSTS: CallCosts = {
  estimate: (args) => {
    const text = sizeOfArgument(args, 0);
    const max = text.max >= MAX_COST ? 0 : addCosts(text.max * 2, 2);
    return {
      cost: scaleRange(text, STRING_TRAVERSAL_FACTOR),
      resultSize: { min: text.min + 2, max },
    };
  },
  cost: ([text = null]) => scaleCost(actualSize(text), STRING_TRAVERSAL_FACTOR),
};

/** A negative number taken for an unsigned one of 64 bits. */
function asUnsigned(value: bigint): number {
  return Number(BigInt.asUintN(64, value));
}

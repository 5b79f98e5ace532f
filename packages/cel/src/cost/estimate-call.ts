import { sameType } from "../expression-types/type-identity.ts";
import {
  addRanges,
  fixedRange,
  ONE,
  STRING_TRAVERSAL_FACTOR,
  scaleRange,
  unionRanges,
} from "../library/cost-range.ts";
import type { CallEstimate, CostRange, Overload, SizedArgument } from "../library/library.ts";
import type { CallExpression, Expression } from "../syntax/expression.ts";
import { type SizeBook, unionEntries } from "./size-book.ts";

interface EstimatedCall {
  readonly expression: CallExpression;
  readonly target: Expression | undefined;
  readonly overload: Overload;
  /** Without the target's. */
  readonly argCosts: readonly CostRange[];
  readonly book: SizeBook;
}

/** Of one overload, its arguments included (not its target). */
export function estimateCall(call: EstimatedCall): CallEstimate {
  const { expression, target, overload, argCosts, book } = call;
  switch (overload.id) {
    case "logical_and":
    case "logical_or": {
      const [left, right] = argCosts;
      return { cost: { min: left!.min, max: addRanges(left!, right!).max } };
    }
    case "conditional":
      return estimateChoice(call);
    default:
  }
  const args = argCosts.reduce(addRanges, fixedRange(0));
  const own = equalityOfOpaque(call) ?? sumOfContainers(call);
  if (own !== undefined) return { ...own, cost: addRanges(own.cost, args) };
  if (overload.estimate === undefined) return { cost: addRanges(ONE, args) };
  const given = target === undefined ? expression.args : [target, ...expression.args];
  const estimate = overload.estimate(given.map((arg) => sized(arg, book)));
  return { ...estimate, cost: addRanges(estimate.cost, args) };
}

function sized(expression: Expression, book: SizeBook): SizedArgument {
  const elementSize = book.elementSizeOf(expression);
  return {
    type: book.typeOf(expression),
    size: book.sizeOrUnknown(expression),
    ...(expression.kind === "literal" ? { literal: expression.value } : {}),
    ...(elementSize === undefined ? {} : { elementSize }),
  };
}

function estimateChoice({ expression, argCosts, book }: EstimatedCall): CallEstimate {
  const [, yes, no] = expression.args;
  const [condition, yesCost, noCost] = argCosts;
  book.setEntries(expression, unionEntries(book.entriesOf(yes!), book.entriesOf(no!)));
  return {
    cost: addRanges(condition!, unionRanges(yesCost!, noCost!)),
    resultSize: unionRanges(book.sizeOrUnknown(yes!), book.sizeOrUnknown(no!)),
  };
}

function sumOfContainers({ expression, overload, book }: EstimatedCall): CallEstimate | undefined {
  if (overload.id !== "add_list" && overload.id !== "add_string" && overload.id !== "add_bytes") {
    return undefined;
  }
  const [left, right] = expression.args;
  const resultSize = addRanges(book.sizeOrUnknown(left!), book.sizeOrUnknown(right!));
  book.setEntries(expression, unionEntries(book.entriesOf(left!), book.entriesOf(right!)));
  if (overload.id === "add_list") return { cost: ONE, resultSize };
  return { cost: scaleRange(resultSize, STRING_TRAVERSAL_FACTOR), resultSize };
}

/** Values of Kubernetes' own types are compared at once, but for those that are texts inside. */
const OPAQUE_SIZES: ReadonlyMap<string, number | "size"> = new Map<string, number | "size">([
  ["kubernetes.Quantity", 1],
  ["kubernetes.Semver", 1],
  ["net.IP", 1],
  ["net.CIDR", 1],
  ["kubernetes.NamedFormat", 64],
  ["kubernetes.URL", "size"],
]);

function equalityOfOpaque({ expression, overload, book }: EstimatedCall): CallEstimate | undefined {
  if (overload.id !== "equals") return undefined;
  const [left, right] = expression.args;
  const type = book.typeOf(left!);
  if (type.kind !== "opaque" || !sameType(type, book.typeOf(right!))) return undefined;
  const known = OPAQUE_SIZES.get(type.name);
  if (known === undefined) return undefined;
  const max = known === "size" ? (book.sizeOf(right!)?.max ?? 1) : known;
  return { cost: scaleRange({ min: 1, max }, STRING_TRAVERSAL_FACTOR) };
}

/**
 * What an evaluation may cost, from the tree and from sizes that the caller knows: the numbers are
 * those of kube-apiserver, oddities included, since they decide which rules a CRD may have.
 */
import type { CheckedExpression } from "../checker/checked-expression.ts";
import {
  addRanges,
  fixedRange,
  MAX_COST,
  multiplyRanges,
  ONE,
  unionRanges,
} from "../library/cost-range.ts";
import type { CostRange } from "../library/library.ts";
import {
  type CallExpression,
  type ComprehensionExpression,
  type Expression,
  OLD_ACCUMULATOR,
  type SelectExpression,
} from "../syntax/expression.ts";
import { estimateCall } from "./estimate-call.ts";
import { SizeBook, type SizeEstimator } from "./size-book.ts";

const NOTHING = fixedRange(0);
const LIST_COST = fixedRange(10);
const MAP_COST = fixedRange(30);
const MESSAGE_COST = fixedRange(40);

export function estimateCost(checked: CheckedExpression, sizeOf: SizeEstimator): CostRange {
  return new Estimation(checked, sizeOf).cost(checked.expression);
}

class Estimation {
  readonly #checked: CheckedExpression;
  readonly #book: SizeBook;
  readonly #known = new Map<number, CostRange>();

  constructor(checked: CheckedExpression, sizeOf: SizeEstimator) {
    this.#checked = checked;
    this.#book = new SizeBook(checked, sizeOf);
  }

  cost(expression: Expression): CostRange {
    const known = this.#known.get(expression.id);
    if (known !== undefined) return known;
    const cost = this.#estimate(expression);
    this.#known.set(expression.id, cost);
    return cost;
  }

  #estimate(expression: Expression): CostRange {
    switch (expression.kind) {
      case "name":
        return this.#name(expression, expression.name);
      case "select":
        return this.#select(expression);
      case "call":
        return this.#call(expression);
      case "list":
        return this.#container(
          expression,
          "list",
          expression.elements.map((value) => ({ value })),
        );
      case "map":
        return this.#container(expression, "map", expression.entries);
      case "message":
        return addRanges(this.#sum(expression.fields.map(({ value }) => value)), MESSAGE_COST);
      case "comprehension":
        return isBinding(expression) ? this.#binding(expression) : this.#comprehension(expression);
      default:
        return NOTHING;
    }
  }

  #name(expression: Expression, name: string): CostRange {
    this.#book.setPath(expression, this.#book.localPath(name) ?? [name]);
    return ONE;
  }

  #select(expression: SelectExpression): CostRange {
    const resolved = this.#checked.names.get(expression.id);
    if (resolved !== undefined) return this.#name(expression, resolved.name);
    const operand = this.cost(expression.operand);
    if (expression.presence) return operand;
    const { kind } = this.#book.typeOf(expression.operand);
    this.#book.setPath(expression, [...this.#book.pathOf(expression.operand), expression.field]);
    return kind === "map" || kind === "object" || kind === "param"
      ? addRanges(operand, ONE)
      : operand;
  }

  #call(expression: CallExpression): CostRange {
    const resolved = this.#checked.calls.get(expression.id);
    if (resolved === undefined) return NOTHING;
    const book = this.#book;
    if (resolved.function === "dyn") {
      const arg = expression.args[0]!;
      const cost = addRanges(this.cost(arg), ONE);
      book.copySizes(expression, arg);
      return cost;
    }
    const argCosts = expression.args.map((arg) => {
      const cost = this.cost(arg);
      book.sizeOf(arg);
      return cost;
    });
    const { target, overloads } = resolved;
    const targetCost = target === undefined ? NOTHING : this.cost(target);
    let cost: CostRange = { min: MAX_COST, max: 0 };
    let size: CostRange | undefined;
    for (const overload of overloads) {
      const estimate = estimateCall({ expression, target, overload, argCosts, book });
      cost = unionRanges(cost, estimate.cost);
      if (estimate.resultSize !== undefined) {
        size = size === undefined ? estimate.resultSize : unionRanges(size, estimate.resultSize);
      }
      const step = INDEX_STEPS.get(overload.id);
      if (step !== undefined) {
        const [container] = expression.args;
        size = book.entriesOf(container!)?.value;
        book.setPath(expression, [...book.pathOf(container!), step]);
      }
      size ??= book.sizeOf(expression);
    }
    book.setSize(expression, size);
    return addRanges(targetCost, cost);
  }

  #container(
    expression: Expression,
    container: "list" | "map",
    entries: readonly { readonly key?: Expression; readonly value: Expression }[],
  ): CostRange {
    const nothing: CostRange = { min: entries.length === 0 ? 0 : MAX_COST, max: 0 };
    let cost = NOTHING;
    let keys = container === "list" ? ONE : nothing;
    let values = nothing;
    for (const { key, value } of entries) {
      if (key !== undefined) {
        cost = addRanges(cost, this.cost(key));
      }
      cost = addRanges(cost, this.cost(value));
      if (key !== undefined) keys = unionRanges(keys, this.#book.sizeOrUnknown(key));
      values = unionRanges(values, this.#book.sizeOrUnknown(value));
    }
    this.#book.setEntries(expression, { container, key: keys, value: values });
    return addRanges(cost, container === "list" ? LIST_COST : MAP_COST);
  }

  #comprehension(expression: ComprehensionExpression): CostRange {
    const { range, init, accumulator, variable, variable2, condition, step, result } = expression;
    const book = this.#book;
    const before = addRanges(this.cost(range), this.cost(init));
    book.pushBound(accumulator, init);
    this.#pushVariables(expression);
    const loop = addRanges(this.cost(condition), this.cost(step));
    book.pop(variable);
    if (variable2 !== undefined) book.pop(variable2);
    const after = this.cost(result);
    book.pop(accumulator);
    const count = book.sizeOrUnknown(range);
    if (init.kind === "literal") book.setSize(expression, book.sizeOf(init));
    else if (init.kind === "list" || init.kind === "map") {
      book.setSize(expression, count);
      book.setEntries(expression, book.entriesOf(step));
    }
    return addRanges(addRanges(before, after), multiplyRanges(count, loop));
  }

  #pushVariables({ range, variable, variable2 }: ComprehensionExpression): void {
    const book = this.#book;
    const entries = book.entriesOf(range);
    const isList = (entries?.container ?? book.typeOf(range).kind) === "list";
    const path = book.pathOf(range);
    const keyStep = isList ? "@indices" : "@keys";
    const valueStep = isList ? "@items" : "@values";
    const local = { entries: undefined };
    if (variable2 === undefined) {
      const size = isList ? entries?.value : entries?.key;
      book.push(variable, { ...local, path: [...path, isList ? "@items" : "@keys"], size });
      return;
    }
    // Kube-apiserver appends both steps to one array, and where that has room the second overwrites the first.
    const overwritten = path.length > 0 && !Number.isInteger(Math.log2(path.length));
    const keyPath = [...path, overwritten ? valueStep : keyStep];
    book.push(variable, { ...local, path: keyPath, size: entries?.key });
    book.push(variable2, { ...local, path: [...path, valueStep], size: entries?.value });
  }

  #binding(expression: ComprehensionExpression): CostRange {
    const { range, init, accumulator, result } = expression;
    const before = addRanges(this.cost(range), this.cost(init));
    this.#book.pushBound(accumulator, init);
    const cost = addRanges(before, this.cost(result));
    this.#book.pop(accumulator);
    this.#book.copySizes(expression, result);
    return cost;
  }

  #sum(expressions: readonly Expression[]): CostRange {
    return expressions.map((expression) => this.cost(expression)).reduce(addRanges, NOTHING);
  }
}

const INDEX_STEPS: ReadonlyMap<string, string> = new Map([
  ["index_list", "@items"],
  ["index_map", "@values"],
]);

/** A fold over nothing: it only gives a value a name. */
function isBinding({ range, condition, accumulator }: ComprehensionExpression): boolean {
  return (
    range.kind === "list" &&
    range.elements.length === 0 &&
    condition.kind === "literal" &&
    condition.value === false &&
    accumulator !== OLD_ACCUMULATOR
  );
}

import type { CheckedExpression } from "../checker/checked-expression.ts";
import { DYN, type Type } from "../expression-types/type.ts";
import { actualSize, fixedRange, UNKNOWN_SIZE, unionRanges } from "../library/cost-range.ts";
import type { CostRange } from "../library/library.ts";
import type { Expression } from "../syntax/expression.ts";

/**
 * How long a text, list or map at a path may be; undefined where nothing is known of that path. A path
 * starts with the variable; `@items` are elements of a list, `@keys` and `@values` those of a map.
 * For anything with one size it answers 0 to 0, as kube-apiserver's schemas do.
 */
export type SizeEstimator = (path: readonly string[]) => CostRange | undefined;

/** Of the entries of a list or map. */
export interface EntrySize {
  readonly container: "list" | "map";
  readonly key: CostRange;
  readonly value: CostRange;
}

interface Local {
  readonly path: readonly string[];
  readonly size: CostRange | undefined;
  readonly entries: EntrySize | undefined;
}

/** What is known about sizes while costs are estimated: of nodes, and of variables of comprehensions. */
export class SizeBook {
  readonly #checked: CheckedExpression;
  readonly #estimate: SizeEstimator;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, CostRange>();
  readonly #entries = new Map<number, EntrySize>();
  readonly #locals = new Map<string, Local[]>();

  constructor(checked: CheckedExpression, estimate: SizeEstimator) {
    this.#checked = checked;
    this.#estimate = estimate;
  }

  typeOf(expression: Expression): Type {
    return this.#checked.types.get(expression.id) ?? DYN;
  }

  pathOf(expression: Expression): readonly string[] {
    if (expression.kind === "name") {
      const local = this.#local(expression.name);
      if (local !== undefined) return local.path;
    }
    return this.#paths.get(expression.id) ?? [];
  }

  /** Of a variable of a comprehension; undefined for others. */
  localPath(name: string): readonly string[] | undefined {
    return this.#local(name)?.path;
  }

  setPath(expression: Expression, path: readonly string[]): void {
    this.#paths.set(expression.id, path);
  }

  sizeOf(expression: Expression): CostRange | undefined {
    const known = this.#sizes.get(expression.id) ?? literalSize(expression);
    if (known !== undefined) return known;
    const estimated = this.#estimateAt(this.pathOf(expression));
    if (estimated !== undefined) {
      this.#sizes.set(expression.id, estimated);
      return estimated;
    }
    if (isScalar(this.typeOf(expression))) return fixedRange(1);
    return expression.kind === "name" ? this.#local(expression.name)?.size : undefined;
  }

  sizeOrUnknown(expression: Expression): CostRange {
    return this.sizeOf(expression) ?? UNKNOWN_SIZE;
  }

  setSize(expression: Expression, size: CostRange | undefined): void {
    if (size !== undefined) this.#sizes.set(expression.id, size);
  }

  /** Of what is in the list at the node, where the caller knows it. */
  elementSizeOf(expression: Expression): CostRange | undefined {
    const path = this.pathOf(expression);
    return path.length === 0 ? undefined : this.#estimateAt([...path, "@items"]);
  }

  entriesOf(expression: Expression): EntrySize | undefined {
    const known = this.#entries.get(expression.id);
    if (known !== undefined || expression.kind !== "name") return known;
    return this.#local(expression.name)?.entries;
  }

  setEntries(expression: Expression, entries: EntrySize | undefined): void {
    if (entries !== undefined) this.#entries.set(expression.id, entries);
  }

  copySizes(to: Expression, from: Expression): void {
    this.setSize(to, this.sizeOf(from));
    this.setEntries(to, this.entriesOf(from));
  }

  push(name: string, local: Local): void {
    const locals = this.#locals.get(name) ?? [];
    locals.push(local);
    this.#locals.set(name, locals);
  }

  /** The name stands for a value that is the expression's. */
  pushBound(name: string, expression: Expression): void {
    this.push(name, {
      path: this.pathOf(expression),
      size: this.sizeOf(expression),
      entries: this.entriesOf(expression),
    });
  }

  pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #estimateAt(path: readonly string[]): CostRange | undefined {
    return path.length === 0 ? undefined : this.#estimate(path);
  }
}

export function unionEntries(
  a: EntrySize | undefined,
  b: EntrySize | undefined,
): EntrySize | undefined {
  if (a === undefined || b === undefined) return undefined;
  return {
    container: a.container,
    key: unionRanges(a.key, b.key),
    value: unionRanges(a.value, b.value),
  };
}

function literalSize(expression: Expression): CostRange | undefined {
  switch (expression.kind) {
    case "literal":
      return fixedRange(actualSize(expression.value));
    case "list":
      return fixedRange(expression.elements.length);
    case "map":
      return fixedRange(expression.entries.length);
    default:
      return undefined;
  }
}

function isScalar(type: Type): boolean {
  switch (type.kind) {
    case "bool":
    case "double":
    case "duration":
    case "int":
    case "timestamp":
    case "uint":
      return true;
    case "optional":
      return isScalar(type.element);
    default:
      return false;
  }
}

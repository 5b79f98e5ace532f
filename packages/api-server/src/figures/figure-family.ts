/**
 * What a plane counts beside its requests, where it happens: numbers that are added to in place, under
 * kube-apiserver's names. Nothing here prints or measures; who counts brings the time, and metrics/ makes
 * texts of it when somebody reads /metrics. What is counted on every request keeps its cell.
 */
import { Histogram } from "./histogram.ts";

export interface FamilyDescription {
  readonly name: string;
  /** With the stability that kube-apiserver gives it, such as `[ALPHA] ...`. */
  readonly help: string;
  /** In the order in which they are written. */
  readonly labels: readonly string[];
}

export interface Count {
  value: number;
}

/** Cells by the values of their labels, in the order in which they were first asked for. */
abstract class FigureFamily<Cell> {
  readonly description: FamilyDescription;
  readonly #cells = new Map<string, { readonly values: readonly string[]; readonly cell: Cell }>();

  constructor(description: FamilyDescription) {
    this.description = description;
  }

  protected abstract make(): Cell;

  /** As many values as there are labels. */
  of(...values: readonly string[]): Cell {
    const key = values.join("\0");
    let found = this.#cells.get(key);
    if (found === undefined) {
      found = { values, cell: this.make() };
      this.#cells.set(key, found);
    }
    return found.cell;
  }

  *cells(): Iterable<{ readonly labels: Readonly<Record<string, string>>; readonly cell: Cell }> {
    const { labels } = this.description;
    for (const { values, cell } of this.#cells.values()) {
      yield {
        labels: Object.fromEntries(labels.map((name, at) => [name, values[at] ?? ""])),
        cell,
      };
    }
  }
}

export class CounterFamily extends FigureFamily<Count> {
  protected make(): Count {
    return { value: 0 };
  }
}

/** Counted and set, not only counted up. */
export class GaugeFamily extends CounterFamily {}

export class HistogramFamily extends FigureFamily<Histogram> {
  readonly #bounds: readonly number[];

  constructor(description: FamilyDescription, bounds: readonly number[]) {
    super(description);
    this.#bounds = bounds;
  }

  protected make(): Histogram {
    return new Histogram(this.#bounds);
  }
}

export type Family = CounterFamily | HistogramFamily;

import type { WorkSteps } from "@homeostat/cel";
import type { FieldError } from "@homeostat/object-model";

/** Longer lists are visited later. */
const LONG_LIST = 200;
const ITEMS_PER_STEP = 100;

/**
 * A part of a walk by rules: what it found wrong, and the long lists in it that are still to be
 * visited, each a part of its own that belongs where the list was met. So a walk that takes long can be
 * done in steps, and its errors still come in the order in which they would have been found at once.
 */
export class LaterVisits {
  readonly errors: FieldError[] = [];
  /** Visits one item, by its index. */
  visit: (index: number) => void = () => undefined;
  readonly #count: number;
  readonly #parts: { readonly after: number; readonly part: LaterVisits }[] = [];

  constructor(count = 0) {
    this.#count = count;
  }

  /** The part that a list of this length becomes; undefined where it is short enough to be visited now. */
  putOff(count: number): LaterVisits | undefined {
    if (count <= LONG_LIST) return undefined;
    const part = new LaterVisits(count);
    this.#parts.push({ after: this.errors.length, part });
    return part;
  }

  /** Visits what is left, and gives all errors in order. */
  *finish(): WorkSteps<FieldError[]> {
    for (let index = 0; index < this.#count; index++) {
      this.visit(index);
      if (index % ITEMS_PER_STEP === ITEMS_PER_STEP - 1) yield;
    }
    if (this.#parts.length === 0) return this.errors;
    const all: FieldError[] = [];
    let taken = 0;
    for (const { after, part } of this.#parts) {
      while (taken < after) all.push(this.errors[taken++]!);
      for (const error of yield* part.finish()) all.push(error);
    }
    while (taken < this.errors.length) all.push(this.errors[taken++]!);
    return all;
  }
}

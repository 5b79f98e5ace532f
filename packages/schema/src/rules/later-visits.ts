import type { WorkSteps } from "@homeostat/cel";
import type { FieldError } from "@homeostat/object-model";
import { TooManyErrorsError } from "./too-many-errors-error.ts";

/** Longer lists are visited later. */
const LONG_LIST = 200;
const ITEMS_PER_STEP = 100;

/**
 * Beyond this nobody is told what is wrong. kube-apiserver has no limit, but puts its message together
 * in quadratic time: a pod with 20,000 errors (60 KB of `{},{},...`) runs into the deadline of its request.
 */
const MAX_ERRORS = 20_000;
const MAX_CHARACTERS = 16 * 2 ** 20;

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
  readonly #whole: WholeWalk;
  readonly #parts: { readonly after: number; readonly part: LaterVisits }[] = [];

  constructor(count = 0, whole: WholeWalk = { errors: 0, characters: 0 }) {
    this.#count = count;
    this.#whole = whole;
  }

  /** The part that a list of this length becomes; undefined where it is short enough to be visited now. */
  putOff(count: number): LaterVisits | undefined {
    if (count <= LONG_LIST) return undefined;
    const part = new LaterVisits(count, this.#whole);
    this.#parts.push({ after: this.errors.length, part });
    return part;
  }

  /** For a stretch of the same walk whose verdict is needed at once: it puts nothing off. */
  atOnce(): LaterVisits {
    return new NothingLater(0, this.#whole);
  }

  /** Throws TooManyErrorsError when this is one too many. */
  countError({ field, body }: FieldError): void {
    const whole = this.#whole;
    whole.errors += 1;
    whole.characters += field.length + body.length;
    if (whole.errors > MAX_ERRORS || whole.characters > MAX_CHARACTERS) {
      throw new TooManyErrorsError(whole.errors, whole.characters);
    }
  }

  /**
   * All that is found by a walk over everything, which begins with `begin` and reports here; undefined
   * where it is more than anybody is told.
   */
  *walk(begin: () => void): WorkSteps<FieldError[] | undefined> {
    try {
      begin();
      return yield* this.finish();
    } catch (error) {
      if (error instanceof TooManyErrorsError) return undefined;
      throw error;
    }
  }

  /** Visits what is left, and gives all errors in order. Throws TooManyErrorsError. */
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

/** What all parts of one walk share. */
interface WholeWalk {
  /** How many were found so far. */
  errors: number;
  /** How much there is to say about them. */
  characters: number;
}

class NothingLater extends LaterVisits {
  override putOff(): undefined {
    return undefined;
  }

  override atOnce(): LaterVisits {
    return this;
  }
}

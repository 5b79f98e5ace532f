import type { JsonValue } from "../json/json-value.ts";
import { PatchError } from "./patch-error.ts";

/** What one patch may cost. Every limit says in its error what was got and what is allowed. */
export interface PatchLimits {
  /** Operations of a JSON Patch. Default 10,000, kube-apiserver's. */
  readonly operations?: number;

  /** Bytes of JSON that all `copy` operations together may add. Default 3 MiB, kube-apiserver's. */
  readonly copiedBytes?: number;

  /**
   * Nesting of objects and lists in the patch, and in what the patch makes of the document.
   * Default 500; at most 1,000, because patches are applied by recursion.
   */
  readonly depth?: number;

  /**
   * Work that the sizes of document and patch do not explain: moving list elements along for
   * insertions (128 count as one step), merging again into an item whose merge key the patch
   * repeats. Default 1 million: less than a second, and more than honest patches take.
   */
  readonly steps?: number;
}

const MAX_DEPTH = 1_000;

/** The limits of one application, counted down as it goes. */
export class PatchBudget {
  readonly #operations: number;
  readonly #copiedBytes: number;
  readonly #depth: number;
  readonly #steps: number;
  #copied = 0;
  #spent = 0;

  constructor(limits: PatchLimits) {
    this.#operations = limits.operations ?? 10_000;
    this.#copiedBytes = limits.copiedBytes ?? 3 * 1024 * 1024;
    this.#depth = limits.depth ?? 500;
    this.#steps = limits.steps ?? 1_000_000;
    if (!(this.#depth <= MAX_DEPTH)) {
      throw new RangeError(`patch depth limit must be at most ${MAX_DEPTH}, got ${this.#depth}`);
    }
  }

  checkOperations(count: number): void {
    if (count <= this.#operations) return;
    throw new PatchError(
      "patch-too-many-operations",
      `The allowed maximum operations in a JSON patch is ${this.#operations}, got ${count}`,
    );
  }

  spendCopy(bytes: number): void {
    this.#copied += bytes;
    if (this.#copied <= this.#copiedBytes) return;
    throw new PatchError(
      "patch-copy-too-large",
      `Unable to complete the copy, the accumulated size increase of copy is ${this.#copied}, exceeding the limit ${this.#copiedBytes}`,
    );
  }

  spendSteps(count: number): void {
    this.#spent += count;
    if (this.#spent <= this.#steps) return;
    throw new PatchError(
      "patch-too-much-work",
      `applying the patch took ${Math.ceil(this.#spent)} steps so far, exceeding the limit ${this.#steps}`,
    );
  }

  /** Whether adding nesting `below` a place `above` levels down may pass the limit. */
  mayExceedDepth(above: number, below: number): boolean {
    return above + below > this.#depth;
  }

  /** Throws where `value` nests deeper than allowed; returns how deep it nests. */
  checkDepth(value: JsonValue, what: "patch" | "patched document"): number {
    const depth = depthUpTo(value, this.#depth);
    if (depth <= this.#depth) return depth;
    throw new PatchError(
      "patch-too-deep",
      `the ${what} nests deeper than the limit of ${this.#depth} levels`,
    );
  }
}

/** How deep a value nests (0 for a scalar), looking no further than one level beyond `limit`. */
function depthUpTo(value: JsonValue, limit: number): number {
  if (value === null || typeof value !== "object") return 0;
  if (limit <= 0) return 1;
  let deepest = 0;
  if (Array.isArray(value)) {
    for (const item of value) deepest = Math.max(deepest, depthUpTo(item, limit - 1));
  } else {
    for (const key of Object.keys(value)) {
      deepest = Math.max(deepest, depthUpTo(value[key] ?? null, limit - 1));
    }
  }
  return deepest + 1;
}

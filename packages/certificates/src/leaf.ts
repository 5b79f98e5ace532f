import type { Validity } from "./validity.ts";

/** A certificate and its key, both as PEM. */
export interface Leaf extends Validity {
  readonly certificate: string;
  readonly key: string;
}

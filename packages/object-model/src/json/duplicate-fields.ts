import { goQuote } from "./go-quote.ts";
import { printPath } from "./print-path.ts";

/** The parser's place in a text: in a list behind the elements read so far, in an object at a key. */
interface Place {
  readonly parent: Place | undefined;
  readonly list: readonly unknown[] | undefined;
  readonly key: string;
}

/** As many as kube-apiserver lists. */
const MAX_PATHS = 100;

/** The keys that objects of a text hold twice: each path once, in the order they were met. */
export class DuplicateFields {
  readonly #paths = new Set<string>();
  /**
   * Characters of path that may still be built. One path is never longer than the text, but
   * thousands of them below one deep place would take quadratic time; the first is always reported.
   */
  #budget: number;

  constructor(textLength: number) {
    this.#budget = Math.max(textLength, 100_000);
  }

  get paths(): readonly string[] {
    return [...this.#paths];
  }

  /** Notes the current key of an object that holds it already. */
  add(place: Place): void {
    if (this.#paths.size >= MAX_PATHS || this.#budget <= 0) return;
    const steps: (string | number)[] = [];
    for (let at: Place | undefined = place; at; at = at.parent) {
      steps.push(at.list ? at.list.length : at.key);
    }
    const path = printPath(steps.reverse());
    // Steps count too: keys may be empty.
    this.#budget -= path.length + steps.length;
    this.#paths.add(path);
  }
}

/** The sentence kube-apiserver's strict decoding has for a key that an object holds twice. */
export function duplicateFieldMessage(path: string): string {
  return `duplicate field ${goQuote(path)}`;
}

/**
 * At least as many as the text has keys, and more only where a string begins with a colon: each
 * colon behind a quote that closes something. A value that holds as many keys has no duplicates.
 */
export function countKeysInText(text: string): number {
  let keys = 0;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    let at = colon - 1;
    while (isSpace(text.charCodeAt(at))) at--;
    if (text.charCodeAt(at) !== 0x22) continue;
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
    // An odd number of backslashes escapes the quote: it stands inside a string.
    if (backslashes % 2 === 0) keys++;
  }
  return keys;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

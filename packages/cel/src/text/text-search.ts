import { REST_AFTER, type WorkSteps } from "./work-steps.ts";

/** Where the engine's own search, quadratic at worst, is quick whatever the texts are. */
const SHORT = 8;
const FEW_COMPARISONS = 500_000;

/** Looking for a text in others, in linear time whatever they are (Knuth, Morris, Pratt). */
export class TextSearch {
  readonly #wanted: string;
  #borders: Int32Array | undefined;

  /** `wanted` is not empty. */
  constructor(wanted: string) {
    this.#wanted = wanted;
  }

  /** Where it first begins at `from` or behind it; -1 where it does not. */
  *indexIn(text: string, from: number): WorkSteps<number> {
    const wanted = this.#wanted;
    const rest = text.length - from;
    if (rest < wanted.length) return -1;
    if (wanted.length <= SHORT || rest * wanted.length <= FEW_COMPARISONS) {
      return text.indexOf(wanted, from);
    }
    const borders = (this.#borders ??= bordersOf(wanted.length, (index) =>
      wanted.charCodeAt(index),
    ));
    let matched = 0;
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1]!;
      if (wanted.charCodeAt(matched) === unit) matched++;
      if (matched === wanted.length) return at + 1 - matched;
      if (at % REST_AFTER.characters === 0) yield;
    }
    return -1;
  }
}

/** Where `wanted` last begins at `from` or before it; -1 where it does not. From the end, the same way. */
export function* lastIndexIn(text: string, wanted: string, from: number): WorkSteps<number> {
  if (wanted.length <= SHORT || text.length * wanted.length <= FEW_COMPARISONS) {
    return text.lastIndexOf(wanted, from);
  }
  const last = wanted.length - 1;
  const borders = bordersOf(wanted.length, (index) => wanted.charCodeAt(last - index));
  let matched = 0;
  for (let at = Math.min(from + last, text.length - 1); at >= 0; at--) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(last - matched) !== unit) {
      matched = borders[matched - 1]!;
    }
    if (wanted.charCodeAt(last - matched) === unit) matched++;
    if (matched === wanted.length) return at;
    if (at % REST_AFTER.characters === 0) yield;
  }
  return -1;
}

/** By length of a part that was found: the longest shorter part that was found too. */
function bordersOf(length: number, unitAt: (index: number) => number): Int32Array {
  const borders = new Int32Array(length);
  let border = 0;
  for (let index = 1; index < length; index++) {
    const unit = unitAt(index);
    while (border > 0 && unitAt(border) !== unit) border = borders[border - 1]!;
    if (unitAt(border) === unit) border++;
    borders[index] = border;
  }
  return borders;
}

/**
 * Positions in texts counted in code points, as CEL counts them; JavaScript's are in code units.
 * Texts without surrogates, nearly all, need no walk.
 */
const SURROGATE = /[\ud800-\udfff]/;

/** Where the code point of this number begins; the length for the one behind the last. */
export function unitOffset(text: string, position: number): number | undefined {
  if (position < 0) return undefined;
  if (!SURROGATE.test(text)) return position <= text.length ? position : undefined;
  let unit = 0;
  for (let count = 0; count < position; count++) {
    if (unit >= text.length) return undefined;
    unit += unitsAt(text, unit);
  }
  return unit;
}

/** How many code points stand before this unit; without it, in all. */
export function codePointCount(text: string, end: number = text.length): number {
  if (!SURROGATE.test(text)) return end;
  let count = 0;
  for (let unit = 0; unit < end; unit += unitsAt(text, unit)) count++;
  return count;
}

/** A lone surrogate is one code point of one unit. */
export function unitsAt(text: string, unit: number): 1 | 2 {
  return (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
}

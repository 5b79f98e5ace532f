import type { SchemaCheck } from "./schema-check.ts";

/** What a text is by its length; undefined: neither. */
export function lengthProblem(
  { maxLength, minLength }: SchemaCheck,
  text: string,
): "long" | "short" | undefined {
  if (maxLength !== undefined && isLongerThan(text, maxLength)) return "long";
  const isShort = minLength !== undefined && minLength > 0 && !isLongerThan(text, minLength - 1);
  return isShort ? "short" : undefined;
}

/** Counted in code points, and only as far as needed. */
function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > limit * 2) return true;
  let count = 0;
  for (const _ of text) if (++count > limit) return true;
  return false;
}

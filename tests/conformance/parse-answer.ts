import type { JsonValue } from "@homeostat/object-model";

/**
 * A body as a value. A number that reads back differently from how it was printed (1.0, 1e3, integers
 * beyond 2^53) is kept as the text it was, so that two servers are compared by what they print.
 */
export function parseAnswer(text: string): JsonValue | undefined {
  if (text === "") return undefined;
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}

function parseExactly(text: string): JsonValue {
  return JSON.parse(text, (_key, value: JsonValue, context?: { source?: string }) => {
    if (typeof value !== "number" || context?.source === undefined) return value;
    return String(value) === context.source ? value : `<number ${context.source}>`;
  }) as JsonValue;
}

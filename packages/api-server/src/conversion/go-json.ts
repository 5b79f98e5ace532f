/**
 * JSON in annotations as Go writes and reads it. What is read is not checked by anybody else, so each
 * reader here insists on its type; a wrong one spoils the whole annotation.
 */
import { canonicalizeQuantity, encodeJson, ownKey, QuantityError } from "@homeostat/object-model";
import type { LabelSelector, LabelSelectorRequirement } from "@homeostat/object-model/meta-v1";

/** Go escapes what a browser could take for markup. */
export function goJson(value: unknown): string {
  return encodeJson(value).replace(/[<>&\u2028\u2029]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

class UnreadableError extends Error {
  readonly code = "unreadable-annotation";
}

export type Fields = Readonly<Record<string, unknown>>;

/** What an annotation holds, read by `read`; undefined if it is absent or cannot be read. */
export function readAnnotation<T>(
  annotations: Readonly<Record<string, string>>,
  key: string,
  read: (value: unknown) => T,
): T | undefined {
  const json = ownKey(annotations, key);
  if (json === undefined) return undefined;
  try {
    return read(JSON.parse(json));
  } catch (error) {
    if (error instanceof UnreadableError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function readList<T>(
  annotations: Readonly<Record<string, string>>,
  key: string,
  read: (value: Fields) => T,
): T[] | undefined {
  return readAnnotation(annotations, key, (value) => list(value).map((each) => read(fields(each))));
}

export function list(value: unknown): readonly unknown[] {
  if (value == null) return [];
  if (!Array.isArray(value)) throw new UnreadableError(`a list was expected`);
  return value;
}

export function fields(value: unknown): Fields {
  if (value == null) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new UnreadableError("an object was expected");
  }
  return value as Fields;
}

export function text(value: unknown): string {
  return optionalText(value) ?? "";
}

export function optionalText(value: unknown): string | undefined {
  if (value == null) return undefined;
  if (typeof value !== "string") throw new UnreadableError("a text was expected");
  return value;
}

export function optionalInteger(value: unknown): number | undefined {
  if (value == null) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value) || Math.abs(value) > 2 ** 31) {
    throw new UnreadableError("a 32-bit integer was expected");
  }
  return value;
}

export function optionalQuantity(value: unknown): string | undefined {
  if (value == null) return undefined;
  if (typeof value !== "string" && typeof value !== "number") {
    throw new UnreadableError("a quantity was expected");
  }
  try {
    return canonicalizeQuantity(value);
  } catch (error) {
    if (error instanceof QuantityError) throw new UnreadableError(error.message);
    throw error;
  }
}

/** With its keys as Go orders them. */
export function printSelector(selector: LabelSelector): unknown {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const labels = Object.entries(matchLabels).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...(labels.length > 0 && { matchLabels: Object.fromEntries(labels) }),
    ...(matchExpressions.length > 0 && {
      matchExpressions: matchExpressions.map(({ key, operator, values }) =>
        values?.length ? { key, operator, values } : { key, operator },
      ),
    }),
  };
}

export function optionalSelector(value: unknown): LabelSelector | undefined {
  if (value == null) return undefined;
  const { matchLabels, matchExpressions } = fields(value);
  const labels = Object.entries(fields(matchLabels)).map(([key, each]) => [key, text(each)]);
  const expressions = list(matchExpressions).map(readRequirement);
  return {
    ...(labels.length > 0 && { matchLabels: Object.fromEntries(labels) }),
    ...(expressions.length > 0 && { matchExpressions: expressions }),
  };
}

function readRequirement(value: unknown): LabelSelectorRequirement {
  const { key, operator, values } = fields(value);
  const texts = list(values).map(text);
  return { key: text(key), operator: text(operator), ...(texts.length > 0 && { values: texts }) };
}

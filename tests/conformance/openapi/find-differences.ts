import type { JsonObject, JsonValue } from "@homeostat/object-model";

/** Every place where two values differ: where, what was expected, what was got. */
export function findDifferences(expected: JsonValue, got: JsonValue): readonly string[] {
  const found: string[] = [];
  compare(expected, got, []);
  return found;

  function compare(
    a: JsonValue | undefined,
    b: JsonValue | undefined,
    path: readonly string[],
  ): void {
    if (isTree(a) && isTree(b) && Array.isArray(a) === Array.isArray(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
        const [left, right] = [a, b].map((tree) =>
          Object.hasOwn(tree, key) ? (tree as Record<string, JsonValue>)[key] : undefined,
        );
        compare(left, right, [...path, key]);
      }
    } else if (a !== b) {
      found.push(`${path.join(" ")}: expected ${brief(a)}, got ${brief(b)}`);
    }
  }
}

function isTree(value: JsonValue | undefined): value is JsonValue[] | JsonObject {
  return typeof value === "object" && value !== null;
}

function brief(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}...` : text;
}

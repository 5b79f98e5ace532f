import type { SeededRandom } from "@homeostat/concurrency";
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import { pick } from "./fuzz-target.ts";

const KEYS = [
  "a",
  "b",
  "name",
  "metadata",
  "items",
  "__proto__",
  "constructor",
  "",
  "é",
  "\ud83d\ude00",
  "k/v",
  "~1",
];
const LEAVES: readonly JsonValue[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  -1e-7,
  9007199254740993n,
  -9223372036854775808n,
  "",
  "a",
  "__proto__",
  "\u0000",
  "\u2028",
  "\ufffd",
  "1Gi",
  "2026-01-01T00:00:00Z",
];

/** Any JSON value of some depth. */
export function madeUpJson(random: SeededRandom, depth = 4): JsonValue {
  const kind = depth === 0 ? 0 : random.below(4);
  if (kind < 2) return pick(random, LEAVES);
  const count = random.below(4);
  if (kind === 2) return Array.from({ length: count }, () => madeUpJson(random, depth - 1));
  return madeUpObject(random, depth);
}

export function madeUpObject(random: SeededRandom, depth = 4): JsonObject {
  const count = random.below(5);
  return Object.fromEntries(
    Array.from({ length: count }, () => [pick(random, KEYS), madeUpJson(random, depth - 1)]),
  );
}

import { finishNow } from "@homeostat/cel";
import { encodeJson, type JsonObject, type JsonValue, setOwnKey } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sortKeys } from "./sort-keys.ts";
import { isHeavy, sortedTextInSteps, textInSteps } from "./text-in-steps.ts";

const key = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.nat().map(String),
  fc.constantFrom(
    "__proto__",
    "toString",
    "4294967294",
    "4294967295",
    "007",
    "\u{1f600}",
    "\uffff",
  ),
);

const small = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string()),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map((members) => objectOf(members)),
  ),
})).value;

/** More than is written at once: by many items, by many members, or by long texts. */
const large = fc.oneof(
  fc.tuple(fc.string(), fc.integer({ min: 1, max: 300_000 })).map(([text, n]) => text.padEnd(n)),
  fc.tuple(small, fc.nat({ max: 6_000 })).map(([item, n]) => many(item, n)),
  fc
    .tuple(small, fc.nat({ max: 6_000 }))
    .map(([item, n]) => objectOf(many(item, n).map((each, at) => [keyAt(at), each]))),
);

const value = fc.oneof(
  large,
  fc.tuple(small, large, large).map((items): JsonValue => items),
  fc
    .tuple(fc.array(fc.tuple(key, small), { maxLength: 6 }), key, large)
    .map(([members, name, each]) => objectOf([...members, [name, [{ b: each, a: 0 }]]])),
);

function many(item: JsonValue, count: number): JsonValue[] {
  return Array.from({ length: count }, () => item);
}

/** In no order, and some of them array indexes. */
function keyAt(at: number): string {
  const number = (at * 7_919) % 10_007;
  return at % 3 === 0 ? String(number) : `key-${number}`;
}

function objectOf(members: readonly (readonly [string, JsonValue])[]): JsonObject {
  const object: JsonObject = {};
  for (const [name, member] of members) setOwnKey(object, name, member);
  return object;
}

test("what is written in steps is what is written at once, sorted or as it is", () => {
  fc.assert(
    fc.property(value, (given) => {
      expect(finishNow(sortedTextInSteps(given)) === encodeJson(sortKeys(given))).toBe(true);
      expect(finishNow(textInSteps(given)) === encodeJson(given)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test("many members of a list, of an object, and far down are written in many steps", () => {
  const numbers = Array.from({ length: 100_000 }, (_, at) => at);
  const map = objectOf(numbers.map((at) => [`key-${at}`, at]));
  for (const each of [numbers, map, [{ deep: [map] }]]) {
    expect(isHeavy(each)).toBe(true);
    const steps = sortedTextInSteps(each);
    let count = 0;
    while (steps.next().done !== true) count++;
    expect(count).toBeGreaterThan(20);
  }
});

test("what lies deeper than is cut is written all the same", () => {
  let deep: JsonValue = Array.from({ length: 10_000 }, (_, at) => at);
  for (let level = 0; level < 100; level++) deep = { b: deep, a: level };
  expect(finishNow(sortedTextInSteps(deep))).toBe(encodeJson(sortKeys(deep)));
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ownKey, setOwnKey } from "./own-key.ts";

const MAGIC = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "toJSON"];

test("a key that a map does not hold is not found, whatever objects inherit", () => {
  for (const key of MAGIC) expect(ownKey({}, key)).toBeUndefined();
});

test("a map that is not there holds nothing", () => {
  expect(ownKey(undefined, "app")).toBeUndefined();
  expect(ownKey(null, "app")).toBeUndefined();
});

test("whatever the key, what is set is found, is enumerated once, and touches nothing else", () => {
  const key = fc.oneof(fc.string(), fc.constantFrom(...MAGIC));
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.string())), (entries) => {
      const map: Record<string, string> = {};
      for (const [name, value] of entries) setOwnKey(map, name, value);
      const expected = new Map(entries);
      expect(new Set(Object.keys(map))).toEqual(new Set(expected.keys()));
      for (const [name, value] of expected) expect(ownKey(map, name)).toBe(value);
      expect(Object.getPrototypeOf(map)).toBe(Object.prototype);
    }),
  );
});

test("an object under __proto__ does not become the prototype", () => {
  const map: Record<string, object> = {};
  setOwnKey(map, "__proto__", { polluted: true });
  expect("polluted" in map).toBe(false);
  expect(ownKey(map, "__proto__")).toEqual({ polluted: true });
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { annotationOf, isBeingDeleted, labelOf } from "./object.ts";
import {
  compareObjectKeys,
  ObjectKeyError,
  objectKey,
  objectKeyOf,
  parseObjectKey,
  printObjectKey,
  sameObjectKey,
} from "./object-key.ts";

const name = fc.stringMatching(/^[a-z]([-a-z0-9.]{0,8}[a-z0-9])?$/);
const key = fc.tuple(name, fc.option(name)).map(([own, space]) => objectKey(own, space ?? ""));

test("a key is read from an object, namespaced or not", () => {
  expect(objectKeyOf({ metadata: { name: "web", namespace: "default" } })).toEqual({
    namespace: "default",
    name: "web",
  });
  expect(objectKeyOf({ metadata: { name: "node-1" } })).toEqual({ name: "node-1" });
  expect(objectKeyOf({ metadata: { name: "node-1", namespace: "" } })).toEqual({ name: "node-1" });
  expect(() => objectKeyOf({ kind: "Pod", metadata: {} })).toThrow(
    "expected metadata.name to be set, got a Pod without a name",
  );
});

test("printing and parsing again gives the same key", () => {
  fc.assert(
    fc.property(key, (before) => {
      const after = parseObjectKey(printObjectKey(before));
      expect(after).toEqual(before);
      expect(sameObjectKey(after, before)).toBe(true);
    }),
  );
});

test.each(["", "/", "a/", "/b", "a/b/c"])("%j is no key", (text) => {
  expect(() => parseObjectKey(text)).toThrow(ObjectKeyError);
  expect(() => parseObjectKey(text)).toThrow(`unexpected key format: "${text}"`);
});

test("keys sort as an API server lists them", () => {
  const sorted = ["a-b/x", "a/x", "a/y", "b"].map(parseObjectKey);
  expect(sorted.toReversed().sort(compareObjectKeys)).toEqual(sorted);
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(Math.sign(compareObjectKeys(a, b)) + Math.sign(compareObjectKeys(b, a))).toBe(0);
      expect(compareObjectKeys(a, b) === 0).toBe(sameObjectKey(a, b));
    }),
  );
});

test("labels and annotations are read by own keys only", () => {
  const labels = JSON.parse('{"app":"web","__proto__":"p"}');
  const object = { metadata: { labels, annotations: { note: "" } } };
  expect(labelOf(object, "app")).toBe("web");
  expect(labelOf(object, "__proto__")).toBe("p");
  expect(labelOf(object, "constructor")).toBeUndefined();
  expect(annotationOf(object, "note")).toBe("");
  expect(annotationOf(object, "toString")).toBeUndefined();
  expect(labelOf({}, "app")).toBeUndefined();
});

test("an object with a deletion timestamp is being deleted", () => {
  expect(isBeingDeleted({ metadata: { deletionTimestamp: "2026-01-02T03:04:05Z" } })).toBe(true);
  expect(isBeingDeleted(JSON.parse('{"metadata":{"deletionTimestamp":null}}'))).toBe(false);
  expect(isBeingDeleted({})).toBe(false);
});

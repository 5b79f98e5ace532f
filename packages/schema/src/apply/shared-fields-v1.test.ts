import { encodeJson } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { fieldSetOfPaths } from "./field-set.ts";
import { fieldsV1OfText, fieldsV1Text, isShared, sharedFieldsV1 } from "./shared-fields-v1.ts";

test("sets of one text are one set, whether read or made, and cannot be changed", () => {
  const made = sharedFieldsV1(fieldSetOfPaths(["f:b", "f:c"], ["f:a"]));
  const text = '{"f:a":{},"f:b":{"f:c":{}}}';
  expect(fieldsV1Text(made)).toBe(text);
  expect(fieldsV1OfText(text)).toBe(made);
  expect(isShared(made)).toBe(true);
  expect(Object.isFrozen(made["f:b"]!["f:c"])).toBe(true);
});

test("a set that nobody shares is written as it is", () => {
  const set = { "f:x": {} };
  expect(isShared(set)).toBe(false);
  expect(isShared(null)).toBe(false);
  expect(isShared("f:x")).toBe(false);
  expect(fieldsV1Text(set)).toBe('{"f:x":{}}');
});

test("a large set is read anew each time", () => {
  const members = Array.from({ length: 2000 }, (_, at) => [`f:key-${at}`, {}] as const);
  const text = encodeJson(Object.fromEntries(members));
  const set = fieldsV1OfText(text);
  expect(encodeJson(set)).toBe(text);
  expect(fieldsV1OfText(text)).not.toBe(set);
});

test("more sets than are remembered are still read right", () => {
  const texts = Array.from({ length: 3000 }, (_, at) => `{"f:${"x".repeat(500)}${at}":{}}`);
  for (const text of texts) expect(encodeJson(fieldsV1OfText(text))).toBe(text);
  expect(encodeJson(fieldsV1OfText(texts[0]!))).toBe(texts[0]);
});

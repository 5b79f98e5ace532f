import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cloneJson } from "./clone-json.ts";
import { decodeJson } from "./decode-json.ts";
import { encodeJson } from "./encode-json.ts";
import { JsonEncodeError } from "./json-error.ts";
import type { JsonValue } from "./json-value.ts";

test("a copy reads the same, key order and int64 included", () => {
  const text = '{"b":[9007199254740993,{"__proto__":{"x":1}}],"a":null,"constructor":"c"}';
  expect(encodeJson(cloneJson(decodeJson(text)))).toBe(text);
});

test("a copy shares no container with its source", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (source) => {
      const value = source as JsonValue;
      const copy = cloneJson(value);
      expect(copy).toStrictEqual(value);
      const sourceContainers = new Set(containers(value));
      for (const container of containers(copy)) expect(sourceContainers.has(container)).toBe(false);
    }),
  );
});

test("a value that contains itself cannot be copied", () => {
  const list: JsonValue[] = [];
  list.push({ inner: list }, list);
  expect(() => cloneJson(list)).toThrow(JsonEncodeError);
});

function containers(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(containers)];
}

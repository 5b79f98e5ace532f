import type { JsonValue } from "@homeostat/object-model";
import { expect, test } from "vitest";
import {
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  TIMESTAMP,
  type Type,
} from "../expression-types/type.ts";
import { add } from "./arithmetic.ts";
import { equalValues } from "./equality.ts";
import { Failure } from "./failure.ts";
import { valueOf } from "./json-value.ts";
import { elementsOf, isList } from "./list-value.ts";
import { isMap } from "./map-value.ts";
import { printDurationValue, printTimestamp } from "./time-text.ts";
import { isDuration, isTimestamp } from "./time-value.ts";
import type { Value } from "./value.ts";

function objectOf(fields: Readonly<Record<string, Type>>): Type {
  const entries = Object.entries(fields).map(
    ([jsonName, type]) => [jsonName, { jsonName, type }] as const,
  );
  return { kind: "object", name: "test", fields: new Map(entries) };
}

function find(value: Value, key: Value): Value | undefined {
  if (!isMap(value)) throw new Error("not a map");
  return value.find(key);
}

function plain(value: Value): unknown {
  if (isList(value)) return [...elementsOf(value)].map(plain);
  return value instanceof Failure ? value.message : value;
}

test("numbers are ints, doubles or what their form says", () => {
  expect(valueOf(3, INT)).toBe(3n);
  expect(valueOf(2n ** 62n, INT)).toBe(2n ** 62n);
  expect(valueOf(3, DOUBLE)).toBe(3);
  expect([3, 3.5, 2n ** 62n].map((json) => valueOf(json, DYN))).toEqual([3n, 3.5, 2n ** 62n]);
});

test("texts of formats are times, durations and bytes", () => {
  const time = valueOf("2024-02-29T12:00:00.5+01:00", TIMESTAMP);
  expect(isTimestamp(time) && printTimestamp(time)).toBe("2024-02-29T12:00:00.5+01:00");
  const day = valueOf("2024-02-29", TIMESTAMP);
  expect(isTimestamp(day) && printTimestamp(day)).toBe("2024-02-29T00:00:00Z");
  const loose = valueOf("2024-02-29t12:00:00z", TIMESTAMP);
  expect(isTimestamp(loose) && printTimestamp(loose)).toBe("2024-02-29T12:00:00Z");
  const duration = valueOf("1h30m", DURATION);
  expect(isDuration(duration) && printDurationValue(duration)).toBe("5400s");
  const days = valueOf("2 days", DURATION);
  expect(isDuration(days) && printDurationValue(days)).toBe("172800s");
  expect(valueOf("aGk=", BYTES)).toEqual(new Uint8Array([104, 105]));
});

test("what is not of its type fails where it is read", () => {
  expect(plain(valueOf("x", INT))).toBe("invalid data, expected int, got string");
  expect(plain(valueOf(1, STRING))).toBe("invalid data, expected string, got int64");
  expect(plain(valueOf([], mapOf(STRING, INT)))).toBe(
    "invalid data, expected a map for the provided schema with type=object",
  );
  expect(plain(valueOf([1, "x"], listOf(INT)))).toEqual([
    1n,
    "invalid data, expected int, got string",
  ]);
});

test("keys are data, whatever their names", () => {
  const json = JSON.parse('{"__proto__": "a", "constructor": "b"}') as JsonValue;
  const map = valueOf(json, mapOf(STRING, STRING));
  expect(find(map, "__proto__")).toBe("a");
  expect(find(map, "constructor")).toBe("b");
  expect(find(map, "toString")).toBeUndefined();
  expect(find(valueOf({}, mapOf(STRING, STRING)), "__proto__")).toBeUndefined();
  expect(find(valueOf({}, objectOf({ toString: STRING })), "toString")).toBeUndefined();
});

test("declared fields are read, others are not, and null is not there", () => {
  const object = valueOf({ a: 1, b: null, c: 3 }, objectOf({ a: INT, b: INT }));
  expect(["a", "b", "c"].map((name) => find(object, name))).toEqual([1n, undefined, undefined]);
  expect(isMap(object) && [...object.keys()]).toEqual(["a", "b"]);
});

test("lists of sets and of keyed elements are equal and added as such", () => {
  const set = listOf(STRING, { kind: "set" });
  expect(equalValues(valueOf(["a", "b"], set), valueOf(["b", "a"], set))).toBe(true);
  expect(plain(add(valueOf(["a", "b"], set), valueOf(["b", "c", "c"], set)))).toEqual([
    "a",
    "b",
    "c",
  ]);
  const keyed = listOf(objectOf({ name: STRING, port: INT }), { kind: "map", keys: ["name"] });
  const ports = [
    { name: "a", port: 1 },
    { name: "b", port: 2 },
  ];
  expect(equalValues(valueOf(ports, keyed), valueOf(ports.toReversed(), keyed))).toBe(true);
  expect(
    equalValues(valueOf(ports, keyed), valueOf([{ name: "a", port: 9 }, ports[1]!], keyed)),
  ).toBe(false);
  const sum = add(
    valueOf(ports, keyed),
    valueOf(
      [
        { name: "a", port: 9 },
        { name: "c", port: 3 },
      ],
      keyed,
    ),
  );
  expect(isList(sum) && [...elementsOf(sum)].map((port) => find(port, "port"))).toEqual([
    9n,
    2n,
    3n,
  ]);
});

test("objects are equal when their declared fields are", () => {
  const type = objectOf({ a: INT, b: INT });
  expect(equalValues(valueOf({ a: 1, b: null }, type), valueOf({ a: 1, b: null }, type))).toBe(
    true,
  );
  expect(equalValues(valueOf({ a: 1, b: 2 }, type), valueOf({ a: 1, b: 3 }, type))).toBe(false);
  expect(equalValues(valueOf({ a: 1 }, type), valueOf({ b: 1 }, type))).toBe(false);
});

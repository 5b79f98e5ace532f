import { expect, test } from "vitest";
import { Place } from "./place.ts";
import {
  all,
  changedFields,
  each,
  eachValue,
  fields,
  firstOf,
  ifPresent,
  ifSet,
  type Rule,
  when,
} from "./rule.ts";
import { dns1123Label, immutable, inRange, nonNegative, oneOf, required } from "./value-rules.ts";

interface Port {
  name?: string;
  port?: number;
  mode?: string;
  labels?: Record<string, string>;
}

/** What a rule finds wrong, a line each. */
function found<T>(rule: Rule<T>, value: T | undefined): string[] {
  const place = Place.root(undefined);
  rule(value, place);
  return place.errors.map(String);
}

test("fields are judged in the order of their rules, and an absent struct like an empty one", () => {
  const port = fields<Port>({
    port: inRange(1, 65535),
    name: [required, dns1123Label],
    mode: oneOf("b", "a"),
  });
  expect(found(port, { port: 0, name: "Up" })).toEqual([
    "port: Invalid value: 0: must be between 1 and 65535, inclusive",
    expect.stringContaining('name: Invalid value: "Up": a lowercase RFC 1123 label'),
    'mode: Unsupported value: "": supported values: "a", "b"',
  ]);
  expect(found(port, undefined)[1]).toBe("name: Required value");
  expect(found(port, { port: 1, name: "a", mode: "a" })).toEqual([]);
});

test("places name elements by index and values of maps by key", () => {
  const rule = fields<{ ports: Port[] }>({
    ports: each(fields<Port>({ labels: eachValue(required), port: nonNegative })),
  });
  const ports = [{}, { port: -1, labels: { b: "", a: "" } }];
  expect(found(rule, { ports })).toEqual([
    "ports[1].labels[a]: Required value",
    "ports[1].labels[b]: Required value",
    "ports[1].port: Invalid value: -1: must be greater than or equal to 0",
  ]);
});

test("rules are put together: all, the first that finds something, where there is a value", () => {
  const refuse: Rule<unknown> = (_, place) => place.forbidden("no");
  expect(found(all(refuse, refuse), 1)).toHaveLength(2);
  expect(found(firstOf(refuse, refuse), 1)).toHaveLength(1);
  expect(found(ifPresent(refuse), undefined)).toEqual([]);
  expect(found(ifPresent(refuse), 0)).toHaveLength(1);
  expect(found(ifSet(refuse), 0)).toEqual([]);
  expect(found(ifSet(refuse), [])).toEqual([]);
  expect(found(ifSet(refuse), [0])).toHaveLength(1);
  expect(
    found(
      when<number>((value = 0) => value > 1, refuse),
      1,
    ),
  ).toEqual([]);
});

test("what may become of a field is judged by what it was", () => {
  const rule = changedFields<Port>({ name: immutable, labels: immutable });
  const judge = (value: Port, old: Port): string[] => {
    const place = Place.root(undefined).child("spec");
    rule({ value, old }, place);
    return place.errors.map(String);
  };
  expect(judge({ name: "a" }, { name: "a" })).toEqual([]);
  expect(judge({ name: "b", labels: { a: "1" } }, { name: "a" })).toEqual([
    'spec.name: Invalid value: "b": field is immutable',
    'spec.labels: Invalid value: {"a":"1"}: field is immutable',
  ]);
});

test("a place can be looked at knowing something else, with the same path and errors", () => {
  const place = Place.root("one").child("spec").index(2);
  place.knowing("two").child("x").required();
  expect(place.errors.map(String)).toEqual(["spec[2].x: Required value"]);
});

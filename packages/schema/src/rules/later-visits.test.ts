import { finishNow } from "@homeostat/cel";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LaterVisits } from "./later-visits.ts";
import { Place } from "./place.ts";
import { eachLater, fields, type Rule } from "./rule.ts";

interface Item {
  readonly name: string;
  readonly parts: readonly number[];
}

interface Whole {
  readonly first: number;
  readonly items: readonly Item[];
  readonly last: number;
}

const odd: Rule<number> = (value = 0, place) => {
  if (value % 2 === 1) place.invalid(value, "must be even");
};

/** Knows the names before an item, and reports at the list too. */
const items: Rule<readonly Item[]> = (list, place) => {
  const names = new Set<string>();
  place.visitItems(list ?? [], ({ name, parts }, at, here) => {
    if (names.has(name)) at.child("name").duplicate(name);
    names.add(name);
    eachLater(odd)(parts, at.child("parts"));
    if (parts.length === 3) here.required("no item of three parts");
  });
  if (list?.length === 3) place.required("no list of three");
};

const whole = fields<Whole>({ first: odd, items, last: odd });

function errorsAtOnce(value: Whole): string[] {
  const place = Place.root(undefined);
  whole(value, place);
  return place.errors.map(String);
}

function errorsInSteps(value: Whole): { errors: string[]; steps: number } {
  const later = new LaterVisits();
  whole(value, Place.rootOf(undefined, later));
  const finishing = later.finish();
  for (let steps = 1; ; steps++) {
    const step = finishing.next();
    if (step.done === true) return { errors: step.value.map(String), steps };
  }
}

test("a walk that leaves long lists for later finds the same in the same order", () => {
  const part = fc.integer({ min: 0, max: 9 });
  const item = fc.record({
    name: fc.constantFrom("a", "b", "c", "d"),
    parts: fc.oneof(
      { weight: 9, arbitrary: fc.array(part, { maxLength: 4 }) },
      { weight: 1, arbitrary: fc.array(part, { minLength: 195, maxLength: 205 }) },
    ),
  });
  const list = fc.oneof(
    fc.array(item, { maxLength: 5 }),
    fc.array(item, { minLength: 199, maxLength: 320, size: "max" }),
  );
  fc.assert(
    fc.property(fc.record({ first: part, items: list, last: part }), (value) => {
      expect(errorsInSteps(value).errors).toEqual(errorsAtOnce(value));
    }),
    { numRuns: 25 },
  );
});

test("a short list is visited at once, a long one in steps", () => {
  const of = (count: number): Whole => ({
    first: 0,
    items: Array.from({ length: count }, (_, at) => ({ name: `${at}`, parts: [1] })),
    last: 0,
  });
  expect(errorsInSteps(of(200)).steps).toBe(1);
  const long = errorsInSteps(of(1000));
  expect(long.steps).toBeGreaterThan(5);
  expect(long.errors).toHaveLength(1000);
});

test("without anything put off, finishing gives what was found", () => {
  const later = new LaterVisits();
  Place.rootOf(undefined, later).child("a").required();
  expect(finishNow(later.finish()).map(String)).toEqual(["a: Required value"]);
});

test("a walk that finds more than anybody could be told says nothing", () => {
  const found = (count: number): readonly unknown[] | undefined => {
    const later = new LaterVisits();
    const list = Array.from({ length: count }, () => 1);
    return finishNow(later.walk(() => eachLater(odd)(list, Place.rootOf(undefined, later))));
  };
  expect(found(20_000)).toHaveLength(20_000);
  expect(found(20_001)).toBeUndefined();
});

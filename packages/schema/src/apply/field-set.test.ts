import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  areDisjoint,
  difference,
  EMPTY_SET,
  equalSets,
  type FieldSet,
  fieldSetOfPaths,
  hasPath,
  intersection,
  isEmptySet,
  pathsOf,
  recursiveDifference,
  union,
} from "./field-set.ts";
import { fieldElement } from "./path-element.ts";

const fieldPath = fc
  .array(fc.constantFrom("a", "b", "c", "__proto__"), { minLength: 1, maxLength: 4 })
  .map((names) => names.map(fieldElement));
const paths = fc.array(fieldPath, { maxLength: 12 });

function keysOf(set: FieldSet): Set<string> {
  return new Set(Array.from(pathsOf(set), (path) => path.join(" ")));
}

function texts(list: readonly (readonly string[])[]): Set<string> {
  return new Set(list.map((path) => path.join(" ")));
}

test("a set holds exactly the paths it was made of", () => {
  fc.assert(
    fc.property(paths, paths, (given, others) => {
      const set = fieldSetOfPaths(...given);
      expect(keysOf(set)).toEqual(texts(given));
      for (const path of others) {
        expect(hasPath(set, path)).toBe(texts(given).has(path.join(" ")));
      }
    }),
  );
});

test("union, intersection and difference are those of sets of paths", () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const a = fieldSetOfPaths(...left);
      const b = fieldSetOfPaths(...right);
      const leftTexts = texts(left);
      const rightTexts = texts(right);
      expect(keysOf(union(a, b))).toEqual(new Set([...leftTexts, ...rightTexts]));
      expect(areDisjoint(a, b)).toBe(isEmptySet(intersection(a, b)));
      expect(keysOf(intersection(a, b))).toEqual(
        new Set([...leftTexts].filter((path) => rightTexts.has(path))),
      );
      expect(keysOf(difference(a, b))).toEqual(
        new Set([...leftTexts].filter((path) => !rightTexts.has(path))),
      );
      expect(isEmptySet(difference(a, a))).toBe(true);
      expect(equalSets(union(a, b), union(b, a))).toBe(true);
    }),
  );
});

test("a recursive difference takes along what is below", () => {
  fc.assert(
    fc.property(paths, paths, (left, right) => {
      const rest = recursiveDifference(fieldSetOfPaths(...left), fieldSetOfPaths(...right));
      const gone = right.map((path) => path.join(" "));
      const expected = [...texts(left)].filter(
        (path) => !gone.some((text) => path === text || path.startsWith(`${text} `)),
      );
      expect(keysOf(rest)).toEqual(new Set(expected));
    }),
  );
});

test("nothing is a set without members, whatever it is combined with", () => {
  const set = fieldSetOfPaths([fieldElement("a")]);
  expect(union(EMPTY_SET, set)).toBe(set);
  expect(difference(set, EMPTY_SET)).toBe(set);
  expect(isEmptySet(intersection(set, EMPTY_SET))).toBe(true);
  expect(hasPath(set, [])).toBe(false);
});

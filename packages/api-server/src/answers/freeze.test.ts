import { expect, test } from "vitest";
import { deepFreeze } from "./freeze.ts";

test("a tree is frozen all the way down", () => {
  const tree = deepFreeze({ a: [{ b: { c: [1] } }], __proto__: { d: 1 } });
  for (const part of [tree, tree.a, tree.a[0], tree.a[0]!.b, tree.a[0]!.b.c])
    expect(Object.isFrozen(part)).toBe(true);
});

test("the deepest tree that a body may hold can be frozen", () => {
  let tree: Record<string, unknown> = {};
  for (let level = 1; level < 10_000; level++) tree = { a: tree };
  expect(Object.isFrozen(deepFreeze(tree))).toBe(true);
});

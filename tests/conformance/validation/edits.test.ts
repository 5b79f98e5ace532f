import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits, parsePath, printPath, valueAtPath } from "./edits.ts";

test("a path reads back as it was printed", () => {
  const step = fc.oneof(fc.nat({ max: 99 }), fc.string({ minLength: 1 }));
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.array(step), (first, rest) => {
      const path = [first, ...rest];
      expect(parsePath(printPath(path))).toEqual(path);
    }),
  );
  expect(printPath(["spec", "containers", 0, "name"])).toBe("spec.containers[0].name");
  expect(printPath(["metadata", "labels", "a.b/c"])).toBe('metadata.labels["a.b/c"]');
});

test("edits set, make the way, remove, and leave the given object alone", () => {
  const object = { spec: { list: [{ name: "a" }, { name: "b" }] } };
  const changed = applyEdits(object, [
    { at: ["spec", "list", 0], value: undefined },
    { at: ["spec", "made", "here"], value: 1 },
    { at: ["metadata", "labels", "__proto__"], value: "x" },
    { at: ["nowhere", "at", "all"], value: undefined },
  ]);
  expect(JSON.stringify(changed)).toBe(
    '{"spec":{"list":[{"name":"b"}],"made":{"here":1}},"metadata":{"labels":{"__proto__":"x"}}}',
  );
  expect(valueAtPath(changed, ["spec", "list", 0, "name"])).toBe("b");
  expect(object.spec.list).toHaveLength(2);
});

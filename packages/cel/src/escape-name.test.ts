import * as fc from "fast-check";
import { expect, test } from "vitest";
import { escapeName, unescapeName } from "./escape-name.ts";

test("names are escaped as Kubernetes does", () => {
  const names = ["plain", "a-b", "a.b/c", "__proto__", "a__b", "namespace", "in", "_x", "a___b"];
  expect(names.map(escapeName)).toEqual([
    "plain",
    "a__dash__b",
    "a__dot__b__slash__c",
    "__underscores__proto__underscores__",
    "a__underscores__b",
    "__namespace__",
    "__in__",
    "_x",
    "a__underscores___b",
  ]);
});

test("names of other characters have no form", () => {
  for (const name of ["", "1a", "a b", "é", "a$", "a\n"]) expect(escapeName(name)).toBeUndefined();
});

test("what is no escape is no name", () => {
  for (const name of ["__foo__", "a__namespace__", "__dash"]) {
    expect(unescapeName(name)).toBe(name === "__dash" ? "__dash" : undefined);
  }
});

test("escaping is undone by unescaping", () => {
  const name = fc.stringMatching(/^[a-zA-Z./-][a-zA-Z0-9_./-]{0,12}$/);
  fc.assert(
    fc.property(name, (text) => {
      fc.pre(!/_{3}/.test(text));
      expect(unescapeName(escapeName(text)!)).toBe(text);
    }),
  );
});

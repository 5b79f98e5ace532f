import { expect, test } from "vitest";
import { problemWithJsonPath } from "./json-paths.ts";

test.each([
  "{spec.validations[0].expression}",
  "{.a['b']..c[*][1:2:-1]}",
  '{.items[?(@.name=="x")].status}',
  "{['a','b']} and {.c}",
])("%s can be read", (path) => {
  expect(problemWithJsonPath(path)).toBeUndefined();
});

test.each([
  ["{.a", "unclosed action"],
  ["{.a[0}", "unterminated array"],
  ["{.a[x]}", "invalid array index x"],
  ["{#}", "unrecognized character in action: U+0023 '#'"],
  ["{....a}", "invalid multiple recursive descent"],
  ["{1.2.3}", "cannot parse number 1.2.3"],
  ["{'a}", "unterminated quoted string"],
  ["{[?(@.a)}", "unclosed array expect ]"],
])("%s: %s", (path, problem) => {
  expect(problemWithJsonPath(path)).toBe(problem);
});

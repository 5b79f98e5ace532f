import { expect, test } from "vitest";
import { listIndex, pointerTokens } from "./json-pointer.ts";

test("a pointer is split at its slashes and unescaped once", () => {
  expect(pointerTokens("/a/b")).toEqual(["a", "b"]);
  expect(pointerTokens("/a~1b/m~0n/~01")).toEqual(["a/b", "m~n", "~1"]);
  expect(pointerTokens("/")).toEqual([""]);
  expect(pointerTokens("/~2/~")).toEqual(["~2", "~"]);
});

test("what stands before the first slash is ignored, and without a slash there is no pointer", () => {
  expect(pointerTokens("a/b")).toEqual(["b"]);
  expect(pointerTokens("a")).toBeUndefined();
  expect(pointerTokens("")).toBeUndefined();
});

test.each([
  ["0", 0],
  ["2", 2],
  ["+1", 1],
  ["01", 1],
  ["-0", 0],
  ["-1", 2],
  ["-3", 0],
])("token %s of a list of three is index %d", (token, index) => {
  expect(listIndex(token, 3)).toBe(index);
});

test.each([
  ["3", "Unable to access invalid index: 3: invalid index referenced"],
  ["-4", "Unable to access invalid index: -4: invalid index referenced"],
  ["0009", "Unable to access invalid index: 9: invalid index referenced"],
  [
    "-9223372036854775808",
    "Unable to access invalid index: -9223372036854775808: invalid index referenced",
  ],
  ["9223372036854775808", 'strconv.Atoi: parsing "9223372036854775808": value out of range'],
  ["-", 'strconv.Atoi: parsing "-": invalid syntax'],
  ["1.0", 'strconv.Atoi: parsing "1.0": invalid syntax'],
  ["1e1", 'strconv.Atoi: parsing "1e1": invalid syntax'],
  ["", 'strconv.Atoi: parsing "": invalid syntax'],
  ["\n", 'strconv.Atoi: parsing "\\n": invalid syntax'],
])("token %j is no index, in Go's words", (token, reason) => {
  expect(listIndex(token, 3)).toBe(reason);
});

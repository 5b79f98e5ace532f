import * as fc from "fast-check";
import { expect, test } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

test("a changed line is shown between three lines of context on each side", () => {
  const before = ["a", "b", "c", "d", "e", "f", "g", "h", "i"].join("\n");
  const after = before.replace("e", "E");
  expect(unifiedDiff(before, after)).toBe("@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n");
});

test("changes far apart make two hunks", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const changed = lines.with(1, "first").with(18, "last");
  expect(unifiedDiff(lines.join("\n"), changed.join("\n")).match(/^@@.*@@$/gm)).toEqual([
    "@@ -1,5 +1,5 @@",
    "@@ -16,5 +16,5 @@",
  ]);
});

test("lines that only one side has have an empty range on the other", () => {
  expect(unifiedDiff("", "a\nb\n")).toBe("@@ -1 +1,3 @@\n+a\n+b\n \n");
});

test("in long texts frequent lines do not decide what matches", () => {
  const before = Array.from({ length: 300 }, (_, index) => (index % 2 ? "}" : `key ${index}`));
  const after = before.toSpliced(100, 0, "}", "}", "new");
  expect(applyDiff(before, unifiedDiff(before.join("\n"), after.join("\n")))).toEqual(after);
});

const text = fc.array(fc.constantFrom("a", "b", "c", "{", "}"), { maxLength: 40 });

test("a diff leads from one text to the other, and equal texts have none", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = unifiedDiff(before.join("\n"), after.join("\n"));
      expect(diff === "").toBe(before.join("\n") === after.join("\n"));
      const lines = before.length === 0 ? [""] : before;
      expect(applyDiff(lines, diff).join("\n")).toBe(after.join("\n"));
    }),
  );
});

/** Follows the hunks; fails where a line that should be there is not. */
function applyDiff(before: readonly string[], diff: string): string[] {
  const result: string[] = [];
  let next = 0;
  for (const line of diff.split("\n").slice(0, -1)) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (hunk !== null) {
      const start = Number(hunk[1]) - (hunk[2] === "0" ? 0 : 1);
      result.push(...before.slice(next, start));
      next = start;
    } else if (line.startsWith("+")) {
      result.push(line.slice(1));
    } else {
      if (before[next] !== line.slice(1)) throw new Error(`line ${next} is not "${line.slice(1)}"`);
      if (line.startsWith(" ")) result.push(line.slice(1));
      next++;
    }
  }
  return [...result, ...before.slice(next)];
}

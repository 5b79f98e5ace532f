import { expect, test } from "vitest";
import { judge, type KnownDifference, printKnownDifferences } from "./differences.ts";

const difference = {
  topic: "lists",
  scenario: "pages (two)",
  step: "3",
  path: "body.items[0].x",
  expected: "wanted.",
  got: 2,
};
const entry: KnownDifference = {
  topic: "lists",
  scenario: "pages (two)",
  step: "*",
  path: "body.items[*].x",
  reason: "why",
};

test("an entry explains what it matches, with stars for anything", () => {
  expect(judge([difference], [entry])).toEqual({ unknown: [], known: [difference], stale: [] });
  expect(judge([difference], [{ ...entry, expected: '"want*"' }]).known).toEqual([difference]);
});

test("what nothing explains is unknown, and an entry that explains nothing is stale", () => {
  for (const other of [
    { ...entry, path: "body.itemsX0].x" },
    { ...entry, scenario: "pages" },
    { ...entry, expected: '"wantedX"' },
  ]) {
    expect(judge([difference], [other])).toEqual({
      unknown: [difference],
      known: [],
      stale: [other],
    });
  }
});

test("the table has a row for each reason", () => {
  const table = printKnownDifferences([
    entry,
    { ...entry, scenario: "other" },
    { ...entry, reason: "b" },
  ]);
  expect(table.split("\n")).toEqual([
    "| what differs, and why | where it shows |",
    "| --- | --- |",
    "| why | lists: pages (two), `body.items[*].x`<br>lists: other, `body.items[*].x` |",
    "| b | lists: pages (two), `body.items[*].x` |",
  ]);
});

import { expect, test } from "vitest";
import { openDoorTarget } from "../embedded-target.ts";
import { findDifferences } from "./find-differences.ts";
import { normalize } from "./normalize.ts";
import { hashesOf, readRecorded } from "./recorded-documents.ts";
import { servedDocuments } from "./served-documents.ts";

test("discovery and OpenAPI say what those of kube-apiserver say", {
  timeout: 60_000,
}, async () => {
  await using target = await openDoorTarget();
  const documents = await servedDocuments(target);
  expect(hashesOf(documents)).toEqual(await readRecorded());
});

test("descriptions and the order of sets do not count, anything else does", () => {
  const one = { description: "a", produces: ["x", "y"], items: { allOf: [{ $ref: "#/T" }] } };
  const same = { description: "b", produces: ["y", "x"], items: { $ref: "#/T" } };
  const other = { ...same, items: { $ref: "#/U" } };
  expect(findDifferences(normalize(one), normalize(same))).toEqual([]);
  expect(findDifferences(normalize(one), normalize(other))).toEqual([
    'items $ref: expected "#/T", got "#/U"',
  ]);
});

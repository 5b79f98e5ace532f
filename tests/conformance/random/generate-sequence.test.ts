import { seededRandom } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import { generateSequence } from "./generate-sequence.ts";

const sequence = (seed: string) => generateSequence(seededRandom(seed), { name: seed, length: 30 });

test("a seed gives the same sequence again, another seed another one", () => {
  expect(sequence("1/1")).toEqual(sequence("1/1"));
  expect(sequence("1/1").steps).not.toEqual(sequence("1/2").steps);
});

test("over many sequences every verb, patch type, dry run and watch occurs", () => {
  const text = JSON.stringify(Array.from({ length: 40 }, (_, i) => sequence(String(i))));
  const words =
    "POST PUT PATCH DELETE json-patch+json merge-patch+json strategic-merge-patch+json watch dryRun " +
    "fieldValidation preconditions labelSelector fieldSelector generateName /scale /status continue " +
    "propagationPolicy apply-patch+yaml fieldManager force";
  for (const word of words.split(" ")) {
    expect(text).toContain(word);
  }
});

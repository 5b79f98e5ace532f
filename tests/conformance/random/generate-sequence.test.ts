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
    "propagationPolicy apply-patch+yaml fieldManager force managedFields random.example.com/v2 " +
    "Gadget Zone spec.color=red customresourcedefinitions/widgets.${ns}.example.com";
  for (const word of words.split(" ")) {
    expect(text).toContain(word);
  }
});

test("some sequences apply the same configuration again, also as another manager", () => {
  const again = { same: 0, other: 0 };
  for (let i = 0; i < 40; i++) {
    const managersOf = new Map<string, Set<string>>();
    for (const step of sequence(String(i)).steps) {
      if (step.action !== "request" || step.query?.["fieldManager"] === undefined) continue;
      const key = step.path + JSON.stringify(step.body);
      const manager = String(step.query["fieldManager"]);
      const before = managersOf.get(key);
      if (step.headers?.["content-type"] !== "application/apply-patch+yaml") continue;
      if (before?.has(manager) === true) again.same++;
      else if (before !== undefined) again.other++;
      managersOf.set(key, new Set([...(before ?? []), manager]));
    }
  }
  expect(again.same).toBeGreaterThan(5);
  expect(again.other).toBeGreaterThan(5);
});

// What agreed with kube-apiserver still does. A rule that is repaired is kept by
// `npm run compare -- validation --recorded --record-agreement`.
import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDoorTarget } from "../embedded-target.ts";
import type { Target } from "../target.ts";
import { readAgreement } from "./agreement.ts";
import { prepareTarget } from "./ask-probes.ts";
import { probedKinds } from "./kinds.ts";
import { judgeRecorded } from "./run-validation.ts";

const agreement = await readAgreement();
let ours: Target;

beforeAll(async () => {
  ours = await openDoorTarget();
  await prepareTarget(ours);
});
afterAll(() => ours[Symbol.asyncDispose]());

for (const kind of probedKinds) {
  test(`${kind.name}: what agreed with kube-apiserver still does`, {
    timeout: 60_000,
  }, async () => {
    const kept = agreement.get(kind.name)!;
    const judged = await judgeRecorded(kind, ours);
    const agree = judged.filter(({ differences }) => differences.length === 0).length;
    expect(judged.length).toBe(kept.probes);
    expect(agree).toBeGreaterThanOrEqual(kept.agree);
  });
}

test("every kind has its answers and its agreement, and nothing else does", async () => {
  const names = probedKinds.map(({ name }) => name);
  expect([...agreement.keys()]).toEqual(names);
  const files = await readdir(new URL("./fixtures/", import.meta.url));
  expect(files.toSorted()).toEqual(names.map((name) => `${name}.json`).toSorted());
});

/**
 * What agreed with kube-apiserver still does: a test for each kind, on the recorded answers. What is
 * repaired is kept by `npm run compare -- validation --recorded --record-agreement`.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDoorTarget } from "../embedded-target.ts";
import type { Target } from "../target.ts";
import { readAgreement } from "./agreement.ts";
import { prepareTarget } from "./ask-probes.ts";
import type { ProbedKind } from "./probe.ts";
import { judgeRecorded } from "./run-validation.ts";

export function testAgreement(kinds: readonly ProbedKind[]): void {
  let ours: Target;
  beforeAll(async () => {
    ours = await openDoorTarget();
    await prepareTarget(ours);
  });
  afterAll(() => ours[Symbol.asyncDispose]());

  for (const kind of kinds) {
    test(`${kind.name}: what agreed with kube-apiserver still does`, {
      // Thousands of probes, on machines that may be busy.
      timeout: 600_000,
    }, async () => {
      const kept = (await readAgreement()).get(kind.name)!;
      const judged = await judgeRecorded(kind, ours);
      const agree = judged.filter(({ differences }) => differences.length === 0).length;
      expect(judged.length).toBe(kept.probes);
      expect(agree).toBeGreaterThanOrEqual(kept.agree);
    });
  }
}

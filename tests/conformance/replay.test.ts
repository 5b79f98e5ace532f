import { expect, test, vi } from "vitest";
import type { Judgement } from "./differences.ts";
import { openDoorTarget, openEmbeddedTarget } from "./embedded-target.ts";
import { readFixture } from "./fixtures.ts";
import { replay } from "./replay.ts";
import { topics } from "./topics.ts";

// One run of all scenarios for each way in; both at the same time, as most of it is waiting.
const runs = { HTTPS: replay(openEmbeddedTarget), door: replay(openDoorTarget) };
for (const run of Object.values(runs)) run.catch(() => undefined);

// Whichever test comes first waits for the whole run.
vi.setConfig({ testTimeout: 600_000 });

for (const { name } of topics) {
  test(`${name}: the answers over HTTPS are those of kube-apiserver`, async () => {
    const judgement = (await runs.HTTPS).get(name)!;
    expect(told(judgement)).toEqual([]);
    // The list of known differences stays true: what is repaired leaves it.
    expect(judgement.stale).toEqual([]);
  });

  test(`${name}: the in-process door answers the same`, async () => {
    expect(told((await runs.door).get(name)!)).toEqual([]);
  });
}

test("every recorded scenario is still written down, and no name is used twice", async () => {
  for (const { name, scenarios } of topics) {
    const names = scenarios.map((each) => each.name);
    expect([...(await readFixture(name)).keys()]).toEqual(names);
    expect(new Set(names).size).toBe(names.length);
  }
});

function told({ unknown }: Judgement): string[] {
  return unknown.map(
    ({ scenario, step, path, expected, got }) =>
      `${scenario}, step ${step}, ${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`,
  );
}

/** A short run of every target from one seed; `npm run fuzz -- <target>` goes on from there. */
import { seededRandom } from "@homeostat/concurrency";
import { expect, test, vi } from "vitest";
import type { FuzzTarget } from "./fuzz-target.ts";
import { caseOf, fuzz } from "./fuzzer.ts";
import { mutate } from "./mutate.ts";
import { targets } from "./targets.ts";

vi.setConfig({ testTimeout: 180_000 });

const CASES = new Map([
  ["json", 2000],
  ["selectors", 3000],
  ["patches", 800],
  ["cel", 1500],
  ["yaml", 200],
  ["protobuf", 200],
  ["urls", 300],
  ["headers", 80],
]);

test.each([...targets])("%s keeps its laws for inputs of a fixed seed", async (name, open) => {
  await using target = await open();
  const cases = CASES.get(name)!;
  const { finding } = await fuzz(target, { seed: "homeostat", goesOn: (done) => done < cases });
  if (finding === undefined) return;
  const input = JSON.stringify(Buffer.from(finding.input).toString("latin1"));
  expect.fail(`case ${finding.number}: ${finding.reason}\ninput: ${input}`);
});

const toy = (run: FuzzTarget["run"]): FuzzTarget => ({
  corpus: [Buffer.from("one"), Buffer.from("two")],
  words: ["word"],
  generate: (random) => random.bytes(4),
  run,
  [Symbol.asyncDispose]: async () => undefined,
});

test("a broken law is found, with the seed and the number that bring it back", async () => {
  const target = toy((input) => {
    if (input.length > 12) throw new Error("too long");
  });
  const { finding } = await fuzz(target, { seed: "s", goesOn: (done) => done < 1000 });
  expect(finding?.reason).toContain("too long");
  expect(caseOf(target, finding!.seed, finding!.number).input).toEqual(finding!.input);
  const again = await fuzz(target, { seed: "s", from: finding!.number, goesOn: () => true });
  expect(again.finding?.number).toBe(finding!.number);
});

test("mutations of one seed are the same every time, and differ from each other", () => {
  const sources = toy(() => undefined);
  const run = (): string[] => {
    const random = seededRandom(1);
    return Array.from({ length: 50 }, () => Buffer.from(mutate(random, sources)).toString("hex"));
  };
  expect(run()).toEqual(run());
  expect(new Set(run()).size).toBeGreaterThan(30);
});

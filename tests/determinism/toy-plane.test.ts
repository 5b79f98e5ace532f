import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import type { BansReport, CheatsReport, TimelinesReport } from "./plane-program.ts";

// Two thousand runs, on machines that may be busy.
vi.setConfig({ testTimeout: 600_000 });

const program = fileURLToPath(new URL("./plane-program.ts", import.meta.url));

async function report<T>(...words: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--conditions=@homeostat/source", program, ...words],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as T;
}

test("a plane runs the same twice from each of 1,000 seeds, differently from each, and converges", async () => {
  // In two processes, and in opposite order: what one run leaves behind must not show in the next.
  const [{ timelines: first }, { timelines: second }] = await Promise.all([
    report<TimelinesReport>("timelines", "ascending"),
    report<TimelinesReport>("timelines", "descending"),
  ]);
  expect(first.length).toBe(1_000);
  const differing = first.flatMap(({ hash }, seed) => (hash === second[seed]?.hash ? [] : [seed]));
  expect(differing).toEqual([]);
  expect(new Set(first.map(({ hash }) => hash)).size).toBe(1_000);
  const unsettled = first.flatMap(({ isConverged }, seed) => (isConverged ? [] : [seed]));
  expect(unsettled).toEqual([]);
  expect(first.map(({ stateAtEnd }) => stateAtEnd)).toEqual(
    second.map(({ stateAtEnd }) => stateAtEnd),
  );
  expect(first.reduce((sum, { lines }) => sum + lines, 0)).toBeGreaterThan(30_000);
});

test("every banned global throws during a run, names itself, and is back afterwards", async () => {
  const { bans, isBackAfterFailure } = await report<BansReport>("bans");
  expect(bans.length).toBeGreaterThan(10);
  expect(bans).toEqual(
    bans.map(([name]) => [name, "works", `${name.replace("new ", "")} was used`, "works"]),
  );
  expect(isBackAfterFailure).toBe(true);
});

test("a controller that cheats fails its run, or is found by its timelines", async () => {
  const { caught, differing } = await report<CheatsReport>("cheats");
  expect(caught).toEqual({
    "Date.now": "Date was used",
    "performance.now": "performance was used",
    "Math.random": "Math.random was used",
  });
  expect(differing).toBe(5);
});

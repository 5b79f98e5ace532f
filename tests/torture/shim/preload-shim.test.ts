import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { buildShim } from "./preload-shim.ts";
import { readTrace } from "./trace.ts";
import { VolatileDisk } from "./volatile-disk.ts";

const library = await buildShim().catch(() => undefined);
const lacksShim = library === undefined && process.env["CI"] === undefined;

/** Runs a script under the shim, in a directory of its own. */
async function runWithShim(
  script: string,
  environment: (root: string) => Record<string, string>,
): Promise<{ root: string; stdout: string } & AsyncDisposable> {
  const root = mkdtempSync(join(tmpdir(), "homeostat-shim-test-"));
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], {
    cwd: root,
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      LD_PRELOAD: library ?? (await buildShim()),
      ROOT: root,
      ...environment(root),
    },
  });
  return {
    root,
    stdout,
    [Symbol.asyncDispose]: async () => rmSync(root, { recursive: true, force: true }),
  };
}

test.skipIf(lacksShim)("the trace holds what a program did to files below the root", async () => {
  const script = `
    const fs = require("node:fs");
    fs.mkdirSync(process.env.ROOT + "/data/sub", { recursive: true });
    const file = fs.openSync(process.env.ROOT + "/data/sub/a", "w");
    fs.writeSync(file, "hello ");
    fs.writeSync(file, "world");
    fs.writeSync(file, "H", 0);
    fs.ftruncateSync(file, 9);
    fs.fsyncSync(file);
    fs.closeSync(file);
    fs.appendFileSync("data/sub/a", "!");
    fs.writeFileSync(process.env.ROOT + "/data/b", "gone");
    fs.unlinkSync(process.env.ROOT + "/data/b");
    fs.renameSync(process.env.ROOT + "/data/sub/a", process.env.ROOT + "/data/c");
    fs.writeFileSync(process.env.ROOT + "/outside", "not traced");
  `;
  await using run = await runWithShim(script, (root) => ({
    TORTURE_ROOT: `${root}/data`,
    TORTURE_TRACE: `${root}/trace`,
  }));
  const records = readTrace(join(run.root, "trace"));
  const disk = new VolatileDisk();
  for (const record of records) disk.apply(record);
  expect(disk.current()).toEqual(new Map([["c", Buffer.from("Hello wor!")]]));
  expect(readFileSync(join(run.root, "data/c"), "utf8")).toBe("Hello wor!");
  const syncs = records.filter(({ kind }) => kind.startsWith("sync"));
  expect(syncs.map(({ kind }) => kind)).toEqual(["sync-begin", "sync-end"]);
  expect(records.map(({ kind }) => kind)).toContain("unlink");
});

test.skipIf(lacksShim)("reports and writes stand in the trace in their order", async () => {
  const script = `
    const fs = require("node:fs");
    const file = fs.openSync(process.env.ROOT + "/data-a", "w");
    fs.writeSync(1, "before\\n");
    fs.writeSync(file, "x");
    fs.writeSync(1, "after\\n");
  `;
  await using run = await runWithShim(script, (root) => ({
    TORTURE_ROOT: root,
    TORTURE_TRACE: `${root}.trace`,
    TORTURE_REPORT_FD: "1",
  }));
  const records = readTrace(`${run.root}.trace`);
  rmSync(`${run.root}.trace`);
  expect(run.stdout).toBe("before\nafter\n");
  expect(records).toMatchObject([
    { kind: "create", path: "data-a" },
    { kind: "report", text: "before\n" },
    { kind: "write", offset: 0 },
    { kind: "report", text: "after\n" },
  ]);
});

test.skipIf(lacksShim)(
  "a quota makes the disk full to the block, until something is freed",
  async () => {
    const script = `
    const fs = require("node:fs");
    const file = fs.openSync(process.env.ROOT + "/data/a", "w");
    const attempt = (bytes) => {
      try { return fs.writeSync(file, Buffer.alloc(bytes)); } catch (error) { return error.code; }
    };
    const answers = [attempt(5000), attempt(5000), attempt(1)];
    fs.ftruncateSync(file, 100);
    answers.push(fs.writeSync(file, Buffer.alloc(10), 0, 10, 0));
    fs.writeFileSync(process.env.ROOT + "/data/b", "fits again");
    fs.writeFileSync(process.env.ROOT + "/elsewhere", Buffer.alloc(100000));
    console.log(JSON.stringify(answers));
  `;
    await using run = await runWithShim(
      `require("node:fs").mkdirSync("data");${script}`,
      (root) => {
        writeFileSync(`${root}/quota`, new BigInt64Array([8192n, 0n, 0n]));
        return { TORTURE_ROOT: `${root}/data`, TORTURE_QUOTA: `${root}/quota` };
      },
    );
    expect(JSON.parse(run.stdout)).toEqual([5000, 3192, "ENOSPC", 10]);
    const quota = new BigInt64Array(new Uint8Array(readFileSync(join(run.root, "quota"))).buffer);
    // Node tries to write the rest of a short write: one refusal more.
    expect([...quota]).toEqual([8192n, 8192n, 3n]);
  },
);

test.skipIf(lacksShim)("FSYNC_DELAY_MS slows every sync", async () => {
  const script = `
    const fs = require("node:fs");
    const file = fs.openSync("a", "w");
    const start = performance.now();
    fs.fsyncSync(file);
    fs.fdatasyncSync(file);
    console.log(performance.now() - start);
  `;
  await using run = await runWithShim(script, () => ({ FSYNC_DELAY_MS: "30" }));
  expect(Number(run.stdout)).toBeGreaterThanOrEqual(60);
});

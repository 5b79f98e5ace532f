import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

// A short torture on every test run; `npm run torture -- api-server` is the long one.

const program = fileURLToPath(new URL("../main.ts", import.meta.url));
/** For what hangs: the parts notice that themselves before. */
const timeout = 300_000;

function torture(...args: string[]): Promise<{ code: unknown; output: string }> {
  const options = { env: { ...process.env, NODE_OPTIONS: "" } };
  const nodeArgs = ["--conditions=@homeostat/source", program, "api-server", ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, nodeArgs, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr });
    });
  });
}

test("a server keeps its promises when it is killed under load", { timeout }, async () => {
  const { code, output } = await torture("--kills", "3");
  expect(output).toContain("\n0 violations");
  expect(code).toBe(0);
});

test("a server that lost acknowledged writes is found", { timeout }, async () => {
  const { code, output } = await torture("--kills", "7", "--plant", "roll-back");
  expect(output).toMatch(/revision-went-back|acknowledged-write-lost/);
  expect(code).toBe(1);
});

test("a watcher that misses one event is found", { timeout }, async () => {
  const { code, output } = await torture("--kills", "2", "--plant", "drop-event");
  expect(output).toContain("watch-gap");
  expect(code).toBe(1);
});

test("a command line that makes no sense ends with code 2 and the help", { timeout }, async () => {
  const { code, output } = await torture("--plant", "nothing");
  expect(output).toContain("--plant expects roll-back or drop-event or repeat-event, got nothing");
  expect(output).toContain("npm run torture -- api-server --kills 50");
  expect(code).toBe(2);
});

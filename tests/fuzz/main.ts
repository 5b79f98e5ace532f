/**
 * `npm run fuzz -- <target>`: see command-line.ts for the options and fuzz-target.ts for what a target
 * is. The cases run in a worker, so that one that never ends is noticed, saved and told.
 */

import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { realClock, seededRandom } from "@homeostat/concurrency";
import { type FuzzCommand, help, parseCommand, UsageError } from "./command-line.ts";
import { type Finding, judge } from "./fuzzer.ts";
import { targets } from "./targets.ts";
import type { WatchedWork } from "./watched-run.ts";

/** Beyond what any case may take, and what a busy machine makes of it. */
const HANGS = 10_000;
const MOST_BYTES = 1024 * 1024;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(args: readonly string[]): Promise<number> {
  const command = parseCommand(args);
  if (command.action === "help") {
    print(help);
    return 0;
  }
  return command.action === "input" ? tryInput(command) : run(command);
}

async function tryInput({ target, file }: FuzzCommand & { action: "input" }): Promise<number> {
  await using opened = await targets.get(target)!();
  const reason = await judge(opened, readFileSync(file), seededRandom(0));
  print(reason ?? "every law holds");
  return reason === undefined ? 0 : 1;
}

async function run({
  target,
  seed,
  from,
  seconds,
}: FuzzCommand & { action: "fuzz" }): Promise<number> {
  print(`fuzzing ${target} for ${seconds} s, seed ${seed} (repeat with --seed ${seed})`);
  const work: WatchedWork = {
    target,
    seed,
    from,
    seconds,
    head: new SharedArrayBuffer(8),
    bytes: new SharedArrayBuffer(MOST_BYTES),
  };
  const { cases, finding } = await watched(work);
  if (finding === undefined) {
    print(`${cases} cases, every law held`);
    return 0;
  }
  const file = `fuzz-${target}-${seed}-${finding.number}.bin`;
  writeFileSync(file, finding.input);
  print(`\nBROKEN: ${finding.reason}`);
  print(`input (${finding.input.length} bytes, written to ${file}):`);
  print(JSON.stringify(Buffer.from(finding.input).toString("latin1")).slice(0, 2000));
  print(`again: npm run fuzz -- ${target} --seed ${seed} --case ${finding.number}`);
  return 1;
}

interface Outcome {
  readonly cases: number;
  readonly finding?: Finding;
}

/** Ends with the worker, or without it when one case takes too long. */
async function watched(work: WatchedWork): Promise<Outcome> {
  const worker = new Worker(new URL("watched-run.ts", import.meta.url), { workerData: work });
  const answered = once(worker, "message").then(([outcome]) => outcome as Outcome);
  const outcome = await Promise.race([answered, hanging(work)]);
  await worker.terminate();
  return outcome;
}

async function hanging({ head, bytes, seed }: WatchedWork): Promise<Outcome> {
  const shared = new Uint32Array(head);
  for (let seen = 0, since = realClock.monotonic(); ; ) {
    await new Promise<void>((resolve) => realClock.setTimer(250, resolve).unref());
    const now = realClock.monotonic();
    if (shared[0] !== seen) [seen, since] = [shared[0]!, now];
    if (seen === 0 || now - since < HANGS) continue;
    const input = Uint8Array.from(new Uint8Array(bytes).subarray(0, shared[1]));
    const reason = `did not end within ${HANGS} ms`;
    return { cases: seen, finding: { seed, number: seen - 1, input, reason } };
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n\n${help}`);
  process.exitCode = 2;
}

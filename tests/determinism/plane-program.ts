/**
 * Runs toy planes in a process of its own, where every banned global can be made to throw, and
 * prints what came of it as JSON. `toy-plane.test.ts` starts it: plane-program.ts COMMAND [ORDER]
 */
import { sleep } from "@homeostat/concurrency";
import { BannedGlobalError, bannedGlobals, withoutBannedGlobals } from "./banned-globals.ts";
import type { Reconciler } from "./toy-controller.ts";
import { runToyPlane, type Timeline } from "./toy-plane.ts";
import { replicas, starter, status } from "./toy-reconcilers.ts";

/** Of seeds 0 to 999, in the order of the seeds whatever the order of the runs. */
export interface TimelinesReport {
  readonly timelines: readonly Timeline[];
}

/** What using each banned global came to before, during and after a run. */
export interface BansReport {
  readonly bans: readonly (readonly [name: string, ...outcomes: string[]])[];
  readonly isBackAfterFailure: boolean;
}

export interface CheatsReport {
  /** How runs ended in which a controller used this global. */
  readonly caught: Readonly<Record<string, string>>;
  /** Of five seeds run twice with a controller that kept real time: how many differed. */
  readonly differing: number;
}

async function timelines(order: string | undefined): Promise<TimelinesReport> {
  const seeds = Array.from({ length: 1_000 }, (_, seed) => seed);
  if (order === "descending") seeds.reverse();
  const found: Timeline[] = [];
  await withoutBannedGlobals(async () => {
    for (const seed of seeds) found[seed] = await runToyPlane(seed);
  });
  return { timelines: found };
}

async function bans(): Promise<BansReport> {
  const look = (): string[] => bannedGlobals.map(({ call }) => outcomeOf(call));
  const before = look();
  const during = await withoutBannedGlobals(() => Promise.resolve(look()));
  const after = look();
  const failing = withoutBannedGlobals(() => Promise.reject(new Error("the run failed")));
  await failing.catch(() => undefined);
  return {
    bans: bannedGlobals.map(({ name }, at) => [name, before[at]!, during[at]!, after[at]!]),
    isBackAfterFailure: look().every((outcome, at) => outcome === before[at]),
  };
}

function outcomeOf(call: () => unknown): string {
  try {
    call();
    return "works";
  } catch (error) {
    return error instanceof BannedGlobalError ? error.message.split(":")[0]! : "works";
  }
}

/** A starter that asks somebody else how long to wait. */
function cheating(delay: () => number): readonly Reconciler[] {
  const cheat: Reconciler = {
    name: "starter",
    async reconcile(app, world) {
      await sleep(world.clock, delay());
      return starter.reconcile(app, world);
    },
  };
  return [replicas, cheat, status];
}

async function cheats(): Promise<CheatsReport> {
  const caught: Record<string, string> = {};
  for (const path of ["Date.now", "performance.now", "Math.random"]) {
    const [holder, name] = path.split(".") as [string, string];
    const use = (): number =>
      (Reflect.get(Reflect.get(globalThis, holder) as object, name) as () => number)();
    const run = withoutBannedGlobals(() => runToyPlane(1, cheating(use)));
    caught[path] = await run.then(
      () => "not caught",
      (error: Error) => error.message.split(":")[0]!,
    );
  }
  const clock = Reflect.get(globalThis, "performance") as { now(): number };
  const kept = clock.now.bind(clock);
  const reconcilers = cheating(() => (kept() * 1_000) % 7);
  let differing = 0;
  await withoutBannedGlobals(async () => {
    for (let seed = 0; seed < 5; seed += 1) {
      const first = await runToyPlane(seed, reconcilers);
      const second = await runToyPlane(seed, reconcilers);
      if (first.hash !== second.hash) differing += 1;
    }
  });
  return { caught, differing };
}

const [command, order] = process.argv.slice(2);
const commands = { timelines, bans, cheats };
const chosen = commands[command as keyof typeof commands];
process.stdout.write(JSON.stringify(await chosen(order)));

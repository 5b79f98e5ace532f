import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SeededRandom } from "@homeostat/concurrency";
import type { PartResult, TortureContext } from "../torture-part.ts";
import type { CheckAnswer } from "./checker.ts";
import { CheckerProcess, checkReopened } from "./checker-process.ts";
import { damageFile } from "./damage.ts";
import { Oracle } from "./oracle.ts";
import type { Violation } from "./violation.ts";
import { WriterProcess } from "./writer-process.ts";

export interface FlipBytesOptions {
  readonly trials: number;
  readonly maxTime?: number | undefined;
}

/** What became of a damaged directory, where nothing was wrong. */
type Outcome =
  /** Everything acknowledged is there, and further writes are kept. */
  | "intact"
  /** StoreCorruptError; the files are as they were. */
  | "refused"
  /** The damage made it look like a file of a newer Homeostat: StoreVersionError. */
  | "refused as a newer version"
  /** Everything was there; damage in a part that reading does not touch was reported by a write. */
  | "reported by a later write";

/** The files that hold data. SQLite's index (-shm) and the lock's files are rebuilt by any opening. */
const dataFiles = ["store.db", "store.db-wal", "acknowledged"] as const;
/** How often each file is chosen, where it is there. */
const targets: readonly (readonly [file: string, weight: number])[] = [
  ["store.db", 4],
  ["store.db-wal", 4],
  ["acknowledged", 1],
  ["store.db-shm", 1],
  ["lock.db", 1],
  ["lock.db-journal", 1],
  ["lock-holder.json", 1],
];

interface Base {
  readonly name: string;
  readonly directory: string;
  readonly oracle: Oracle;
}

/**
 * Damages one file of a data directory in one place, then opens it. The store must show everything
 * that was acknowledged, or refuse with a clear error and leave the data as it is.
 */
export async function tortureByFlips(
  context: TortureContext,
  options: FlipBytesOptions,
): Promise<PartResult> {
  const random = context.random.fork("flip bytes");
  const deadline = performance.now() + (options.maxTime ?? Number.POSITIVE_INFINITY);
  const checker = new CheckerProcess(context.workspace);
  const bases = await makeBases(context, random);
  const outcomes = new Map<string, Map<Outcome, number>>();
  const violations: Violation[] = [];
  let trial = 0;
  while (trial < options.trials && performance.now() < deadline) {
    trial += 1;
    const luck = random.fork(trial);
    const base = bases[luck.below(bases.length)]!;
    const directory = context.workspace.newDirectory("flipped", "memory");
    cpSync(base.directory, directory, { recursive: true });
    const candidates = targets.flatMap(([name, weight]) =>
      existsSync(join(directory, name)) ? Array.from({ length: weight }, () => name) : [],
    );
    const file = candidates[luck.below(candidates.length)]!;
    const damage = damageFile(join(directory, file), luck);
    if (damage !== undefined) {
      const result = await judge({ checker, directory, oracle: base.oracle });
      if (typeof result === "string") {
        const counts = outcomes.get(file) ?? new Map<Outcome, number>();
        outcomes.set(file, counts.set(result, (counts.get(result) ?? 0) + 1));
      } else {
        const first = result[0]!;
        const detail = `${base.name}, ${file}, ${damage}: ${first.detail}`;
        violations.push({ kind: first.kind, detail });
      }
    }
    rmSync(directory, { recursive: true, force: true });
    context.progress(
      `${trial} of ${options.trials} damaged directories, ${violations.length} violations`,
    );
  }
  checker.stop();
  return {
    name: "flipped bytes",
    facts: [
      ["damaged directories", String(trial)],
      ...targets.map(([file]) => {
        const texts = [...(outcomes.get(file) ?? [])].map(([outcome, n]) => `${n} ${outcome}`);
        return [file, texts.join(", ") || "none"] as const;
      }),
    ],
    violations,
  };
}

async function judge(options: {
  checker: CheckerProcess;
  directory: string;
  oracle: Oracle;
}): Promise<Outcome | Violation[]> {
  const { checker, directory, oracle } = options;
  const before = fingerprint(directory);
  const answer = await checker.check(directory);
  if ("kind" in answer) return [answer];
  if (answer.type === "failed") return judgeFailure(answer, before, fingerprint(directory));
  const violations = oracle.check(answer.found);
  if (violations.length > 0) return violations;
  const later = checkReopened(answer);
  return later.length > 0 ? later : "intact";
}

function judgeFailure(
  answer: Extract<CheckAnswer, { type: "failed" }>,
  before: string,
  after: string,
): Outcome | Violation[] {
  const error = `${answer.name} ${answer.code}: ${answer.message}`;
  if (answer.at === "writing" && answer.name === "CommitFailedError")
    return "reported by a later write";
  if (answer.at !== "opening")
    return [{ kind: "unclear-error", detail: `${answer.at} failed with ${error}` }];
  if (answer.name !== "StoreCorruptError" && answer.name !== "StoreVersionError")
    return [{ kind: "unclear-error", detail: `opening failed with ${error}` }];
  if (before !== after) {
    const detail = `opening was refused (${error}), but the files changed: ${before} became ${after}`;
    return [{ kind: "files-changed", detail }];
  }
  return answer.name === "StoreVersionError" ? "refused as a newer version" : "refused";
}

function fingerprint(directory: string): string {
  const texts = dataFiles.map((name) => {
    const file = join(directory, name);
    // SQLite makes an empty write-ahead log to read a database: that is none.
    const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    if (bytes.length === 0) return `${name} absent`;
    return `${name} ${bytes.length} bytes ${createHash("sha1").update(bytes).digest("hex").slice(0, 8)}`;
  });
  return texts.join(", ");
}

/** Directories as they are found in life: new or with a past, killed or closed. */
async function makeBases(context: TortureContext, random: SeededRandom): Promise<Base[]> {
  const plans = [
    { name: "young, killed", lives: ["small killed"] },
    { name: "young, closed", lives: ["small closed"] },
    { name: "old, killed", lives: ["large closed", "small killed"] },
    { name: "old, closed", lives: ["large killed", "small closed"] },
  ] as const;
  const bases: Base[] = [];
  for (const plan of plans) {
    context.progress(`making a directory to damage: ${plan.name}`);
    const oracle = new Oracle();
    const directory = context.workspace.newDirectory("base");
    for (const [index, life] of plan.lives.entries()) {
      await live({ context, random, directory, oracle, life, incarnation: index + 1 });
    }
    bases.push({ name: plan.name, directory, oracle });
  }
  return bases;
}

async function live(options: {
  context: TortureContext;
  random: SeededRandom;
  directory: string;
  oracle: Oracle;
  life: `${"small" | "large"} ${"killed" | "closed"}`;
  incarnation: number;
}): Promise<void> {
  const { context, random, directory, oracle, life, incarnation } = options;
  const [profile, end] = life.split(" ") as ["small" | "large", "killed" | "closed"];
  const writer = new WriterProcess({ workspace: context.workspace });
  const begun = writer.next("answered");
  writer.start(
    {
      directory,
      seed: `${context.seed} ${directory.split("-").at(-1)} ${incarnation}`,
      incarnation,
      commitMode: "loop",
      profile,
      writers: 12,
      watchers: [],
      plant: undefined,
    },
    (report) => void oracle.hear(report),
  );
  await begun;
  await sleep(100 + random.below(200));
  if (end === "killed") writer.kill();
  else writer.tell("close");
  await writer.ended;
}

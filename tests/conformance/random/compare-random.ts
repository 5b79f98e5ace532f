import { seededRandom } from "@homeostat/concurrency";
import { type CanonicalStep, canonicalize } from "../canonical.ts";
import { compareRecordings, type Difference } from "../compare.ts";
import { judge, knownDifferences } from "../differences.ts";
import { describeStep, show, signatureOf } from "../report.ts";
import { runScenario } from "../run-scenario.ts";
import type { Scenario } from "../scenario.ts";
import type { Target } from "../target.ts";
import { install, sharedDefinitions, sharedGroup } from "./definitions.ts";
import { generateSequence } from "./generate-sequence.ts";
import { shrinkSequence } from "./shrink-sequence.ts";

export interface RandomOptions {
  readonly requests: number;
  readonly seed: string;
  /** For so many groups of differences the shortest sequence is sought. */
  readonly shrinks: number;
  readonly expected: Target;
  readonly got: Target;
  readonly print: (text: string) => void;
}

interface Group {
  readonly signature: string;
  readonly first: Difference;
  readonly sequence: Scenario;
  count: number;
}

const stepsEach = 30;
const inFlight = 4;
const CONFIRMATIONS = 3;

/** Replays random sequences on both servers; answers how many groups of unknown differences there are. */
export async function compareRandom(options: RandomOptions): Promise<number> {
  const { requests, seed, print } = options;
  const lockstep = new Lockstep(options);
  const sequences = Math.ceil(requests / stepsEach);
  const groups = new Map<string, Group>();
  const known: Difference[] = [];
  let next = 0;
  let compared = 0;
  const check = async (sequence: Scenario): Promise<void> => {
    const result = await lockstep.compare(sequence);
    compared += result.compared;
    const judged = judge(result.differences, knownDifferences);
    known.push(...judged.known);
    for (const difference of judged.unknown) gather(groups, sequence, difference);
  };
  const definitions = sharedDefinitions.flatMap((each) => install(each, sharedGroup));
  await check({ name: "definitions", steps: definitions });
  const worker = async (): Promise<void> => {
    for (let index = next++; index < sequences; index = next++) {
      const name = `${seed}/${index}`;
      const sequence = generateSequence(seededRandom(name), { name, length: stepsEach });
      await check(sequence);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  const sorted: Group[] = [];
  for (const group of groups.values()) {
    if (await lockstep.alwaysShows(group.sequence, group.signature)) sorted.push(group);
    else print(`seen only sometimes: ${group.first.path} (sequence ${group.first.scenario})`);
  }
  sorted.sort((a, b) => b.count - a.count);
  for (const [rank, group] of sorted.entries()) {
    const smallest =
      rank < options.shrinks
        ? await shrinkSequence(group.sequence, (s) => lockstep.shows(s, group.signature))
        : group.sequence;
    print(`${printGroup(group, smallest, rank < options.shrinks)}\n`);
  }
  const list = knownDifferences.filter(({ topic }) => topic === "random");
  const { stale } = judge(known, list);
  for (const { path, request, reason } of stale)
    print(`not seen: ${request ?? ""} ${path}: ${reason}`);
  print(
    `seed ${seed}: ${sequences * stepsEach} requests in ${sequences} sequences, ${compared} values compared, ` +
      `${sorted.length} groups of unknown differences, ${known.length} known differences`,
  );
  return sorted.length;
}

function gather(groups: Map<string, Group>, sequence: Scenario, difference: Difference): void {
  const signature = signatureWithin(sequence, difference);
  const group = groups.get(signature);
  if (group === undefined)
    groups.set(signature, { signature, first: difference, sequence, count: 1 });
  else group.count++;
}

/** The verb of the request, and what differs. */
function signatureWithin(sequence: Scenario, difference: Difference): string {
  const step = stepOf(sequence, difference.step);
  if (step === undefined || step.action === "pause" || step.action === "crowd")
    return signatureOf(difference);
  return `${step.action === "watch" ? "WATCH" : step.method} ${signatureOf(difference)}`;
}

function stepOf(sequence: Scenario, id: string): Scenario["steps"][number] | undefined {
  return sequence.steps.find((step) => step.action !== "pause" && step.id === id);
}

function printGroup(group: Group, smallest: Scenario, isShrunk: boolean): string {
  const { first, count } = group;
  const steps = isShrunk
    ? smallest.steps
    : smallest.steps.filter((s) => s.action !== "pause" && s.id === first.step);
  return [
    `${count}x ${first.path} (sequence ${first.scenario}, step ${first.step})`,
    ...steps.map(
      (step) => `  ${"id" in step ? `${step.id}: ` : ""}${describeStep(step).slice(0, 500)}`,
    ),
    `  expected ${show(first.expected)}`,
    `  got      ${show(first.got)}`,
  ].join("\n");
}

/**
 * Once an answer differs in more than its wording the servers hold different things, and what comes
 * later only follows from that.
 */
function untilDiverged(differences: readonly Difference[]): readonly Difference[] {
  const isWording = ({ path }: Difference): boolean =>
    /^(?:headers|body\.(?:message|details))/.test(path);
  const first = differences.find((each) => !isWording(each));
  if (first === undefined) return differences;
  const end = differences.findLastIndex((each) => each.step === first.step) + 1;
  return differences.slice(0, end);
}

function withRequest(
  difference: Difference,
  sequence: Scenario,
  answers: readonly CanonicalStep[],
): Difference {
  const step = stepOf(sequence, difference.step);
  if (step === undefined || step.action === "pause" || step.action === "crowd") return difference;
  const method = step.action === "watch" ? "WATCH" : step.method;
  const status = answers.find(({ id }) => id === difference.step)?.answer["status"];
  return { ...difference, request: `${method} ${step.path} (${JSON.stringify(status)})` };
}

/** One sequence on both servers at the same time, each in a namespace of its own. */
class Lockstep {
  readonly #options: RandomOptions;
  #runs = 0;

  constructor(options: RandomOptions) {
    this.#options = options;
  }

  async compare(
    sequence: Scenario,
  ): Promise<{ differences: readonly Difference[]; compared: number }> {
    const namespace = `r${String(++this.#runs).padStart(6, "0")}`;
    const [expected, got] = await Promise.all(
      [this.#options.expected, this.#options.got].map((target) =>
        runScenario(sequence, { target, namespace }),
      ),
    );
    const answers = canonicalize(expected!);
    const { differences, compared } = compareRecordings({
      topic: "random",
      scenario: sequence.name,
      expected: answers,
      got: canonicalize(got!),
    });
    const asked = untilDiverged(differences).map((each) => withRequest(each, sequence, answers));
    return { differences: asked, compared };
  }

  /**
   * Whether one difference shows again and again, nothing running beside. Some answers depend on which
   * second it is when they are made, so one that shows in some runs only tells nothing of a server.
   */
  async alwaysShows(sequence: Scenario, signature: string): Promise<boolean> {
    for (let run = 0; run < CONFIRMATIONS; run++) {
      if (!(await this.shows(sequence, signature))) return false;
    }
    return true;
  }

  async shows(sequence: Scenario, signature: string): Promise<boolean> {
    const { differences } = await this.compare(sequence);
    return differences.some((each) => signatureWithin(sequence, each) === signature);
  }
}

/**
 * `npm run compare`: the embedded API server beside a real kube-apiserver. Start at scenario.ts for
 * what is asked, canonical.ts for what counts as equal, differences.ts for what is known to differ.
 * The recorded answers in fixtures/ are replayed on the embedded server by replay.test.ts.
 */
import { KubeApiserverPeer } from "../../bench/harness/kube-apiserver-peer.ts";
import { type Command, help, parseCommand, UsageError } from "./command-line.ts";
import { compareRecordings, type Difference } from "./compare.ts";
import { judge, knownDifferences, printKnownDifferences } from "./differences.ts";
import { openEmbeddedTarget } from "./embedded-target.ts";
import { readFixture, writeFixture } from "./fixtures.ts";
import { runOpenApi } from "./openapi/run-openapi.ts";
import { openPeerTarget } from "./peer-target.ts";
import { compareRandom } from "./random/compare-random.ts";
import { printGroups, printRules } from "./report.ts";
import { runTopics, type ScenarioAnswers } from "./run-topics.ts";
import type { Scenario } from "./scenario.ts";
import type { AskedPlugins, Target } from "./target.ts";
import { type Topic, topics } from "./topics.ts";
import { runValidation, UnknownProbeError } from "./validation/run-validation.ts";

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const inFlight = 6;

async function main(args: readonly string[]): Promise<number> {
  const command = parseCommand(args);
  if (command.action === "help") print(help);
  else if (command.action === "differences") print(printKnownDifferences());
  else if (command.action === "replay") {
    const chosen = choose(command.only);
    return compare({ chosen, expected: await recordedAnswers(chosen), whole: command.only === "" });
  } else if (command.action === "validation" && (command.recorded || command.markdown)) {
    return runValidation(command, print);
  } else {
    const missing = KubeApiserverPeer.missingAssets();
    if (missing.length > 0) {
      throw new UsageError(
        `${missing.join(" and ")} missing: npm run assets -- ${missing.join(" ")}`,
      );
    }
    if (command.action === "validation") return runValidation(command, print);
    if (command.action === "openapi") return runOpenApi(command, print);
    return command.action === "random" ? random(command) : scenarios(command);
  }
  return 0;
}

async function scenarios(command: Command & { action: "scenarios" }): Promise<number> {
  const chosen = choose(command.only);
  const expected = await answersOf(openPeerTarget, chosen);
  if (command.record) {
    await record(expected);
    return 0;
  }
  return compare({ chosen, expected, whole: command.only === "" });
}

async function compare(work: {
  chosen: readonly Topic[];
  expected: readonly ScenarioAnswers[];
  /** Otherwise entries of the list of known differences may be silent. */
  whole: boolean;
}): Promise<number> {
  const { expected } = work;
  const got = await answersOf(openEmbeddedTarget, work.chosen);
  const { differences, compared } = compareAll(expected, got);
  const list = knownDifferences.filter(({ topic }) => topic !== "random");
  const { unknown, known, stale } = judge(differences, list);
  print(`${printRules()}\n`);
  print(printGroups(unknown));
  print(
    `\n${expected.length} scenarios, ${compared} values compared: ${unknown.length} unknown differences, ` +
      `${known.length} known, ${work.whole ? stale.length : 0} entries of the list not seen`,
  );
  return unknown.length > 0 ? 1 : 0;
}

async function random(command: Command & { action: "random" }): Promise<number> {
  await using peer = await openPeerTarget();
  await using ours = await openEmbeddedTarget();
  const found = await compareRandom({ ...command, expected: peer, got: ours, print });
  return found > 0 ? 1 : 0;
}

function answersOf(
  open: (plugins: AskedPlugins) => Promise<Target>,
  chosen: readonly Topic[],
): Promise<ScenarioAnswers[]> {
  return runTopics(chosen, { open, tag: "aaaa", inFlight });
}

async function recordedAnswers(chosen: readonly Topic[]): Promise<ScenarioAnswers[]> {
  const all = await Promise.all(
    chosen.map(async (topic) => {
      const fixture = await readFixture(topic.name);
      return topic.scenarios.map(({ name }) => ({
        topic: topic.name,
        scenario: name,
        steps: fixture.get(name) ?? [],
      }));
    }),
  );
  return all.flat();
}

/** What was not asked this time stays recorded, unless its scenario is gone. */
async function record(answers: readonly ScenarioAnswers[]): Promise<void> {
  for (const { name, scenarios: all } of topics) {
    const asked = answers.filter((each) => each.topic === name);
    if (asked.length === 0) continue;
    const known = new Map(await readFixture(name));
    for (const { scenario, steps } of asked) known.set(scenario, steps);
    const kept = all.flatMap(({ name: each }) => {
      const steps = known.get(each);
      return steps === undefined ? [] : [[each, steps] as const];
    });
    await writeFixture(name, new Map(kept));
    print(`${name}: ${asked.length} scenarios recorded`);
  }
}

function compareAll(
  expected: readonly ScenarioAnswers[],
  got: readonly ScenarioAnswers[],
): { differences: Difference[]; compared: number } {
  const parts = expected.map(({ topic, scenario, steps }, i) =>
    compareRecordings({ topic, scenario, expected: steps, got: got[i]?.steps ?? [] }),
  );
  return {
    differences: parts.flatMap((each) => each.differences),
    compared: parts.reduce((sum, each) => sum + each.compared, 0),
  };
}

function choose(only: string): Topic[] {
  return topics
    .map((topic) => chosenOf(topic, only))
    .filter(({ scenarios: all }) => all.length > 0);
}

function chosenOf(topic: Topic, only: string): Topic {
  const isChosen = ({ name }: Scenario): boolean => `${topic.name}/${name}`.includes(only);
  return { ...topic, scenarios: topic.scenarios.filter(isChosen) };
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UnknownProbeError) {
    process.stderr.write(`${error.message}\n`);
  } else if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${help}`);
  else throw error;
  process.exitCode = 2;
}

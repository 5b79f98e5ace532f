import { createHash } from "node:crypto";
import { type CanonicalStep, canonicalize } from "./canonical.ts";
import { runScenario } from "./run-scenario.ts";
import type { Scenario } from "./scenario.ts";
import type { AskedPlugins, Target } from "./target.ts";
import type { Topic } from "./topics.ts";

export interface RunTopicsOptions {
  /** How a server is had; those that topics need are opened one after the other. */
  readonly open: (plugins: AskedPlugins) => Promise<Target>;
  /** Distinguishes runs on the same server: a few small letters, always equally many. */
  readonly tag: string;
  readonly inFlight: number;
  readonly onDone?: (topic: string, scenario: string) => void;
}

export interface ScenarioAnswers {
  readonly topic: string;
  readonly scenario: string;
  readonly steps: readonly CanonicalStep[];
}

/** Runs all scenarios, some at the same time, and answers in their own order. */
export async function runTopics(
  topics: readonly Topic[],
  options: RunTopicsOptions,
): Promise<ScenarioAnswers[]> {
  const answers: ScenarioAnswers[] = [];
  const byPlugins = Map.groupBy(topics, ({ plugins }) => plugins ?? "NamespaceLifecycle");
  for (const [plugins, chosen] of byPlugins) {
    await using target = await options.open(plugins);
    // What plugins look up concerns the whole cluster: default classes, for example.
    const inFlight = plugins === "default" ? 1 : options.inFlight;
    answers.push(...(await runOn(target, chosen, { ...options, inFlight })));
  }
  return answers.toSorted((a, b) => placeOf(topics, a.topic) - placeOf(topics, b.topic));
}

function placeOf(topics: readonly Topic[], name: string): number {
  return topics.findIndex((each) => each.name === name);
}

async function runOn(
  target: Target,
  topics: readonly Topic[],
  options: RunTopicsOptions,
): Promise<ScenarioAnswers[]> {
  const jobs = topics.flatMap(({ name, scenarios }) =>
    scenarios.map((scenario) => ({ topic: name, scenario })),
  );
  const answers: ScenarioAnswers[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < jobs.length; index = next++) {
      const { topic, scenario } = jobs[index]!;
      const namespace = namespaceOf({ tag: options.tag, topic, scenario });
      const recording = await runScenario(scenario, { target, namespace });
      answers[index] = { topic, scenario: scenario.name, steps: canonicalize(recording) };
      options.onDone?.(topic, scenario.name);
    }
  };
  await Promise.all(Array.from({ length: options.inFlight }, worker));
  return answers;
}

/** The same for the same scenario in every run, but for the tag; always equally long. */
function namespaceOf(of: { tag: string; topic: string; scenario: Scenario }): string {
  const hash = createHash("sha256").update(`${of.topic}/${of.scenario.name}`).digest("hex");
  return `j${of.tag}-${hash.slice(0, 10)}`;
}

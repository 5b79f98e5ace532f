import { createHash } from "node:crypto";
import { type CanonicalStep, canonicalize } from "./canonical.ts";
import { runScenario } from "./run-scenario.ts";
import type { Scenario } from "./scenario.ts";
import type { Target } from "./target.ts";
import type { Topic } from "./topics.ts";

export interface RunTopicsOptions {
  readonly target: Target;
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
  const jobs = topics.flatMap(({ name, scenarios }) =>
    scenarios.map((scenario) => ({ topic: name, scenario })),
  );
  const answers: ScenarioAnswers[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < jobs.length; index = next++) {
      const { topic, scenario } = jobs[index]!;
      const namespace = namespaceOf({ tag: options.tag, topic, scenario });
      const recording = await runScenario(scenario, { target: options.target, namespace });
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

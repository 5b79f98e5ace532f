import { compareRecordings } from "./compare.ts";
import { type Judgement, judge, knownDifferences } from "./differences.ts";
import { readFixture } from "./fixtures.ts";
import { runTopics } from "./run-topics.ts";
import type { AskedPlugins, Target } from "./target.ts";
import { topics } from "./topics.ts";

const inFlight = 12;

/** All scenarios, judged topic by topic against the recorded answers of kube-apiserver. */
export async function replay(
  open: (plugins: AskedPlugins) => Promise<Target>,
): Promise<Map<string, Judgement>> {
  const answers = await runTopics(topics, { open, tag: "aaaa", inFlight });
  const judgements = new Map<string, Judgement>();
  for (const { name } of topics) {
    const fixture = await readFixture(name);
    const differences = answers
      .filter((each) => each.topic === name)
      .flatMap(({ scenario, steps }) => {
        const expected = fixture.get(scenario);
        if (expected === undefined) {
          throw new Error(
            `Nothing is recorded for "${scenario}": npm run compare -- scenarios --record`,
          );
        }
        return compareRecordings({ topic: name, scenario, expected, got: steps }).differences;
      });
    const list = knownDifferences.filter((each) => each.topic === name);
    judgements.set(name, judge(differences, list));
  }
  return judgements;
}

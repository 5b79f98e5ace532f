import type { Scenario } from "../scenario.ts";

/** The shortest sequence found, by leaving out steps, that still `shows` what the given one shows. */
export async function shrinkSequence(
  sequence: Scenario,
  shows: (sequence: Scenario) => Promise<boolean>,
): Promise<Scenario> {
  let best = sequence;
  for (let size = Math.ceil(best.steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = best.steps.length - size; from > -size; from -= size) {
      const start = Math.max(0, from);
      const steps = best.steps.toSpliced(start, size);
      if (steps.length === 0 || steps.length === best.steps.length) continue;
      const smaller = { ...best, steps };
      if (await shows(smaller)) best = smaller;
    }
  }
  return best;
}

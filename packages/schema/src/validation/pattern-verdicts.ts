import type { WorkSteps } from "@homeostat/cel";
import type { Pattern } from "./pattern.ts";

/** Whether long texts match, remembered between two walks over the same value. */
export class PatternVerdicts {
  #known: Map<Pattern, Map<string, boolean>> | undefined;

  *matches(pattern: Pattern, text: string): WorkSteps<boolean> {
    const known = (this.#known ??= new Map());
    let verdicts: Map<string, boolean> | undefined = known.get(pattern);
    if (verdicts === undefined) {
      verdicts = new Map();
      known.set(pattern, verdicts);
    }
    let verdict = verdicts.get(text);
    if (verdict === undefined) {
      verdict = yield* pattern.matchesInSteps(text);
      verdicts.set(text, verdict);
    }
    return verdict;
  }
}

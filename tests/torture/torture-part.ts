import type { SeededRandom } from "@homeostat/concurrency";
import type { Violation } from "./store/violation.ts";
import type { Workspace } from "./workspace.ts";

/** What every part of a torture run is given. */
export interface TortureContext {
  readonly workspace: Workspace;
  /** Printed at the start; decides every choice that does not depend on real time. */
  readonly seed: string;
  readonly random: SeededRandom;
  /** Replaces the line that tells how far the part is. */
  readonly progress: (text: string) => void;
}

export interface PartResult {
  readonly name: string;
  /** Rows of the final table. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly violations: readonly Violation[];
}

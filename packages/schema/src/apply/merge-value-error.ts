/** One way in which a value does not fit its type. */
export interface ValueProblem {
  /** `.spec.ports[port=80]`, as messages show it; "" for the whole value. */
  readonly path: string;
  readonly detail: string;
}

/** A value does not fit the type it is merged as. */
export class MergeValueError extends Error {
  override readonly name: string = "MergeValueError";
  readonly code = "merge-value";
  readonly problems: readonly ValueProblem[];

  /** `failure` says what failed for it. */
  constructor(problems: readonly ValueProblem[], failure = "") {
    super(failure === "" ? printProblems(problems) : `${failure}: ${printProblems(problems)}`);
    this.problems = problems;
  }
}

function printProblems(problems: readonly ValueProblem[]): string {
  const lines = problems.map(({ path, detail }) => (path === "" ? detail : `${path}: ${detail}`));
  return lines.length === 1
    ? lines[0]!
    : ["errors:", ...lines.map((line) => `  ${line}`)].join("\n");
}

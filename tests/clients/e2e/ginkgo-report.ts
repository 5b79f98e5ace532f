/** What Ginkgo's JSON report says, as far as a comparison of two runs needs it. */

export interface SpecResult {
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly seconds: number;
  /** What failed, or why it was skipped; else empty. */
  readonly message: string;
}

interface GinkgoSpec {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly State: string;
  readonly RunTime: number;
  readonly NumAttempts: number;
  readonly Failure?: {
    readonly Message?: string;
    readonly Location?: { readonly FileName: string; readonly LineNumber: number };
  };
}

/**
 * The tests that were begun, by name, and the nodes around them that failed. A test that skipped itself
 * counts, one that was never wanted does not.
 */
export function readReport(text: string): readonly SpecResult[] {
  const suites = JSON.parse(text) as readonly { readonly SpecReports: readonly GinkgoSpec[] }[];
  return suites
    .flatMap(({ SpecReports }) => SpecReports)
    .filter(({ LeafNodeType, NumAttempts, State }) =>
      LeafNodeType === "It" ? NumAttempts > 0 : State !== "passed",
    )
    .map(resultOf)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function resultOf(spec: GinkgoSpec): SpecResult {
  const { ContainerHierarchyTexts, LeafNodeType, LeafNodeText, State, RunTime, Failure } = spec;
  const isTest = LeafNodeType === "It";
  const { FileName, LineNumber } = Failure?.Location ?? { FileName: "", LineNumber: 0 };
  const place = FileName === "" ? "" : ` (${FileName}:${LineNumber})`;
  return {
    name: isTest ? [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(" ") : LeafNodeType,
    state: State === "passed" || State === "skipped" ? State : "failed",
    seconds: RunTime / 1e9,
    message: State === "passed" ? "" : `${Failure?.Message ?? State}${place}`,
  };
}

/** A table: a line for each interest group, a pair of columns for each run. */
export function summaryLines(runs: ReadonlyMap<string, readonly SpecResult[]>): readonly string[] {
  const all = [...runs.values()];
  const groups = [...new Set(all.flat().map(groupOf))].sort();
  const row = (label: string, cells: readonly string[]): string =>
    `${label.padEnd(24)}${cells.map((cell) => cell.padStart(32)).join("")}`;
  return [
    row("passed/failed/skipped", [...runs.keys()]),
    ...groups.map((group) =>
      row(
        group,
        all.map((results) => countsOf(results.filter((each) => groupOf(each) === group))),
      ),
    ),
    row("all", all.map(countsOf)),
  ];
}

function groupOf({ name }: SpecResult): string {
  return /^\[(sig-[a-z-]+)\]/.exec(name)?.[1] ?? name;
}

function countsOf(results: readonly SpecResult[]): string {
  const count = (state: SpecResult["state"]): number =>
    results.filter((each) => each.state === state).length;
  const seconds = results.reduce((sum, each) => sum + each.seconds, 0);
  return `${count("passed")}/${count("failed")}/${count("skipped")} in ${seconds.toFixed(0)} s`;
}

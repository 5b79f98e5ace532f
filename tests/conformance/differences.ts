/**
 * Where the embedded server is known to answer differently from kube-apiserver, and why. The replay
 * test fails for a difference that is not here and for an entry that no longer happens; the table in
 * docs/reference/differences.md is printed from this list (`npm run compare -- differences`).
 */
import type { Difference } from "./compare.ts";

export interface KnownDifference {
  readonly topic: string;
  /** `*` stands for any characters here and below. */
  readonly scenario: string;
  readonly step: string;
  readonly path: string;
  /** What kube-apiserver answers there, as JSON. Default: anything. */
  readonly expected?: string;
  readonly reason: string;
}

const VALUES =
  "Values are not validated yet (required fields, ranges, formats, combinations): they come with admission and validation.";
const SECRET_ORDER =
  "An update of a Secret that changes its type and names an unqualified finalizer is refused with the same causes in another order.";
const NUMBERS =
  "Numbers are read as JSON.parse reads them: `1e2`, `3.0` and `-0` are 100, 3 and 0 by then, and `1e400` is refused before its place is known.";
const LATER =
  "Comes with the feature that uses it: roles, flow control and the aggregator are not there yet.";
const VERSION = "The suffix says whose server it is.";

const random = (path: string, expected: string, reason: string): KnownDifference => ({
  topic: "random",
  scenario: "*",
  step: "*",
  path,
  expected,
  reason,
});

/** What kube-apiserver says of values, in the kinds that random requests are about. */
const valueTexts: readonly string[] = [
  "Required value",
  "must be greater than or equal to",
  "does not match template",
  "cannot be both set",
  "empty selector is invalid",
  "must be a standard resource",
  "must be a valid IP address",
  "must consist of lower case alphanumeric characters",
  "spec.selector.matchLabels",
  "provisioner: Invalid value",
  "restartPolicy: Unsupported value",
  "apiVersion must specify API group",
];

export const knownDifferences: readonly KnownDifference[] = [
  {
    topic: "field-validation",
    scenario: "wrong types in bigger objects",
    step: "*",
    path: "answer",
    expected: "*cannot unmarshal number*",
    reason: NUMBERS,
  },
  {
    topic: "field-validation",
    scenario: "wrong types in bigger objects",
    step: "*",
    path: "answer",
    expected: "*must be greater than or equal to 0*",
    reason: VALUES,
  },
  {
    topic: "values",
    scenario: "61 quantities as numbers, and no quantities",
    step: "*",
    path: "answer",
    expected: '*"status":422*',
    reason: VALUES,
  },
  { topic: "values", scenario: "numbers at the edges", step: "*", path: "*", reason: NUMBERS },
  {
    topic: "requests",
    scenario: "a method that nobody knows",
    step: "*",
    path: "answer",
    reason: "Node's HTTP/1.1 parser refuses methods that it does not know before anybody is asked.",
  },
  {
    topic: "requests",
    scenario: "bodies in YAML",
    step: "*",
    path: "body.message",
    expected: "*yaml: line*",
    reason: "The YAML parser is another one, with its own words for what is wrong and where.",
  },
  {
    topic: "requests",
    scenario: "404 and 409 and 422 name what they are about",
    step: "*",
    path: "answer",
    expected: "*Required value*",
    reason: VALUES,
  },
  {
    topic: "discovery",
    scenario: "discovery in one document",
    step: "*",
    path: "answer",
    reason: "Aggregated discovery comes later; clients fall back to one request for each version.",
  },
  { topic: "discovery", scenario: "version", step: "*", path: "body.gitVersion", reason: VERSION },
  { topic: "bootstrap", scenario: "roles", step: "*", path: "answer", reason: LATER },
  { topic: "bootstrap", scenario: "flow control", step: "*", path: "answer", reason: LATER },
  { topic: "bootstrap", scenario: "API services", step: "*", path: "answer", reason: LATER },
  ...valueTexts.flatMap((text) => [
    random("answer", `{"status":422,*${text}*`, VALUES),
    random("body.message", `*${text}*`, VALUES),
    random("body.details.causes*", `*${text}*`, VALUES),
  ]),
  random(
    "body.metadata.resourceVersion",
    '"abc"',
    "A dry run of a create does not repeat a resourceVersion that the new object cannot have.",
  ),
  random(
    "body.metadata.resourceVersion",
    '"1"',
    "A dry run of a create does not repeat a resourceVersion that the new object cannot have.",
  ),
  random("body.details.causes*", '"type"', SECRET_ORDER),
  random("body.details.causes*", '"metadata.finalizers*', SECRET_ORDER),
  random("body.details.causes*", '*: field is immutable"', SECRET_ORDER),
  random("body.details.causes*", '*nor is it fully qualified"', SECRET_ORDER),
  random(
    "body.spec.internalTrafficPolicy",
    '"Cluster"',
    "Of a service that became an ExternalName, kube-apiserver shows a field it hides elsewhere when the status is written.",
  ),
];

export interface Judgement {
  /** Differences that nothing in the list explains. */
  readonly unknown: readonly Difference[];
  /** Entries of the list that explained nothing. */
  readonly stale: readonly KnownDifference[];
  readonly known: readonly Difference[];
}

export function judge(
  differences: readonly Difference[],
  list: readonly KnownDifference[] = knownDifferences,
): Judgement {
  const matchers = list.map((entry) => ({ entry, matches: matcherOf(entry), used: false }));
  const unknown: Difference[] = [];
  const known: Difference[] = [];
  for (const difference of differences) {
    const found = matchers.filter(({ matches }) => matches(difference));
    for (const each of found) each.used = true;
    (found.length > 0 ? known : unknown).push(difference);
  }
  const stale = matchers.filter(({ used }) => !used).map(({ entry }) => entry);
  return { unknown, known, stale };
}

/** A Markdown table, one row for each reason. */
export function printKnownDifferences(list: readonly KnownDifference[] = knownDifferences): string {
  const byReason = Map.groupBy(list, ({ reason }) => reason);
  const rows = [...byReason].map(([reason, entries]) => {
    const where = entries.map((each) => `${each.topic}: ${each.scenario}, \`${each.path}\``);
    return `| ${reason} | ${[...new Set(where)].join("<br>")} |`;
  });
  return ["| what differs, and why | where it shows |", "| --- | --- |", ...rows].join("\n");
}

function matcherOf(entry: KnownDifference): (difference: Difference) => boolean {
  const topic = pattern(entry.topic);
  const scenario = pattern(entry.scenario);
  const step = pattern(entry.step);
  const path = pattern(entry.path);
  const expected = pattern(entry.expected ?? "*");
  return (difference) =>
    topic.test(difference.topic) &&
    scenario.test(difference.scenario) &&
    step.test(difference.step) &&
    path.test(difference.path) &&
    expected.test(JSON.stringify(difference.expected) ?? "nothing");
}

function pattern(text: string): RegExp {
  return new RegExp(`^${text.split("*").map(escapeRegExp).join(".*")}$`, "s");
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

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
  /** Of random sequences, what was asked and kube-apiserver's status: `PUT /api/* (200)`. */
  readonly request?: string;
  readonly reason: string;
}

const OTHER_KIND =
  "An object of another kind than its path is refused for that alone; kube-apiserver also tells what its rules find wrong with it.";
const OTHER_VERSION =
  "A custom resource of another version than its path is refused for that before unknown fields are looked for.";
const NUMBERS =
  "Numbers are read as JSON.parse reads them: `1e2`, `3.0` and `-0` are 100, 3 and 0 by then, and `1e400` is refused before its place is known.";
const VERSION = "The suffix says whose server it is.";

const random = (entry: Omit<KnownDifference, "topic" | "scenario" | "step">): KnownDifference => ({
  topic: "random",
  scenario: "*",
  step: "*",
  ...entry,
});

export const knownDifferences: readonly KnownDifference[] = [
  {
    topic: "field-validation",
    scenario: "wrong types in bigger objects",
    step: "*",
    path: "answer",
    expected: "*cannot unmarshal number*",
    reason: NUMBERS,
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
    topic: "expressions",
    scenario: "54 lists and sets",
    step: "2",
    path: "*",
    reason:
      "`distinct` and `sort` of what is missing make kube-apiserver's CEL fail inside (interface conversion); here they say which key is missing.",
  },
  { topic: "discovery", scenario: "version", step: "*", path: "body.gitVersion", reason: VERSION },
  {
    topic: "apply",
    scenario: "custom: an applied scale",
    step: "*",
    path: "answer",
    expected: "*request to convert CR to an invalid group/version*",
    reason: "kube-apiserver fails to apply the Scale of a custom resource; here it is applied.",
  },
  random({
    path: "answer",
    request: "P* /api/v1/namespaces/*/services/*/status (*)",
    reason:
      "Writing the status of a service that is not there makes one without addresses on kube-apiserver; here it is not found.",
  }),
  random({
    path: "answer",
    expected: "*not found*",
    request: "GET /apis/*.example.com/*/a/b (404)",
    reason: "A path below a subresource is no path at all here, also of custom resources.",
  }),
  random({
    path: "headers",
    expected: "*unknown field*",
    request: "P* /apis/*.example.com/* (400)",
    reason: OTHER_VERSION,
  }),
  random({
    path: "body.message",
    expected: "*strict decoding error: unknown field*",
    request: "P* /apis/*.example.com/* (400)",
    reason: OTHER_VERSION,
  }),
  random({
    path: "body.message",
    expected: "*must be *",
    request: "P* /apis/*.example.com/* (422)",
    reason: OTHER_KIND,
  }),
  random({
    path: "body.details.causes{length}",
    expected: "*must be *",
    request: "P* /apis/*.example.com/* (422)",
    reason: OTHER_KIND,
  }),
  random({
    path: "body.details.name",
    expected: "*gen-*",
    request: "POST /apis/*.example.com/* (422)",
    reason: OTHER_KIND,
  }),
  random({
    path: "events{length}",
    request: "WATCH */endpoints (200)",
    reason: "Endpoints go with their service even if they have finalizers.",
  }),
  random({
    path: "body.metadata.resourceVersion",
    expected: '"rv*"',
    request: "P* /api/v1/namespaces/*/persistentvolumeclaims/* (200)",
    reason:
      "kube-apiserver keeps a new claim without its phase, so that the first update is a write even if it changes nothing.",
  }),
  random({
    path: "body.metadata.resourceVersion",
    expected: '"rv*"',
    request: "P* /apis/batch/v1/namespaces/*/jobs/* (200)",
    reason:
      "kube-apiserver keeps a job that an apply made in a form that the first update replaces, so that this is a write even if it changes nothing.",
  }),
  random({
    path: "body.metadata.resourceVersion",
    expected: '"rv*"',
    request: "PATCH /apis/random.example.com/v1/namespaces/*/widgets/a (200)",
    reason:
      "kube-apiserver keeps what a write of the scale added without its defaults, so that the first update is a write even if it changes nothing.",
  }),
  random({
    path: "body.spec.internalTrafficPolicy",
    expected: '"Cluster"',
    request: "* /api/v1/namespaces/*/services/*",
    reason:
      "Of a service that became an ExternalName, kube-apiserver shows a field it hides elsewhere when the status is read or written or the service deleted.",
  }),
  random({
    path: "body.metadata.resourceVersion",
    request: "POST /api/v1/namespaces/*/services (201)",
    reason:
      "A service and the endpoints of its name are deleted in one step, at one version; kube-apiserver deletes them one after the other.",
  }),
  random({
    path: "body.metadata.resourceVersion",
    request: "PUT /api/v1/namespaces/*/services/* (200)",
    reason:
      "Of a service that became an ExternalName, kube-apiserver keeps a field that it hides, so the next update that changes nothing still writes.",
  }),
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
  const request = pattern(entry.request ?? "*");
  return (difference) =>
    topic.test(difference.topic) &&
    scenario.test(difference.scenario) &&
    step.test(difference.step) &&
    path.test(difference.path) &&
    request.test(difference.request ?? "") &&
    expected.test(JSON.stringify(difference.expected) ?? "nothing");
}

function pattern(text: string): RegExp {
  return new RegExp(`^${text.split("*").map(escapeRegExp).join(".*")}$`, "s");
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** What a comparison found, as text: the rules it went by, then differences grouped by their likeness. */
import type { JsonValue } from "@homeostat/object-model";
import { comparedHeaders, ignoredFields, ignoredHeaders } from "./canonical.ts";
import type { Difference } from "./compare.ts";
import type { Step } from "./scenario.ts";
import { topics } from "./topics.ts";

export function printRules(): string {
  return [
    "Resource versions are compared by order, uids and generated names by renaming, times by form,",
    "everything else literally, the order of keys included.",
    `Both run with NamespaceLifecycle as their only admission plugin, but for these topics: ${admissionTopics()}.`,
    `Headers compared: ${comparedHeaders.join(", ")}.`,
    "Not compared:",
    ...[...ignoredFields, ...ignoredHeaders].map(({ field, reason }) => `  ${field}: ${reason}`),
  ].join("\n");
}

function admissionTopics(): string {
  const all = topics.filter(({ plugins }) => plugins === "default");
  return all.map(({ name }) => name).join(", ");
}

/** Differences with the same path up to indexes and alike values are one group. */
export function printGroups(differences: readonly Difference[]): string {
  const groups = Map.groupBy(differences, signatureOf);
  const sorted = [...groups.values()].sort((a, b) => b.length - a.length);
  return sorted
    .map((group) => {
      const first = group[0]!;
      const others = [...new Set(group.slice(1).map(placeOf))].slice(0, 4);
      return [
        `${group.length}x ${first.path}`,
        `  request  ${requestOf(first)}`,
        `  expected ${show(first.expected)}`,
        `  got      ${show(first.got)}`,
        `  at ${placeOf(first)}`,
        ...(others.length > 0 ? [`  also ${others.join("; ")}`] : []),
      ].join("\n");
    })
    .join("\n\n");
}

/** The request of a step as the scenario writes it. */
function requestOf({ topic, scenario, step }: Difference): string {
  const steps = topics
    .find((each) => each.name === topic)
    ?.scenarios.find((each) => each.name === scenario)?.steps;
  const found = steps === undefined ? undefined : numbered(steps).get(step);
  if (found === undefined) return "unknown";
  return show(describeStep(found), 400);
}

export function describeStep(step: Step): string {
  if (step.action === "pause") return "pause";
  if (step.action === "crowd") return `${step.requests.length} requests at once`;
  const query = step.query === undefined ? "" : ` ${JSON.stringify(step.query)}`;
  const type = step.headers?.["content-type"]?.replace("application/", "") ?? "";
  if (step.action === "watch") return `WATCH ${step.path}${query}`;
  const body = step.body === undefined ? "" : ` ${JSON.stringify(step.body)}`;
  return `${step.method} ${step.path}${query} ${type === "json" ? "" : type}${body}`;
}

/** Steps by the names they have when they run: steps without an id are counted. */
function numbered(steps: readonly Step[]): Map<string, Step> {
  const byName = new Map<string, Step>();
  let position = 0;
  const visit = (step: Step): void => {
    if (step.action === "pause") return;
    byName.set(step.id ?? String(++position), step);
    if (step.action === "watch") for (const each of step.during ?? []) visit(each);
  };
  for (const step of steps) visit(step);
  return byName;
}

function placeOf({ topic, scenario, step }: Difference): string {
  return `${topic} / ${scenario} / step ${step}`;
}

/** Likeness: quoted words, numbers and names of kinds do not count. */
export function signatureOf({ path, expected, got }: Difference): string {
  const general = (value: JsonValue | undefined): string =>
    show(value)
      .replaceAll(/\\"[^"\\]*\\"/g, "X")
      .replaceAll(/[0-9]+/g, "N")
      .replaceAll(/\b[A-Z][a-z]+[A-Z][A-Za-z]*\b/g, "K")
      .replaceAll(/\b[a-z]+(?:\.[a-z0-9]+)*\.K/g, "K")
      .slice(0, 140);
  return `${path.replaceAll(/\[\d+\]/g, "[]")} ${general(expected)} ${general(got)}`;
}

export function show(value: JsonValue | undefined, most = 700): string {
  if (value === undefined) return "nothing";
  const text = typeof value === "string" && most < 700 ? value : JSON.stringify(value);
  return text.length > most ? `${text.slice(0, most)}... (${text.length} characters)` : text;
}

import { readFileSync } from "node:fs";

/**
 * `outside`: fails on the real kube-apiserver too, once that is a program of its own. `differs`: passes
 * there, and fails on ours.
 */
type KnownSort = "outside" | "differs";

export interface KnownOutcome {
  readonly sort: KnownSort;
  readonly reason: string;
}

class KnownOutcomeError extends Error {
  override readonly name = "KnownOutcomeError";
  readonly code = "KNOWN_OUTCOME";
}

const LINE = /^(outside|differs) +(\S+) +(Test\S+) +(\S.*)$/;

/**
 * By package and test, as `apiserver/apply TestApply`, or parts of one, as `dryrun TestDryRun/pods*`: then the
 * rest of the test is to pass.
 */
export type KnownOutcomes = ReadonlyMap<string, KnownOutcome>;

export function readKnownOutcomes(text: string): KnownOutcomes {
  const known = new Map<string, KnownOutcome>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, sort, folder, test, reason] = LINE.exec(line) ?? [];
    if (reason === undefined) {
      throw new KnownOutcomeError(`expected "outside|differs PACKAGE TEST REASON", got "${line}"`);
    }
    const name = `${folder} ${test}`;
    if (known.has(name)) throw new KnownOutcomeError(`${name} is there twice`);
    known.set(name, { sort: sort as KnownSort, reason });
  }
  return known;
}

export function knownOutcomes(): KnownOutcomes {
  return readKnownOutcomes(readFileSync(new URL("known-outcomes.txt", import.meta.url), "utf8"));
}

/** The first that is known of a test or its parts. */
export function knownOf(known: KnownOutcomes, name: string): KnownOutcome | undefined {
  return known.get(name) ?? known.get(knownParts(known, name)[0] ?? "");
}

/** What `-test.skip` is to say so that a test runs without its known parts; empty: there are none. */
export function skipPattern(known: KnownOutcomes, name: string): string {
  return knownParts(known, name)
    .map((part) =>
      part
        .slice(part.indexOf(" ") + 1)
        .split("/")
        .map(exactly)
        .join("/"),
    )
    .join("|");
}

function knownParts(known: KnownOutcomes, name: string): readonly string[] {
  return [...known.keys()].filter((each) => each.startsWith(`${name}/`));
}

/** Go splits patterns at slashes and bars before it looks at them; our asterisk is anything. */
function exactly(text: string): string {
  return `^${text.replaceAll(/[\\^$.+?()[\]{}|]/g, "\\$&").replaceAll("*", ".*")}$`;
}

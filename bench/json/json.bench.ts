import { decodeJson, encodeJson, encodeJsonBytes, type JsonValue } from "@homeostat/object-model";
import { configMap, pod } from "./sample-objects.ts";

/**
 * The JSON codec beside native `JSON.parse` and `JSON.stringify`: both read or write the same thing
 * in alternating rounds, and the ratio is that of the medians. Every safety of the codec is on.
 * Ordinary objects are held to `AIM`; the hard ones leave the fast path and show what that costs.
 */
export async function run(): Promise<void> {
  const results = cases().map(measure);
  const losing = results.filter(({ group, ratio }) => group === "ordinary" && ratio > AIM);
  print([
    ["", "case", "native us", "ours us", "ratio"],
    ...results.map(({ group, name, native, ours, ratio }) => [
      group,
      name,
      microseconds(native),
      microseconds(ours),
      ratio.toFixed(2),
    ]),
  ]);
  console.log(
    losing.length === 0
      ? `\nEvery ordinary case is within ${AIM}x of native JSON.`
      : `\nNot within ${AIM}x of native JSON: ${losing.map(({ name }) => name).join("; ")}.`,
  );
}

/** What ordinary objects may cost, as a multiple of native JSON. */
const AIM = 1.2;
const ROUNDS = 41;
const ROUND_MICROSECONDS = 10_000;

interface Case {
  readonly group: "ordinary" | "hard";
  readonly name: string;
  readonly native: () => unknown;
  readonly ours: () => unknown;
}

interface Result extends Pick<Case, "group" | "name"> {
  /** Microseconds for one call, the median of the rounds. */
  readonly native: number;
  readonly ours: number;
  /** The median of the rounds' ratios: what disturbs a round disturbs both halves of it. */
  readonly ratio: number;
}

function cases(): Case[] {
  const list = { kind: "PodList", apiVersion: "v1", metadata: { resourceVersion: "1" } };
  const items = (count: number): unknown[] => Array.from({ length: count }, (_, i) => pod(i, 6));
  return [
    ...bothWays("ordinary", "ConfigMap", configMap(1)),
    ...bothWays("ordinary", "Pod", pod(1, 6)),
    ...bothWays("ordinary", "Pod", pod(1, 20)),
    ...bothWays("ordinary", "list of 300 pods", { ...list, items: items(300) }),
    ...bothWays("ordinary", "list of 1,000 pods", { ...list, items: items(1_000) }),
    ...asBytes("Pod", pod(1, 6)),
    ...hardCases(),
  ];
}

function bothWays(group: Case["group"], what: string, object: unknown): Case[] {
  const text = JSON.stringify(object);
  const value: unknown = JSON.parse(text);
  const name = `${what}, ${size(text)}`;
  return [
    decoding(group, name, text),
    {
      group,
      name: `encode ${name}`,
      native: () => JSON.stringify(value),
      ours: () => encodeJson(value),
    },
  ];
}

function decoding(group: Case["group"], name: string, source: string): Case {
  const text = flat(source);
  return {
    group,
    name: `decode ${name}`,
    native: () => JSON.parse(text) as unknown,
    ours: () => decodeJson(text),
  };
}

/** Native here is what one would write by hand between JSON and a socket. */
function asBytes(what: string, object: unknown): Case[] {
  const bytes = new TextEncoder().encode(JSON.stringify(object));
  const value: unknown = JSON.parse(JSON.stringify(object));
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const name = `${what}, ${size(JSON.stringify(object))}`;
  return [
    {
      group: "ordinary",
      name: `decode bytes of ${name}`,
      native: () => JSON.parse(decoder.decode(bytes)) as unknown,
      ours: () => decodeJson(bytes),
    },
    {
      group: "ordinary",
      name: `encode to bytes ${name}`,
      native: () => encoder.encode(JSON.stringify(value)),
      ours: () => encodeJsonBytes(value),
    },
  ];
}

function hardCases(): Case[] {
  const ordinary = JSON.stringify(pod(1, 6));
  const withBigInt = ordinary.replace('"priority":0', '"priority":9007199254740993');
  const withDuplicate = ordinary.replace('"priority":0', '"priority":0,"priority":1');
  const pairs = `{"text":"${"\\ud83d\\ude00 ".repeat(200)}"}`;
  return [
    reportingDuplicates("Pod without any", ordinary),
    reportingDuplicates("Pod with one", withDuplicate),
    decoding("hard", "Pod with an int64 beyond 2^53", withBigInt),
    encodingBigInt(decodeJson(withBigInt)),
    ...bothWays("hard", "lists 9,000 deep", JSON.parse("[".repeat(9_000) + "]".repeat(9_000))),
    ...bothWays(
      "hard",
      "__proto__ and the like",
      JSON.parse('{"__proto__":{"toJSON":"a"},"constructor":"b"}'),
    ),
    ...bothWays("hard", "many escapes", { text: 'say "hi"\n\\ \u0001 '.repeat(200) }),
    ...bothWays("hard", "Pod as JSON in an annotation", { annotations: { last: ordinary } }),
    decoding("hard", "escaped surrogate pairs", pairs),
    ...bothWays(
      "hard",
      "map of 1,000 keys",
      Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`key-${i * 7919}`, String(i)])),
    ),
    ...bothWays("hard", "null among 500 floats", [null, ...Array<number>(500).fill(0.5)]),
  ];
}

function reportingDuplicates(name: string, source: string): Case {
  const text = flat(source);
  return {
    group: "hard",
    name: `decode, duplicates reported: ${name}`,
    native: () => JSON.parse(text) as unknown,
    ours: () => decodeJson(text, { duplicates: "report" }),
  };
}

/** Native JSON refuses bigints: beside it stands what one would do about it. */
function encodingBigInt(value: JsonValue): Case {
  return {
    group: "hard",
    name: "encode Pod with an int64 beyond 2^53 (native: replacer)",
    native: () =>
      JSON.stringify(value, (_, member: unknown) =>
        typeof member === "bigint" ? Number(member) : member,
      ),
    ours: () => encodeJson(value),
  };
}

/** Each round times both, one right after the other and first in turn, and gives one ratio. */
function measure({ group, name, native, ours }: Case): Result {
  const calls = warmUp(native, ours);
  const rounds: { native: number; ours: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ourTimeFirst = round % 2 === 1 ? timeOf(ours, calls) : undefined;
    const nativeTime = timeOf(native, calls);
    rounds.push({ native: nativeTime, ours: ourTimeFirst ?? timeOf(ours, calls) });
  }
  return {
    group,
    name,
    native: median(rounds.map((round) => round.native)),
    ours: median(rounds.map((round) => round.ours)),
    ratio: median(rounds.map((round) => round.ours / round.native)),
  };
}

/** Runs both until they are compiled; gives how many calls fill a round. */
function warmUp(native: () => unknown, ours: () => unknown): number {
  let calls = 1;
  while (timeOf(native, calls) * calls < ROUND_MICROSECONDS) calls *= 2;
  for (let round = 0; round < 5; round++) timeOf(ours, calls);
  return calls;
}

/** Microseconds for one call. */
function timeOf(call: () => unknown, calls: number): number {
  const start = performance.now();
  for (let i = 0; i < calls; i++) kept = call();
  return ((performance.now() - start) * 1000) / calls;
}

/** Results go here, so that no call can be left out as useless. */
let kept: unknown;

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

/** As a text that arrived is: one piece, not the rope that building it left. */
function flat(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

function size(text: string): string {
  return text.length < 100_000
    ? `${(text.length / 1000).toFixed(1)} KB`
    : `${(text.length / 1_000_000).toFixed(1)} MB`;
}

function microseconds(value: number): string {
  return value < 100 ? value.toFixed(2) : value.toFixed(0);
}

function print(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(cells.join("  ").trimEnd());
  }
}

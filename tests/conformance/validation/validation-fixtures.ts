/**
 * The recorded answers: `fixtures/KIND.json`. One line for each field of a variant, one for each
 * text, so that a change of one answer is a change of one line.
 */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AskedProbe } from "./ask-probes.ts";
import { AnswerPacker, type PackedKind } from "./pack-answers.ts";
import { type Probe, placeOf } from "./probe.ts";

interface File {
  readonly answers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly texts: Readonly<Record<string, string>>;
}

function fixtureFile(kind: string): string {
  return fileURLToPath(new URL(`./fixtures/${kind}.json`, import.meta.url));
}

export async function writeValidationFixture(
  kind: string,
  asked: readonly AskedProbe[],
): Promise<void> {
  const packer = new AnswerPacker();
  const lines = new Map<string, Record<string, string>>();
  for (const each of asked) {
    const place = placeOf(each.probe);
    const line = lines.get(place) ?? {};
    line[each.probe.mutation] = packer.pack(each);
    lines.set(place, line);
  }
  const texts = [...packer.texts].sort(([left], [right]) => (left < right ? -1 : 1));
  const text = `{\n"answers": ${printLines(lines)},\n"texts": ${printLines(texts)}\n}\n`;
  await writeFile(fixtureFile(kind), text);
}

function printLines(entries: Iterable<readonly [string, unknown]>): string {
  const lines = [...entries].map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  return `{\n${lines.join(",\n")}\n}`;
}

/** Undefined where nothing is recorded. Only the probes that are recorded have an answer. */
export async function readValidationFixture(
  kind: string,
  probes: readonly Probe[],
): Promise<PackedKind | undefined> {
  const file = fixtureFile(kind);
  if (!existsSync(file)) return undefined;
  const { answers, texts } = JSON.parse(await readFile(file, "utf8")) as File;
  const recorded = probes.flatMap((probe) => {
    const packed = answers[placeOf(probe)]?.[probe.mutation];
    return packed === undefined ? [] : [{ probe, packed }];
  });
  return { texts: new Map(Object.entries(texts)), answers: recorded };
}

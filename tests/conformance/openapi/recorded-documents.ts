/**
 * What kube-apiserver's documents say, as a hash each: enough to know that ours say the same.
 * `npm run compare -- openapi` tells the differences.
 */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { JsonValue } from "@homeostat/object-model";
import { text } from "./normalize.ts";

const file = new URL("./recorded-documents.json", import.meta.url);

export type RecordedDocuments = Readonly<Record<string, string>>;

export function hashesOf(documents: ReadonlyMap<string, JsonValue>): RecordedDocuments {
  const hashes = Array.from(documents, ([name, document]) => [
    name,
    createHash("sha256").update(text(document)).digest("hex").slice(0, 16),
  ]);
  return Object.fromEntries(hashes);
}

export async function readRecorded(): Promise<RecordedDocuments> {
  return JSON.parse(await readFile(file, "utf8")) as RecordedDocuments;
}

export async function writeRecorded(documents: RecordedDocuments): Promise<void> {
  await writeFile(file, `${JSON.stringify(documents, undefined, 2)}\n`);
}

import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parseTranscript, type Step } from "./transcript.ts";

const FOLDER = fileURLToPath(new URL("./transcripts/", import.meta.url));

export interface Transcript {
  /** Also of the namespace in which it plays. */
  readonly name: string;
  readonly path: string;
  readonly steps: readonly Step[];
}

/** Where the minor versions of kubectl stand with which the transcripts were recorded. */
export const RECORDED_WITH: string = `${FOLDER}recorded-with.json`;

export function recordedVersions(): readonly string[] {
  return JSON.parse(readFileSync(RECORDED_WITH, "utf8")) as string[];
}

export function transcripts(): readonly Transcript[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".txt"));
  return files.sort().map((file) => {
    const path = FOLDER + file;
    const steps = parseTranscript(readFileSync(path, "utf8"));
    return { name: basename(file, ".txt"), path, steps };
  });
}

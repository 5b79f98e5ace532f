/**
 * The recorded answers of kube-apiserver: `fixtures/TOPIC.json`, one line for each step, so that a
 * change of one answer is a change of one line.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "@homeostat/object-model";
import type { CanonicalStep } from "./canonical.ts";

type Line = JsonObject & { readonly step: string };

/** Scenario -> its steps. */
export type Fixture = ReadonlyMap<string, readonly CanonicalStep[]>;

const folder = new URL("./fixtures/", import.meta.url);

export async function readFixture(topic: string): Promise<Fixture> {
  const file = fileOf(topic);
  if (!existsSync(file)) return new Map();
  const scenarios = JSON.parse(await readFile(file, "utf8")) as Record<string, Line[]>;
  return new Map(
    Object.entries(scenarios).map(([name, steps]) => [
      name,
      steps.map(({ step, ...answer }) => ({ id: step, answer })),
    ]),
  );
}

export async function writeFixture(topic: string, fixture: Fixture): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(fileOf(topic), printFixture(fixture));
}

export function printFixture(fixture: Fixture): string {
  const scenarios = [...fixture].map(([name, steps]) => {
    const lines = steps.map(({ id, answer }) => `    ${JSON.stringify({ step: id, ...answer })}`);
    return `  ${JSON.stringify(name)}: [\n${lines.join(",\n")}\n  ]`;
  });
  return `{\n${scenarios.join(",\n")}\n}\n`;
}

function fileOf(topic: string): string {
  return fileURLToPath(new URL(`${topic}.json`, folder));
}

import type { JsonValue } from "@homeostat/object-model";
import { openEmbeddedTarget } from "../embedded-target.ts";
import { openPeerTarget } from "../peer-target.ts";
import type { Target } from "../target.ts";
import { findDifferences } from "./find-differences.ts";
import { hashesOf, writeRecorded } from "./recorded-documents.ts";
import { servedDocuments } from "./served-documents.ts";

export interface OpenApiCommand {
  readonly record: boolean;
  /** How many differences of a document are printed. */
  readonly show: number;
}

/** Discovery and OpenAPI of both servers, document by document. The exit code. */
export async function runOpenApi(
  { record, show }: OpenApiCommand,
  print: (text: string) => void,
): Promise<number> {
  const expected = await documentsOf(openPeerTarget);
  if (record) {
    await writeRecorded(hashesOf(expected));
    print(`${expected.size} documents recorded`);
    return 0;
  }
  const got = await documentsOf(openEmbeddedTarget);
  let total = 0;
  for (const name of new Set([...expected.keys(), ...got.keys()])) {
    const differences = findDifferences(expected.get(name) ?? null, got.get(name) ?? null);
    total += differences.length;
    if (differences.length === 0) continue;
    print(`${name}: ${differences.length} differences`);
    for (const each of differences.slice(0, show)) print(`  ${each}`);
  }
  print(`${expected.size} documents compared: ${total} differences`);
  return total > 0 ? 1 : 0;
}

async function documentsOf(open: () => Promise<Target>): Promise<ReadonlyMap<string, JsonValue>> {
  await using target = await open();
  return await servedDocuments(target);
}

// Writes scripts/generate/go-structs.json, the facts that only the Go source of Kubernetes tells:
//   node scripts/take-go-structs.ts [input folder]
// The folder is that of generate-api-types.ts, with the release that scripts/generate/go-structs/go.mod names. Needs
// Go, and the network where Go's module cache lacks those modules. How to go to another release is said in
// generate/go-structs.ts; `npm run generate` comes after this.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { goVersion, runGo } from "./assets/go-command.ts";
import { deriveGoStructs, type ReflectedStructs } from "./generate/derive-go-structs.ts";
import { readInput } from "./generate/read-input.ts";

const project = join(import.meta.dirname, "..");
const inputFolder = process.argv[2] ?? join(project, "..", "shared", "kubernetes-1.36");
const generator = join(import.meta.dirname, "generate");

async function reflectGoStructs(signal: AbortSignal): Promise<ReflectedStructs> {
  const temporaryFolder = mkdtempSync(join(tmpdir(), "homeostat-go-structs-"));
  try {
    const folder = join(generator, "go-structs");
    const output = await runGo(["run", "."], { folder, temporaryFolder, signal });
    return JSON.parse(output) as ReflectedStructs;
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
}

async function main(signal: AbortSignal): Promise<void> {
  const input = readInput(inputFolder);
  if (goVersion() === undefined) {
    throw new Error(
      "Go is needed to look at the Go structs, and there is no `go` in PATH: install the version that " +
        "scripts/generate/go-structs/go.mod names, or newer (https://go.dev/dl/), and run this again",
    );
  }
  const goStructs = deriveGoStructs(await reflectGoStructs(signal), input);
  const text = JSON.stringify(Object.fromEntries(goStructs), null, 2);
  writeFileSync(join(generator, "go-structs.json"), `${text}\n`);
  console.log(`wrote facts of ${goStructs.size} structs to scripts/generate/go-structs.json`);
}

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    process.exitCode = 128 + constants.signals[name];
    stopping.abort();
  });
}
try {
  await main(stopping.signal);
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

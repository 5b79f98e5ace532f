// Writes packages/object-model/src/generated/ from a description of a Kubernetes release:
//   npm run generate [-- <input folder>]
// The folder holds openapi/*.json, discovery.json, discovery-core-v1.json and protobuf.json; without
// an argument it is the shared/kubernetes-1.36 beside the project. What is generated is committed:
// nothing else needs the folder.
//
// Another Kubernetes version also needs its facts of the Go structs, taken from the same folder before this is run:
//   node scripts/take-go-structs.ts [input folder]
// The steps are in generate/go-structs.ts. OpenAPI documents are made from what is generated here, and from the
// values of enumerations, which the folder does not hold: see take-openapi-enums.ts.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "./generate/generate.ts";
import { GeneratorInputError } from "./generate/read-input.ts";

const project = join(import.meta.dirname, "..");
const input = process.argv[2] ?? join(project, "..", "shared", "kubernetes-1.36");
const output = join(project, "packages", "object-model", "src", "generated");

try {
  const files = generate(input);
  mkdirSync(output, { recursive: true });
  for (const file of readdirSync(output)) {
    if (!files.has(file)) rmSync(join(output, file));
  }
  for (const [file, text] of files) writeFileSync(join(output, file), text);
  console.log(`wrote ${files.size} files to packages/object-model/src/generated`);
} catch (error) {
  if (!(error instanceof GeneratorInputError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

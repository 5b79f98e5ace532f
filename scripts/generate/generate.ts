// The generator as a function: input folder in, file texts out. Same input, same bytes: nothing of the machine, the
// time or the folder's place gets into the texts.

import { join } from "node:path";
import { buildModel } from "./build-model.ts";
import { buildResources, storedKinds } from "./build-resources.ts";
import { readGoStructs } from "./go-structs.ts";
import { packageVersions } from "./group-version.ts";
import { printResources } from "./print-resources.ts";
import { printSchemas } from "./print-schemas.ts";
import { printBuiltinKinds, printTypes } from "./print-types.ts";
import { readInput } from "./read-input.ts";

const ownGoStructs = join(import.meta.dirname, "go-structs.json");

/** File name -> text. `goStructs` is the path of the Go facts that fit the input. */
export function generate(
  inputFolder: string,
  goStructs: string = ownGoStructs,
): Map<string, string> {
  const input = readInput(inputFolder);
  const model = buildModel(input, readGoStructs(goStructs));
  const versions = packageVersions(input);
  const resources = buildResources(input, model, versions);
  const types = { model, versions, storedKinds: storedKinds(resources) };
  return new Map([
    ...printTypes(types),
    ["builtin-kinds.ts", printBuiltinKinds(types)],
    ["builtin-resources.ts", printResources(resources)],
    ["builtin-schemas.ts", printSchemas(model, versions)],
  ]);
}

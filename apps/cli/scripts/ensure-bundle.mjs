// Bundles the command when there is no bundle or a source is newer than it: quick when there is
// nothing to do. Plain JavaScript: it runs on whatever Node (>= 20) the machine has.
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const dist = fileURLToPath(new URL("../dist/", import.meta.url));

if (!isFresh()) {
  const { spawnSync } = await import("node:child_process");
  const { findNode } = await import("../bin/find-node.mjs");
  const node = findNode();
  if (node === undefined) {
    process.stderr.write(`Bundling needs Node 24 or newer, this is ${process.version}.\n`);
    process.exit(1);
  }
  const bundler = fileURLToPath(new URL("bundle.ts", import.meta.url));
  const { status } = spawnSync(node, [bundler], { stdio: ["ignore", "ignore", "inherit"] });
  process.exitCode = status ?? 1;
}

/** Every file the last build was made of is as it was, and what it made is there. */
function isFresh() {
  let manifest;
  try {
    manifest = JSON.parse(readFileSync(`${dist}manifest.json`, "utf8"));
  } catch {
    return false;
  }
  for (const [file, [modified, size]] of Object.entries(manifest.inputs)) {
    const now = statSync(root + file, { throwIfNoEntry: false });
    if (now === undefined || Math.floor(now.mtimeMs) !== modified || now.size !== size)
      return false;
  }
  return ["entry.json", ...Object.keys(manifest.outputs)].every(
    (file) => statSync(dist + file, { throwIfNoEntry: false }) !== undefined,
  );
}

// Bundles the command: a main file, which dist/entry.json names, and the chunks it loads when they are
// first needed, all in one folder, and the store's log worker beside them, where the store looks for it.
// The names of the files change with their content and the last build's stay: a running process may
// still load them. `bin/load-bundle.cjs` loads them, and says why they are CommonJS.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type OutputChunk, type RolldownOptions, rolldown } from "rolldown";

/** What a build was made of and what it made; `ensure-bundle.mjs` compares, tests look inside. */
export interface BundleManifest {
  /** File, from the repository's root: [modification time in ms, bytes]. */
  readonly inputs: Readonly<Record<string, readonly [number, number]>>;
  /** File in dist: the source files in it, from the repository's root. */
  readonly outputs: Readonly<Record<string, readonly string[]>>;
}

const root = fileURLToPath(new URL("../../../", import.meta.url));
const dist = fileURLToPath(new URL("../dist/", import.meta.url));

const shared: RolldownOptions = {
  cwd: root,
  platform: "node",
  resolve: { conditionNames: ["@homeostat/source", "node", "import", "default"] },
  transform: { target: "node24" },
  // Chunks may import from the main file: else what they share with it becomes a file more to load.
  preserveEntrySignatures: "allow-extension",
  logLevel: "warn",
  plugins: [
    {
      name: "lean-commander",
      transform: (code, id) =>
        id.includes("/node_modules/commander/") ? withoutDefaults(code) : null,
    },
  ],
};

/**
 * Commander imports modules of Node as a whole. A bundle copies them then, what they would load when
 * it is asked for included; and one is loaded only to start programs, of which we have none.
 */
function withoutDefaults(code: string): string {
  return code.replaceAll(
    /^import (\w+) from '(node:\w+)';$/gm,
    (_, name: string, module: string) =>
      module === "node:child_process"
        ? `const ${name} = undefined;`
        : `const ${name} = globalThis.process.getBuiltinModule("${module}");`,
  );
}

/**
 * What a start needs is in two files: each file more takes its time, and what one has of another is
 * looked up with every use. The first group takes what both could have.
 */
const groups = [
  { name: "homeostat", test: /apps\/cli\/src\/main\.ts$/, priority: 2 },
  { name: "api-server", test: /apps\/cli\/src\/commands\/api-server\.ts$/, priority: 1 },
];

/** One character beyond would double what V8 keeps of the whole file. Only literals hold any. */
function inAscii(code: string): string {
  return code.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** As Node does when it loads a file: where the start did it, it would copy all of it. */
function inFunction(code: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${code}\n})`;
}

interface Target {
  readonly entry: Record<string, string>;
  readonly entryFileNames: string;
  readonly directory: string;
  /** Whether `bin/load-bundle.cjs` loads it, not Node. */
  readonly isWrapped: boolean;
}

async function build({
  entry,
  entryFileNames,
  directory,
  isWrapped,
}: Target): Promise<OutputChunk[]> {
  const bundle = await rolldown({ ...shared, input: entry });
  const { output } = await bundle.generate({
    format: "cjs",
    entryFileNames,
    chunkFileNames: "[name]-[hash].cjs",
    codeSplitting: { groups },
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundle.close();
  const chunks = output.filter((each) => each.type === "chunk");
  for (const { fileName, code } of chunks) {
    // Not by a plugin: the bundler prints once more what those give back, and without escapes.
    const text = inAscii(code);
    writeFileSync(join(directory, fileName), isWrapped ? inFunction(text) : text);
  }
  return chunks;
}

/** Into a folder of its own and then by renames: others may be starting, or building, meanwhile. */
export async function bundleCommand(): Promise<BundleManifest> {
  const building = join(dist, `.build-${process.pid}`);
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  const begun = statSync(building).mtimeMs;
  try {
    const worker = await build({
      entry: { "log-worker": "packages/store/src/sqlite/log-worker.ts" },
      entryFileNames: "[name].cjs",
      directory: building,
      isWrapped: false,
    });
    const command = await build({
      entry: { homeostat: "apps/cli/src/main.ts" },
      entryFileNames: "[name]-[hash].cjs",
      directory: building,
      isWrapped: true,
    });
    const chunks = [...worker, ...command];
    const main = command.find(({ isEntry }) => isEntry)!.fileName;
    const outputs = Object.fromEntries(
      chunks.map((chunk) => [chunk.fileName, chunk.moduleIds.map(fromRoot).filter(isSource)]),
    );
    const manifest = { inputs: inputsOf(outputs, begun), outputs };
    const kept = new Set([...Object.keys(outputs), ...Object.keys(lastManifest()?.outputs ?? {})]);
    for (const file of Object.keys(outputs)) renameSync(join(building, file), join(dist, file));
    // What names the others comes after them.
    writeFileSync(join(building, "entry.json"), JSON.stringify({ main }));
    renameSync(join(building, "entry.json"), join(dist, "entry.json"));
    writeFileSync(join(building, "manifest.json"), JSON.stringify(manifest, undefined, 1));
    renameSync(join(building, "manifest.json"), join(dist, "manifest.json"));
    for (const file of readdirSync(dist)) {
      if (/\.[cm]js$/.test(file) && !kept.has(file)) rmSync(join(dist, file), { force: true });
    }
    // What was compiled of files that are no more.
    rmSync(join(dist, ".compile-cache"), { recursive: true, force: true });
    return manifest;
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

function fromRoot(file: string): string {
  return relative(root, file);
}

/** Bundlers name modules of their own making with a NUL. */
function isSource(file: string): boolean {
  return !file.includes("\0") && !file.startsWith("..");
}

/**
 * The sources, and the manifests that say where imports lead. Of a file that changed during the
 * build nobody knows which state is in it: it is noted so that it never matches.
 */
function inputsOf(outputs: Record<string, string[]>, begun: number): BundleManifest["inputs"] {
  const sources = Object.values(outputs).flat();
  const manifests = sources.map((file) => nearestManifest(file));
  const files = new Set([...sources, ...manifests, fromRoot(fileURLToPath(import.meta.url))]);
  return Object.fromEntries(
    [...files].sort().map((file) => {
      const { mtimeMs, size } = statSync(join(root, file));
      return [file, [mtimeMs < begun ? Math.floor(mtimeMs) : 0, size]];
    }),
  );
}

function nearestManifest(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (statSync(join(root, manifest), { throwIfNoEntry: false }) !== undefined) return manifest;
  }
}

function lastManifest(): BundleManifest | undefined {
  try {
    return JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8")) as BundleManifest;
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const { inputs, outputs } = await bundleCommand();
  process.stdout.write(
    `bundled ${Object.keys(inputs).length} files into ${Object.keys(outputs).join(", ")}\n`,
  );
}

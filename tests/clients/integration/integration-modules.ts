/**
 * Copies of the modules that Kubernetes' integration tests are in, changed as `module-edits.ts` says, and the
 * programs that are compiled of them. They stay in the cache of the assets: the second run compiles nothing.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../../../scripts/assets/asset-path.ts";
import { catalog, type ModuleSource } from "../../../scripts/assets/catalog.ts";
import { type GoOptions, runGo } from "../../../scripts/assets/go-command.ts";
import { extensionEdits, kubernetesEdits, type ModuleEdits } from "./module-edits.ts";
import { editText, publishedReplacements } from "./text-edit.ts";

const EXTENSIONS = "k8s.io/apiextensions-apiserver";
const KUBERNETES = "k8s.io/kubernetes";
const ours = fileURLToPath(new URL("go/", import.meta.url));

/** A package of tests, compiled. */
export interface TestProgram {
  /** As it was asked for, such as `apiserver/apply`. */
  readonly name: string;
  readonly path: string;
  /** The package's folder: tests read files beside their sources. */
  readonly folder: string;
}

export class IntegrationModules {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Copies and changes what is not there yet, or not as it is to be by now. */
  static async prepare(print: (line: string) => void): Promise<IntegrationModules> {
    const { moduleVersion, stagingVersion } = kubernetesSource();
    const modules = new IntegrationModules(
      join(cacheFolder(process.env), "integration", moduleVersion),
    );
    mkdirSync(modules.#place("temporary"), { recursive: true });
    const goMod = (text: string): string =>
      publishedReplacements(text, stagingVersion, { [EXTENSIONS]: "../apiextensions-apiserver" });
    await modules.#provide({
      module: `${EXTENSIONS}@${stagingVersion}`,
      folder: modules.#place("apiextensions-apiserver"),
      edits: extensionEdits,
      print,
    });
    await modules.#provide({
      module: `${KUBERNETES}@${moduleVersion}`,
      folder: modules.#place("kubernetes"),
      edits: kubernetesEdits,
      goMod,
      print,
    });
    return modules;
  }

  /** For what the tests print, by side and package. */
  get logs(): string {
    return this.#place("logs");
  }

  /** Whether there are tests in a package, such as `apiserver/apply` or `apiextensions/conversion`. */
  has(name: string): boolean {
    const { module, tests } = placeOf(name);
    return globSync("*_test.go", { cwd: join(this.#place(module), tests) }).length > 0;
  }

  async compile(name: string, print: (line: string) => void): Promise<TestProgram> {
    const { module, tests } = placeOf(name);
    const folder = join(this.#place(module), tests);
    // The name that `go test` gives it: it is the field manager of what tests write.
    const program = join(this.#place("programs"), name, `${basename(tests)}.test`);
    if (existsSync(program)) return { name, path: program, folder };
    print(`compiling ${name}`);
    const unfinished = `${program}.unfinished`;
    await this.#go(
      ["test", "-c", "-mod=mod", "-vet=off", "-ldflags=-s -w", `-o=${unfinished}`, `./${tests}`],
      { folder: this.#place(module), onLine: print },
    );
    renameSync(unfinished, program);
    return { name, path: program, folder };
  }

  async #provide(wanted: WantedModule): Promise<void> {
    const { folder, edits } = wanted;
    const stamp = `${folder}.stamp`;
    const state = stampOf(wanted);
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === state) return;
    wanted.print(`copying ${wanted.module}`);
    const { Dir } = JSON.parse(
      await this.#go(["mod", "download", "-json", wanted.module], {
        folder: this.#place("temporary"),
      }),
    ) as { Dir: string };
    for (const gone of [stamp, this.#place("programs"), folder]) {
      rmSync(gone, { recursive: true, force: true });
    }
    cpSync(Dir, folder, { recursive: true });
    // What is published is not writable, and neither are its folders.
    for (const path of [".", ...globSync("**", { cwd: folder })]) {
      chmodSync(join(folder, path), 0o755);
    }
    const edit = (file: string, change: (text: string) => string): void => {
      const path = join(folder, file);
      writeFileSync(path, change(readFileSync(path, "utf8")));
    };
    for (const [file, changes] of Object.entries(edits.edited)) {
      edit(file, (text) => editText(`${wanted.module} ${file}`, text, changes));
    }
    if (wanted.goMod !== undefined) edit("go.mod", wanted.goMod);
    for (const [file, text] of addedFiles(edits)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    writeFileSync(stamp, state);
  }

  #place(name: string): string {
    return join(this.#folder, name);
  }

  #go(args: readonly string[], options: Pick<GoOptions, "folder" | "onLine">): Promise<string> {
    return runGo(args, {
      ...options,
      temporaryFolder: this.#place("temporary"),
      signal: new AbortController().signal,
    });
  }
}

interface WantedModule {
  /** Path and version. */
  readonly module: string;
  /** Where the copy is to be. */
  readonly folder: string;
  readonly edits: ModuleEdits;
  readonly goMod?: (text: string) => string;
  readonly print: (line: string) => void;
}

/** Folders: of the module here, and of the package in it. */
function placeOf(name: string): { readonly module: string; readonly tests: string } {
  const [first, ...rest] = name.split("/");
  return first === "apiextensions"
    ? { module: "apiextensions-apiserver", tests: join("test/integration", ...rest) }
    : { module: "kubernetes", tests: join("test/integration", name) };
}

/** Of the release that the real kube-apiserver is built from. */
function kubernetesSource(): Required<ModuleSource> {
  const source = catalog().find(({ name }) => name === "kube-apiserver")?.source;
  if (source?.from !== "module" || source.stagingVersion === undefined) {
    throw new Error("The asset kube-apiserver is expected to be of a module with staging modules");
  }
  return { ...source, stagingVersion: source.stagingVersion };
}

/** Our files, by where they go in the module. */
function addedFiles({ added }: ModuleEdits): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(added).flatMap(([from, to]) =>
      globSync("*.go", { cwd: join(ours, from) }).map((name) => [
        join(to, name),
        readFileSync(join(ours, from, name), "utf8"),
      ]),
    ),
  );
}

/** Another one where anything of the copy is to be another. */
function stampOf({ module, edits }: WantedModule): string {
  const files = [...addedFiles(edits)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([module, edits, files]))
    .digest("hex");
}

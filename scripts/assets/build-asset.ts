// Makes one binary. Everything happens in a folder beside the final place that is removed whatever
// happens; the binary is moved in by one rename after it has shown its version. So at the final
// place there is either nothing, the old binary or the new one, and a reader needs no lock.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { cachedPath, cacheFolder, type Environment } from "./asset-path.ts";
import type { Asset, ModuleSource } from "./catalog.ts";
import { type GoOptions, runGo } from "./go-command.ts";
import { type UpstreamModule, wrapperModule } from "./wrapper-module.ts";

export class WrongVersionError extends Error {
  readonly code = "WRONG_VERSION";
}

export interface BuildOptions {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Told how many packages have been compiled, and what Go downloads. */
  readonly onProgress: (text: string) => void;
}

const leftoverPattern = /^\.building-(\d+)-/;

/** Builds the asset into the cache, in place of what is there, and answers its path. */
export async function buildAsset(asset: Asset, options: BuildOptions): Promise<string> {
  const folder = cacheFolder(options.environment);
  await mkdir(folder, { recursive: true });
  await removeLeftovers(folder);
  const place = await mkdtemp(join(folder, `.building-${process.pid}-`));
  try {
    const go: GoOptions = {
      folder: place,
      temporaryFolder: place,
      signal: options.signal,
      onLine: packageCounter(options.onProgress),
    };
    const binary = join(place, asset.name);
    const source = asset.source;
    if (source.from === "module") {
      await prepareWrapper(asset.name, source, go);
      await runGo([...buildCommand(asset, binary), "-mod=mod", source.package], go);
    } else {
      await runGo([...buildCommand(asset, binary), "-mod=readonly", "."], {
        ...go,
        folder: source.folder,
      });
    }
    await versionText(asset, binary);
    options.signal.throwIfAborted();
    const target = cachedPath(asset, options.environment);
    await mkdir(dirname(target), { recursive: true });
    await rename(binary, target);
    return target;
  } finally {
    await rm(place, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The first line a binary prints about its version. Throws where it does not run or is another version. */
export async function versionText(asset: Asset, path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(path, [...asset.versionArguments], {
    timeout: 30_000,
  });
  if (!stdout.includes(asset.version)) {
    throw new WrongVersionError(
      `${path} says "${stdout.trim()}"; expected version ${asset.version}`,
    );
  }
  return stdout.split("\n")[0]!.trim();
}

/** The beginning of the command that builds the asset: `-mod` and the package follow. */
export function buildCommand(asset: Asset, binary: string): string[] {
  const settings = Object.entries(asset.linkerVariables).map(
    ([name, value]) => `-X ${name}=${value}`,
  );
  return [
    "build",
    "-v",
    "-trimpath",
    "-ldflags",
    ["-s", "-w", ...settings].join(" "),
    "-o",
    binary,
  ];
}

async function prepareWrapper(name: string, source: ModuleSource, go: GoOptions): Promise<void> {
  const module = `${source.module}@${source.moduleVersion}`;
  const download = JSON.parse(await runGo(["mod", "download", "-json", module], go)) as {
    GoMod: string;
  };
  const upstream = JSON.parse(
    await runGo(["mod", "edit", "-json", download.GoMod], go),
  ) as UpstreamModule;
  await writeFile(join(go.folder, "go.mod"), wrapperModule(name, source, upstream));
}

/** With -v Go prints the path of each package once it is compiled, beside its "go: ..." remarks. */
function packageCounter(onProgress: (text: string) => void): (line: string) => void {
  let packages = 0;
  return (line) => {
    if (line.startsWith("go: ")) onProgress(line.slice("go: ".length));
    else onProgress(`${++packages} packages compiled`);
  };
}

/** Removes what a killed run left: folders whose process is gone. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const owner = leftoverPattern.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

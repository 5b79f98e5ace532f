// `npm run assets [-- NAME...]`. Exit codes: 0 all there, 1 something could not be made, 2 a mistake
// on the command line, 128 + signal when stopped.
import { constants } from "node:os";
import { parseArguments, UsageError, usage } from "./arguments.ts";
import { cacheFolder, locateAsset } from "./asset-path.ts";
import { buildAsset, versionText, WrongVersionError } from "./build-asset.ts";
import { type Asset, catalog } from "./catalog.ts";
import { goVersion } from "./go-command.ts";
import { Progress } from "./progress.ts";

async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  const assets = catalog();
  const known = assets.map((each) => each.name);
  const command = parseArguments(args, known);
  if (command.kind === "help") {
    process.stdout.write(usage);
    return 0;
  }
  if (command.kind === "list") {
    for (const asset of assets) console.log(describe(asset));
    return 0;
  }
  const missing: Asset[] = [];
  for (const asset of assets.filter((each) => command.names.includes(each.name))) {
    if (!(await isReady(asset, command.force))) missing.push(asset);
  }
  if (missing.length > 0 && goVersion() === undefined) {
    console.error(withoutGo(missing));
    return 1;
  }
  for (const asset of missing) await build(asset, signal);
  return 0;
}

function describe(asset: Asset): string {
  const place = locateAsset(asset, process.env);
  const where = place === undefined ? "not built" : place.path;
  const origin = place?.origin === "KUBEBUILDER_ASSETS" ? " (KUBEBUILDER_ASSETS)" : "";
  return `${asset.name} ${asset.version}: ${asset.about}\n  ${where}${origin}`;
}

/** Whether a binary that runs is there and may stay. */
async function isReady(asset: Asset, force: boolean): Promise<boolean> {
  const place = locateAsset(asset, process.env);
  if (place === undefined) return false;
  const given = place.origin === "KUBEBUILDER_ASSETS";
  if (force && !given) return false;
  try {
    const text = await versionText(asset, place.path);
    console.log(`${asset.name}: ready at ${place.path} (${text})`);
    return true;
  } catch (error) {
    const reason = (error as Error).message.trim();
    if (!given) {
      console.log(`${asset.name}: to be built again: ${reason}`);
      return false;
    }
    if (error instanceof WrongVersionError) {
      console.log(`${asset.name}: taken from KUBEBUILDER_ASSETS as it is: ${reason}`);
      return true;
    }
    throw new Error(
      `${place.path} does not run: ${reason}\nIt comes from KUBEBUILDER_ASSETS, which wins: repair it there or unset the variable.`,
      { cause: error },
    );
  }
}

async function build(asset: Asset, signal: AbortSignal): Promise<void> {
  const progress = new Progress(`${asset.name} ${asset.version}`, process.stdout);
  try {
    const path = await buildAsset(asset, {
      environment: process.env,
      signal,
      onProgress: (text) => progress.detail(text),
    });
    progress.end(`built at ${path}`);
  } catch (error) {
    progress.end(signal.aborted ? "stopped, nothing kept" : "failed");
    throw error;
  }
}

function withoutGo(missing: readonly Asset[]): string {
  const names = missing.map((asset) => asset.name).join(", ");
  return [
    `Go is needed to build ${names}, and there is no \`go\` in PATH. Either`,
    "  - install Go 1.26 or newer (https://go.dev/dl/ or your system's packages) and run this again; or",
    `  - put ready binaries named ${names} into a folder and set KUBEBUILDER_ASSETS to it; or`,
    `  - copy ${cacheFolder(process.env)} from a machine that has built them (or set HOMEOSTAT_ASSETS to a copy).`,
  ].join("\n");
}

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    process.exitCode = 128 + constants.signals[name];
    stopping.abort();
  });
}
try {
  const status = await main(process.argv.slice(2), stopping.signal);
  process.exitCode ??= status;
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error((error as Error).message);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

// Where a ready binary is. Looked at in this order: $KUBEBUILDER_ASSETS/NAME (the field's convention
// for test binaries; any version wins), then NAME/VERSION/NAME under $HOMEOSTAT_ASSETS, or under
// ~/.cache/homeostat/assets where that is unset. An empty variable counts as unset.
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type Asset, catalog } from "./catalog.ts";

export interface AssetPlace {
  readonly path: string;
  readonly origin: "KUBEBUILDER_ASSETS" | "cache";
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The path of a ready binary, or undefined: then `npm run assets -- NAME` builds it. */
export function assetPath(name: string): string | undefined {
  const assets = catalog();
  const asset = assets.find((each) => each.name === name);
  if (asset === undefined) {
    const names = assets.map((each) => each.name).join(", ");
    throw new Error(`There is no asset "${name}"; there are: ${names}`);
  }
  return locateAsset(asset, process.env)?.path;
}

export function locateAsset(asset: Asset, environment: Environment): AssetPlace | undefined {
  const given = environment["KUBEBUILDER_ASSETS"];
  if (given) {
    const path = resolve(given, asset.name);
    if (isProgram(path)) return { path, origin: "KUBEBUILDER_ASSETS" };
  }
  const path = cachedPath(asset, environment);
  return isProgram(path) ? { path, origin: "cache" } : undefined;
}

/** Where `npm run assets` puts what it builds, whether or not it is there. */
export function cachedPath(asset: Asset, environment: Environment): string {
  return join(cacheFolder(environment), asset.name, asset.version, asset.name);
}

export function cacheFolder(environment: Environment): string {
  const given = environment["HOMEOSTAT_ASSETS"];
  return given ? resolve(given) : join(homedir(), ".cache/homeostat/assets");
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

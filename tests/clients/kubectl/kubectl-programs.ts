import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { assetPath } from "../../../scripts/assets/asset-path.ts";

export interface KubectlProgram {
  readonly path: string;
  /** "1.36" */
  readonly minorVersion: string;
}

/** The kubectl on the PATH, and the one that `npm run assets` built, each where it is there; newest first. */
export function kubectlPrograms(): readonly KubectlProgram[] {
  const installed = (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "kubectl"))
    .find(isProgram);
  const programs = [installed, assetPath("kubectl")]
    .filter((path) => path !== undefined)
    .map((path) => ({ path, minorVersion: minorVersionOf(path) }));
  const versions = new Map(programs.map((each) => [each.minorVersion, each]));
  return [...versions.values()].sort((one, other) =>
    other.minorVersion.localeCompare(one.minorVersion, "en", { numeric: true }),
  );
}

function minorVersionOf(path: string): string {
  const printed = execFileSync(path, ["version", "--client", "-o", "json"], { encoding: "utf8" });
  const { clientVersion } = JSON.parse(printed) as { clientVersion: Record<string, string> };
  return `${clientVersion["major"]}.${Number.parseInt(clientVersion["minor"] ?? "", 10)}`;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

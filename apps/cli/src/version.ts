import { readFileSync } from "node:fs";

/** From the package's manifest, which lies above the sources and above the bundle alike. */
export function readVersion(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  return version;
}

import { fileURLToPath } from "node:url";

/** The program that starts the bundled command; it lies beside the sources and the bundle alike. */
export function launcherFile(): string {
  return fileURLToPath(new URL("../bin/homeostat.mjs", import.meta.url));
}

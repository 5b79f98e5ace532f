// Folders for KUBEBUILDER_ASSETS, as test environments want them.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assetPath } from "../../scripts/assets/asset-path.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));
const SERVERS = ["etcd", "kube-apiserver"];

/** Whose programs a test environment is given. */
export const ENVTEST_SIDES = ["homeostat", "kube-apiserver"] as const;
export type EnvtestSide = (typeof ENVTEST_SIDES)[number];

/** What has to be built first, of the real programs and what is named besides. */
export function missingPrograms(...besides: readonly string[]): readonly string[] {
  return [...SERVERS, ...besides]
    .filter((name) => assetPath(name) === undefined)
    .map((name) => `${name}: npm run assets -- ${name}`);
}

/** Fills a folder, which is made, with the programs of one side. */
export function provideEnvtestPrograms(side: EnvtestSide, folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (side === "homeostat") writeOurs(folder);
  else for (const name of SERVERS) symlinkSync(assetPath(name)!, join(folder, name));
  const [kubectl, built] = [join(folder, "kubectl"), assetPath("kubectl")];
  if (built !== undefined && !existsSync(kubectl)) symlinkSync(built, kubectl);
}

/** As people do it. */
function writeOurs(folder: string): void {
  const node = (...args: string[]): void => {
    execFileSync(process.execPath, args, { cwd: project, stdio: ["ignore", "ignore", "inherit"] });
  };
  node("apps/cli/scripts/ensure-bundle.mjs");
  node("apps/cli/bin/homeostat.mjs", "envtest-assets", folder);
}

// `npm run check`: everything that can be said about the sources without running them. All checks
// run even when an early one fails, so that one run shows everything.
import { spawnSync } from "node:child_process";

const checks: ReadonlyArray<readonly [name: string, command: string, args: readonly string[]]> = [
  ["format", "biome", ["check", "--error-on-warnings", "."]],
  ["lint", "oxlint", ["--type-aware", "--deny-warnings"]],
  ["types", "tsc", ["--build"]],
  ["layers", "node", ["scripts/check-layers.ts"]],
  ["unused and undeclared", "knip", ["--no-progress"]],
];

const failed: string[] = [];
for (const [name, command, args] of checks) {
  console.log(`\n== ${name}: ${command} ${args.join(" ")}`);
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`\ncheck failed: ${failed.join("; ")}`);
  process.exit(1);
}
console.log("\ncheck: all clean");

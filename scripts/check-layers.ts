// Proves the layer table of scripts/layers.ts against every package.json and every import, and the
// copy of the table in ARCHITECTURE.md. A border without a failing check is a wish.
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { layers, pure } from "./layers.ts";

const scope = "@homeostat/";
const importPattern =
  /^\s*(?:import|export)\b[^"'`;]*?\bfrom\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm;

/** Every module a source text imports, in order. */
export function importsOf(source: string): string[] {
  return [...source.matchAll(importPattern)].map((match) => (match[1] ?? match[2] ?? match[3])!);
}

/** The table as ARCHITECTURE.md shows it. */
export function layerTable(): string {
  const rows = Object.entries(layers).map(
    ([name, allowed]) =>
      `| \`${name}\` | ${allowed.map((each) => `\`${each}\``).join(", ") || "nothing"} |`,
  );
  return ["| package | may import |", "|---|---|", ...rows].join("\n");
}

export function checkLayers(root: string): string[] {
  const problems: string[] = [];
  const folders = readdirSync(`${root}packages`);
  for (const folder of folders) {
    const allowed = layers[folder];
    if (allowed === undefined) {
      problems.push(`packages/${folder} has no row in scripts/layers.ts`);
      continue;
    }
    const manifest = JSON.parse(readFileSync(`${root}packages/${folder}/package.json`, "utf8"));
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const forTests = Object.keys(manifest.devDependencies ?? {});
    for (const name of declared.filter((each) => each.startsWith(scope))) {
      if (!allowed.includes(name.slice(scope.length))) {
        problems.push(
          `packages/${folder}/package.json depends on ${name}; allowed: ${allowed.join(", ") || "nothing"}`,
        );
      }
    }
    for (const file of globSync(`packages/${folder}/src/**/*.ts`, { cwd: root })) {
      const isTest = file.endsWith(".test.ts");
      for (const module of importsOf(readFileSync(root + file, "utf8"))) {
        if (module.startsWith(scope)) {
          const target = module.slice(scope.length).split("/")[0]!;
          if (!allowed.includes(target)) {
            problems.push(
              `${file} imports ${module}; ${folder} may import: ${allowed.join(", ") || "nothing"}`,
            );
          } else if (
            !declared.includes(scope + target) &&
            !(isTest && forTests.includes(scope + target))
          ) {
            problems.push(
              `${file} imports ${module}, which packages/${folder}/package.json does not declare`,
            );
          }
        } else if (
          module.startsWith("node:") &&
          !isTest &&
          pure[folder] &&
          !pure[folder].includes(module)
        ) {
          problems.push(`${file} imports ${module}; ${folder} is pure`);
        }
      }
    }
  }
  for (const name of Object.keys(layers)) {
    if (!folders.includes(name))
      problems.push(`scripts/layers.ts names ${name}, which packages/ lacks`);
  }
  const architecture = `${root}ARCHITECTURE.md`;
  if (!existsSync(architecture) || !readFileSync(architecture, "utf8").includes(layerTable())) {
    problems.push(
      `ARCHITECTURE.md does not show the layer table; it should contain:\n${layerTable()}`,
    );
  }
  return problems;
}

if (import.meta.main) {
  const problems = checkLayers(fileURLToPath(new URL("..", import.meta.url)));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
  console.log(`layers: ${Object.keys(layers).length} packages, every import points down`);
}

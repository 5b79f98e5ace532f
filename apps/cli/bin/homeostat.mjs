#!/usr/bin/env node
// Starts the bundled command: in this process where its Node is new enough, else in the Node that
// npm installed beside it. Plain JavaScript for any Node from 20 on, and no import more than needed:
// every millisecond here is one of the start.
const oldestNode = 24;

if (Number.parseInt(process.versions.node, 10) >= oldestNode) {
  const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);
  const BundleLoader = require("./load-bundle.cjs");
  const directory = `${import.meta.dirname}/../dist`;
  const loader = new BundleLoader({ directory, caches: cachesBeside(directory) });
  const { main } = loadMain(loader);
  const code = await main(process.argv.slice(2));
  loader.save();
  process.exit(code);
} else {
  const { findNode } = await import("./find-node.mjs");
  const node = findNode();
  if (node === undefined) {
    process.stderr.write(
      `homeostat needs Node ${oldestNode} or newer, this is ${process.version}. Install one ` +
        "(https://nodejs.org); on Linux, npm install in the project brings one along.\n",
    );
    process.exitCode = 1;
  } else {
    await runWith(node);
  }
}

/** As if this process were that one: its streams, its signals, its exit code. */
async function runWith(node) {
  const { spawn } = await import("node:child_process");
  const child = spawn(node, process.argv.slice(1), {
    stdio: "inherit",
    env: { ...process.env, HOMEOSTAT_LAUNCHER_MS: String(Math.round(process.uptime() * 1000)) },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => {
    process.stderr.write(`homeostat cannot start ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    if (signal === null) {
      process.exitCode = code ?? 1;
    } else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}

/** Where compiled code is kept: beside the bundle; in the user's cache where that cannot be written. */
function cachesBeside(directory) {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME, HOME } = process.env;
  if (NODE_DISABLE_COMPILE_CACHE === "1") return [];
  if (NODE_COMPILE_CACHE) return [NODE_COMPILE_CACHE];
  const cache = XDG_CACHE_HOME ?? (HOME && `${HOME}/.cache`);
  return [`${directory}/.compile-cache`, ...(cache ? [`${cache}/homeostat/compile-cache`] : [])];
}

function loadMain(loader) {
  try {
    return loader.loadMain();
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    process.stderr.write(
      `homeostat has not been bundled (${error.message}). In a clone of the repository, npm start does it.\n`,
    );
    process.exit(1);
  }
}

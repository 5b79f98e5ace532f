#!/usr/bin/env node
// Starts the bundled command: in this process where its Node is new enough, else in the Node that
// npm installed beside it. Plain JavaScript for any Node from 20 on, and no import more than needed:
// every millisecond here is one of the start.
import module from "node:module";
import { fileURLToPath } from "node:url";

const oldestNode = 24;

if (Number.parseInt(process.versions.node, 10) >= oldestNode) {
  const bundle = new URL("../dist/homeostat.mjs", import.meta.url);
  enableCompileCache();
  const { main } = await import(bundle.href).catch(explainMissingBundle);
  process.exit(await main(process.argv.slice(2)));
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

/** Beside the bundle; in the user's cache where that cannot be written. */
function enableCompileCache() {
  const { FAILED } = module.constants.compileCacheStatus;
  const beside = fileURLToPath(new URL("../dist/.compile-cache", import.meta.url));
  if (module.enableCompileCache(beside).status !== FAILED) return;
  const cache = process.env.XDG_CACHE_HOME ?? (process.env.HOME && `${process.env.HOME}/.cache`);
  if (cache) module.enableCompileCache(`${cache}/homeostat/compile-cache`);
}

function explainMissingBundle(error) {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  process.stderr.write(
    `homeostat has not been bundled (${error.message}). In a clone of the repository, npm start does it.\n`,
  );
  process.exit(1);
}

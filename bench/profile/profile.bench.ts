// `npm run bench -- profile`: where our API server's time goes under each load of the api-server
// benchmark. A profiled server is slower: shares count here, not speed. $HOMEOSTAT_BENCH_PROFILES names a
// folder in which to keep the profiles (.cpuprofile, for the developer tools of a browser).
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchContext } from "../harness/bench-context.ts";
import { type CpuProfile, hotFunctions } from "../harness/cpu-profile.ts";
import { DataFolder } from "../harness/data-folder.ts";
import { HomeostatPeer } from "../harness/homeostat-peer.ts";
import { drive, missingDriver } from "../harness/http-driver.ts";
import type { LoadedServer } from "../harness/loaded-server.ts";

const functionsShown = 15;
const patienceMilliseconds = 30_000;

class NoProfileError extends Error {
  readonly code = "NO_PROFILE";
}

export async function run(context: BenchContext): Promise<void> {
  const obstacle = HomeostatPeer.obstacle();
  if (obstacle !== undefined || missingDriver().length > 0) {
    context.note(`Nothing to profile: ${obstacle ?? "run `npm run assets -- http-driver`"}.`);
    return;
  }
  await using folder = new DataFolder("profile");
  const file = join(folder.path, "cpu.json");
  const reporter = new URL("../harness/report-cpu-profile.ts", import.meta.url);
  reporter.searchParams.set("file", file);
  await using peer = await HomeostatPeer.start({
    nodeArguments: ["--import", reporter.href],
    signal: context.signal,
  });
  const objects = context.quick ? 2_000 : 20_000;
  context.progress("filling");
  await drive("create", peer, { namespace: "base", objects });
  await drive("create", peer, { namespace: "base", kind: "pods", objects: 1000 });
  const server = profiled(peer);
  for (const [name, load] of Object.entries(loads(objects, context.quick ? 2 : 8))) {
    context.signal.throwIfAborted();
    context.progress(name);
    rmSync(file, { force: true });
    await load(server);
    const profile = await readProfile(file);
    keep(file, name);
    context.table({
      title: `Own time of functions: ${name}`,
      columns: ["function", "place", "share %"],
      rows: hotFunctions(profile, functionsShown).map((each) => [
        each.name,
        each.place,
        each.share * 100,
      ]),
    });
  }
}

function loads(
  objects: number,
  seconds: number,
): Readonly<Record<string, (server: LoadedServer) => Promise<unknown>>> {
  const base = { namespace: "base", objects, seconds };
  const lists = { ...base, inFlight: 1 };
  return {
    create: (server) => drive("create", server, { namespace: "new", objects: 500_000, seconds }),
    get: (server) => drive("get", server, base),
    update: (server) => drive("update", server, base),
    "status update": (server) => drive("status", server, { ...base, kind: "pods", objects: 1000 }),
    list: (server) => drive("list", server, { ...lists, variant: "whole" }),
    "list by label": (server) => drive("list", server, { ...lists, variant: "label" }),
    "list in pages": (server) => drive("list", server, { ...lists, variant: "paged" }),
    "fan-out": (server) =>
      drive("watch", server, { namespace: "watch", watchers: 1000, events: seconds * 20 }),
  };
}

/** The same server, profiled from the beginning of the measured phase to its end. */
function profiled(peer: HomeostatPeer): LoadedServer {
  return {
    name: peer.name,
    url: peer.url,
    files: peer.files,
    usage: () => peer.usage(),
    onPhase: (phase) => {
      if (phase === "measure" || phase === "verify") process.kill(peer.pid, "SIGUSR2");
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function readProfile(file: string): Promise<CpuProfile> {
  const begin = performance.now();
  while (!existsSync(file)) {
    if (performance.now() - begin > patienceMilliseconds) {
      throw new NoProfileError(`no profile was written within ${patienceMilliseconds} ms`);
    }
    await sleep(20);
  }
  return JSON.parse(readFileSync(file, "utf8")) as CpuProfile;
}

function keep(file: string, name: string): void {
  const folder = process.env["HOMEOSTAT_BENCH_PROFILES"];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  copyFileSync(file, join(folder, `${name.replaceAll(" ", "-")}.cpuprofile`));
}

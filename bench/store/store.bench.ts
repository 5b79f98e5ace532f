// `npm run bench -- store`: our stores beside a real etcd in the same run, round by round in turn.
// SQLite stands beside durable etcd, memory beside `--unsafe-no-fsync`. etcd is loaded by its own Go
// client over gRPC, ours in process, as each is used; ours counts the load's CPU as its own.
import { fileURLToPath } from "node:url";
import { buildShim } from "../../tests/torture/shim/preload-shim.ts";
import { alternate } from "../harness/alternate.ts";
import type { BenchContext } from "../harness/bench-context.ts";
import { DataFolder, dataRoot, fileSystemOf } from "../harness/data-folder.ts";
import { runDriver } from "../harness/driver-process.ts";
import { type CasResult, type Cost, EtcdPeer } from "../harness/etcd-peer.ts";
import { median, ratioInterval } from "../harness/statistics.ts";
import type {
  CasOutcome,
  MemoryOutcome,
  ReopenOutcome,
  StoreLoad,
  WatchOutcome,
} from "./store-load.ts";

type Backend = "sqlite" | "memory";
type LoadWithoutPlace = StoreLoad extends infer Each
  ? Each extends unknown
    ? Omit<Each, "directory">
    : never
  : never;

const loadProgram = fileURLToPath(new URL("./store-load.ts", import.meta.url));
const keys = 100_000;
const valueSize = 1024;

export async function run(context: BenchContext): Promise<void> {
  const { name, inMemory } = fileSystemOf(dataRoot());
  context.note(
    `Data on ${name}${inMemory ? ": durable figures say nothing here" : ""}; values of 1 KiB.`,
  );
  const missing = EtcdPeer.missingAssets();
  if (missing.length > 0) {
    context.note(
      `Without etcd: run \`npm run assets -- ${missing.join(" ")}\` for the comparison.`,
    );
  }
  const hasPeer = missing.length === 0;
  for (const backend of ["sqlite", "memory"] as const) {
    await compareWrites(context, backend, hasPeer);
  }
  await slowSync(context);
  await compareWatches(context, hasPeer);
  await compareMemory(context, hasPeer);
  await compareReopening(context, hasPeer);
}

/** Durable compare-and-set, one in flight and 1,024. */
async function compareWrites(
  context: BenchContext,
  backend: Backend,
  hasPeer: boolean,
): Promise<void> {
  const peerName = backend === "sqlite" ? "etcd" : "etcd --unsafe-no-fsync";
  await using etcd = hasPeer ? await startEtcd(context, backend === "sqlite") : undefined;
  await etcd?.preload({ keys, valueSize });
  const seconds = context.quick ? 2 : 5;
  const rounds = context.quick ? 1 : 5;
  const rows: (string | number)[][] = [];
  const ratios: string[] = [];
  for (const inFlight of [1, 1024]) {
    const results = await alternate<{ ours: CasOutcome; peer: (CasResult & Cost) | undefined }>(
      {
        ours: () =>
          runLoad<CasOutcome>(
            { type: "cas", backend, keys, valueSize, inFlight, seconds },
            context,
          ),
        peer: () => etcd?.cas({ keys, valueSize, inFlight, seconds }),
      },
      {
        rounds,
        signal: context.signal,
        onRound: (side, round) =>
          context.progress(`${backend} ${inFlight} in flight: ${side}, round ${round + 1}`),
      },
    );
    const ours = results.ours;
    const of = (pick: (each: CasOutcome) => number): number => median(ours.map(pick));
    rows.push([
      `${backend}, ${inFlight} in flight (${ours.at(-1)!.commitMode})`,
      of((each) => each.perSecond),
      of((each) => each.p50us),
      of((each) => each.p99us),
      of((each) => each.cpuUsPerWrite),
      of((each) => each.p99Milliseconds),
      of((each) => each.maxMilliseconds),
    ]);
    const peers = results.peer.filter((each) => each !== undefined);
    if (peers.length === 0) continue;
    const cpuOf = (each: CasResult & Cost): number => (each.serverCpuSeconds / each.writes) * 1e6;
    const peer = (pick: (each: CasResult & Cost) => number): number => median(peers.map(pick));
    rows.push([
      `${peerName}, ${inFlight} in flight`,
      peer((each) => each.perSecond),
      peer((each) => each.p50us),
      peer((each) => each.p99us),
      peer(cpuOf),
      "-",
      "-",
    ]);
    const speed = ratioInterval(
      ours.map((each) => each.perSecond),
      peers.map((each) => each.perSecond),
    );
    const cpu = ratioInterval(
      peers.map(cpuOf),
      ours.map((each) => each.cpuUsPerWrite),
    );
    ratios.push(
      `${backend} at ${inFlight} in flight: ${times(of((each) => each.perSecond) / peer((each) => each.perSecond), speed)} ` +
        `the writes of ${peerName}, its CPU per write is ${times(peer(cpuOf) / of((each) => each.cpuUsPerWrite), cpu)} ours.`,
    );
  }
  context.table({
    title: `Compare-and-set writes, ${keys.toLocaleString("en-US")} keys: ${backend} beside ${peerName}`,
    columns: [
      "store",
      "writes/s",
      "p50 us",
      "p99 us",
      "CPU us/write",
      "loop delay p99 ms",
      "max ms",
    ],
    rows,
  });
  for (const ratio of ratios) context.note(ratio);
}

/** A slow disk must not hold up the loop: commits leave it. */
async function slowSync(context: BenchContext): Promise<void> {
  const shim = await buildShim();
  const seconds = context.quick ? 2 : 5;
  const rows: (string | number)[][] = [];
  for (const inFlight of [1, 1024]) {
    context.progress(`sqlite ${inFlight} in flight, every sync 3 ms slower`);
    const environment = [`LD_PRELOAD=${shim}`, "FSYNC_DELAY_MS=3"];
    const load = { type: "cas", backend: "sqlite", keys, valueSize, inFlight, seconds } as const;
    const result = await runLoad<CasOutcome>(load, context, environment);
    const { perSecond, p50us, p99us, cpuUsPerWrite, p99Milliseconds, maxMilliseconds } = result;
    rows.push([
      `${inFlight} in flight (${result.commitMode})`,
      perSecond,
      p50us,
      p99us,
      cpuUsPerWrite,
      p99Milliseconds,
      maxMilliseconds,
    ]);
  }
  context.table({
    title: "SQLite with every sync slowed by 3 ms",
    columns: [
      "load",
      "writes/s",
      "p50 us",
      "p99 us",
      "CPU us/write",
      "loop delay p99 ms",
      "max ms",
    ],
    rows,
  });
}

async function compareWatches(context: BenchContext, hasPeer: boolean): Promise<void> {
  const inFlight = 64;
  const rows: (string | number | undefined)[][] = [];
  for (const watchers of [1, 100, 1000]) {
    const events = Math.min(
      context.quick ? 5_000 : 50_000,
      Math.ceil((context.quick ? 1e6 : 5e6) / watchers),
    );
    await using etcd = hasPeer ? await startEtcd(context, false) : undefined;
    const load = { keys: 1000, valueSize, watchers, events, inFlight };
    const results = await alternate<{ ours: WatchOutcome; peer: number | undefined }>(
      {
        ours: () => runLoad<WatchOutcome>({ type: "watch", backend: "memory", ...load }, context),
        peer: async () => (await etcd?.watch(load))?.perSecond,
      },
      {
        rounds: context.quick ? 1 : 3,
        signal: context.signal,
        onRound: (side) => context.progress(`${watchers} watchers: ${side}`),
      },
    );
    const ours = median(results.ours.map((each) => each.perSecond));
    const peers = results.peer.filter((each) => each !== undefined);
    const peer = peers.length === 0 ? undefined : median(peers);
    rows.push([
      watchers,
      events,
      ours,
      median(results.ours.map((each) => each.cpuUsPerDelivery)),
      peer,
      peer && ours / peer,
    ]);
  }
  context.table({
    title: "Watch: events delivered, each watcher sees every write in order (64 writes in flight)",
    columns: [
      "watchers",
      "events",
      "ours, deliveries/s",
      "CPU us/delivery",
      "etcd, deliveries/s",
      "ratio",
    ],
    rows,
  });
  context.note(
    "Ours delivers within the process; etcd's driver receives over gRPC on the same two cores.",
  );
}

async function compareMemory(context: BenchContext, hasPeer: boolean): Promise<void> {
  context.progress("memory per kept key");
  const ours = await runLoad<MemoryOutcome>(
    { type: "memory", backend: "memory", keys, valueSize },
    context,
  );
  const rows: (string | number)[][] = [["ours", ours.bytesPerKey]];
  if (hasPeer) {
    await using etcd = await startEtcd(context, false);
    const before = etcd.usage().residentBytes;
    await etcd.preload({ keys, valueSize });
    rows.push(["etcd", (etcd.usage().residentBytes - before) / keys]);
  }
  context.table({
    title: `Resident memory per kept key, ${keys.toLocaleString("en-US")} values of 1 KiB, no history`,
    columns: ["store", "bytes per key"],
    rows,
  });
}

async function compareReopening(context: BenchContext, hasPeer: boolean): Promise<void> {
  const many = context.quick ? 100_000 : 500_000;
  const rounds = context.quick ? 1 : 3;
  await using folder = new DataFolder("store-reopen");
  const place = { backend: "sqlite", keys: many, valueSize } as const;
  context.progress(`writing ${many} keys`);
  await runLoadIn<unknown>({ type: "preload", ...place, directory: folder.path }, context);
  await using etcd = hasPeer ? await startEtcd(context, true) : undefined;
  await etcd?.preload({ keys: many, valueSize });
  const results = await alternate<{
    ours: { whole: number; opening: number };
    peer: number | undefined;
  }>(
    {
      ours: async () => {
        const start = performance.now();
        const outcome = await runLoadIn<ReopenOutcome>(
          { type: "reopen", ...place, directory: folder.path },
          context,
        );
        if (outcome.keys !== many) throw new Error(`reopened with ${outcome.keys} keys of ${many}`);
        return { whole: performance.now() - start, opening: outcome.openMilliseconds };
      },
      peer: () => etcd?.restart(),
    },
    { rounds, signal: context.signal, onRound: (side) => context.progress(`reopening: ${side}`) },
  );
  const ours = median(results.ours.map((each) => each.whole));
  const peers = results.peer.filter((each) => each !== undefined);
  context.table({
    title: `Reopening ${many.toLocaleString("en-US")} keys`,
    columns: ["store", "process start to ready, ms", "of which opening, ms"],
    rows: [
      ["sqlite", ours, median(results.ours.map((each) => each.opening))],
      ...(peers.length > 0 ? [["etcd (restart to healthy)", median(peers), undefined]] : []),
    ],
  });
}

function startEtcd(context: BenchContext, durable: boolean): Promise<EtcdPeer> {
  context.progress(durable ? "starting etcd" : "starting etcd --unsafe-no-fsync");
  return EtcdPeer.start({ durable, signal: context.signal });
}

/** Runs a load in a process and folder of its own. */
async function runLoad<T>(
  load: LoadWithoutPlace,
  context: BenchContext,
  environment: string[] = [],
): Promise<T> {
  await using folder = new DataFolder("store");
  return runLoadIn<T>({ ...load, directory: folder.path }, context, environment);
}

async function runLoadIn<T>(
  load: StoreLoad,
  context: BenchContext,
  environment: string[] = [],
): Promise<T> {
  const node = [process.execPath, "--conditions=@homeostat/source", "--expose-gc", loadProgram];
  const commandArguments = [...environment, ...node, JSON.stringify(load)];
  const { signal } = context;
  return (await runDriver({
    command: "env",
    commandArguments,
    onPhase: () => undefined,
    signal,
  })) as T;
}

function times(ratio: number, interval: { low: number; high: number }): string {
  const text = (value: number): string => value.toFixed(1);
  return `${text(ratio)}x (95 %: ${text(interval.low)} to ${text(interval.high)})`;
}

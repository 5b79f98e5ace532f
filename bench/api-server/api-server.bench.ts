// `npm run bench -- api-server`: our API server as people start it, beside kube-apiserver + etcd (both
// durable) and beside a bare Node handler as the floor, round by round in turn on the same machine. The
// client is a Go program (http-driver/); CPU is that of the server's processes, read from outside, for
// the measured phase alone. The last table sets every cost beside its aim and says which is missed.
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchContext } from "../harness/bench-context.ts";
import { dataRoot, fileSystemOf } from "../harness/data-folder.ts";
import {
  drive,
  type LoadResult,
  missingDriver,
  type ServerCost,
  type WatchResult,
} from "../harness/http-driver.ts";
import type { LoadedServer } from "../harness/loaded-server.ts";
import { median } from "../harness/statistics.ts";
import { chosenSizes } from "./chosen-sizes.ts";
import { CostsBench } from "./costs.ts";
import { CustomResourcesBench } from "./custom-resources.ts";
import { showRequests } from "./request-table.ts";
import { type Aim, Scorecard } from "./scorecard.ts";
import { type BySide, obstacles, Servers, type Side } from "./servers.ts";
import { cpuMicroseconds, cpuMilliseconds, entries, mapSides, sideNames } from "./side-results.ts";
import { homeostatStart, kubeApiserverStart, type StartTimes } from "./start-time.ts";
import { wantedParts } from "./wanted-parts.ts";

interface Sizes {
  readonly rounds: number;
  readonly warmUpRounds: number;
  readonly seconds: number;
  readonly objects: number;
  readonly statusObjects: number;
  readonly lists: readonly number[];
  readonly listSeconds: number;
  readonly watchers: number;
  readonly events: number;
  readonly pods: number;
  readonly starts: number;
  readonly settleMilliseconds: number;
}

interface MemoryLoad {
  readonly kind: string;
  readonly objects: number;
  readonly fill: (
    server: LoadedServer,
    range: { first?: number; objects: number },
  ) => Promise<LoadResult>;
}

const full: Sizes = {
  rounds: 10,
  warmUpRounds: 2,
  seconds: 2,
  objects: 10_000,
  statusObjects: 2_000,
  lists: [10_000, 100_000],
  listSeconds: 2,
  watchers: 1000,
  events: 250,
  pods: 100_000,
  starts: 5,
  settleMilliseconds: 15_000,
};

const quick: Sizes = {
  rounds: 1,
  warmUpRounds: 0,
  seconds: 1,
  objects: 1_000,
  statusObjects: 300,
  lists: [1_000, 3_000],
  listSeconds: 0.5,
  watchers: 1000,
  events: 30,
  pods: 2_000,
  starts: 1,
  settleMilliseconds: 500,
};

export async function run(context: BenchContext): Promise<void> {
  const { name, inMemory } = fileSystemOf(dataRoot());
  context.note(
    `Data on ${name}${inMemory ? ": durable figures say nothing here" : ""}; ConfigMaps with 1 KiB of data and two ` +
      "labels, pods of 4.5 KB as stored; 64 requests in flight unless said.",
  );
  if (missingDriver().length > 0) {
    context.note("Nothing to measure with: run `npm run assets -- http-driver`.");
    return;
  }
  for (const [side, reason] of Object.entries(obstacles())) {
    context.note(`Without ${sideNames[side as Side]}: ${reason}.`);
  }
  if (context.quick) {
    context.note("Quick: the loads are too small for memory and lists to be judged by their aims.");
  }
  const bench = new ApiServerBench(context);
  const custom = new CustomResourcesBench(context, bench.card);
  const costs = new CostsBench(context, bench.card);
  const parts = {
    requests: () => bench.requests(),
    lists: () => bench.lists(),
    "fan-out": () => bench.fanOut(),
    pods: () => bench.pods(),
    start: () => bench.start(),
    custom: () => custom.run(),
    costs: () => costs.run(),
  };
  const wanted = wantedParts(Object.keys(parts));
  for (const [part, measure] of Object.entries(parts)) if (wanted.has(part)) await measure();
  bench.card.print(context);
}

class ApiServerBench {
  readonly card = new Scorecard();
  readonly #context: BenchContext;
  readonly #sizes: Sizes;

  constructor(context: BenchContext) {
    this.#context = context;
    this.#sizes = chosenSizes({ full, quick }, context.quick);
  }

  /** Creates, gets, updates, status updates, over HTTP/2 on one connection and over HTTP/1.1. */
  async requests(): Promise<void> {
    const { rounds, warmUpRounds, seconds, objects, statusObjects } = this.#sizes;
    await using servers = await Servers.start(this.#context);
    await servers.measure({ what: "filling", rounds: 1 }, async (server) => {
      await drive("create", server, { namespace: "base", objects });
      await drive("create", server, { namespace: "base", kind: "pods", objects: statusObjects });
    });
    const writing = { peerTimes: 5, floorTimes: 2 };
    for (const protocol of ["h2", "h1"]) {
      const base = { namespace: "base", protocol, seconds };
      const measure = (
        what: string,
        load: (server: LoadedServer, round: number) => Promise<LoadResult & ServerCost>,
      ): Promise<BySide<(LoadResult & ServerCost)[]>> =>
        servers.measure({ what: `${what} ${protocol}`, rounds, warmUpRounds }, load);
      const results = {
        create: await measure("create", (server, round) =>
          drive("create", server, {
            ...base,
            namespace: `create-${protocol}-${round}`,
            objects: 200_000,
          }),
        ),
        get: await measure("get", (server) => drive("get", server, { ...base, objects })),
        update: await measure("update", (server) => drive("update", server, { ...base, objects })),
        "status update": await measure("status update", (server) =>
          drive("status", server, { ...base, kind: "pods", objects: statusObjects }),
        ),
      };
      showRequests(this.#context, `Requests over ${protocolName(protocol)}, 64 in flight`, results);
      for (const [what, costs] of Object.entries(results)) {
        const aim = what === "status update" ? { floorTimes: 2 } : writing;
        this.#score(`${what}, ${protocolName(protocol)}`, costs, aim);
      }
    }
  }

  /** Lists, and beside them what ConfigMaps weigh in memory. */
  async lists(): Promise<void> {
    const { lists, listSeconds, rounds } = this.#sizes;
    await using servers = await Servers.start(this.#context);
    const most = lists.at(-1)!;
    await this.#memory(servers, {
      kind: "ConfigMap",
      objects: most,
      fill: (server, range) => drive("create", server, { namespace: `list-${most}`, ...range }),
    });
    const rows: (string | number | undefined)[][] = [];
    for (const objects of lists) {
      const namespace = `list-${objects}`;
      if (objects !== most) {
        await servers.measure({ what: `${objects} ConfigMaps`, rounds: 1 }, (server) =>
          drive("create", server, { namespace, objects }),
        );
      }
      for (const variant of ["whole", "label", "paged"] as const) {
        const load = { namespace, objects, variant, seconds: listSeconds, inFlight: 1 };
        const results = await servers.measure(
          { what: `list ${objects} ${variant}`, rounds },
          (server) => drive("list", server, load),
        );
        const what = `list ${objects.toLocaleString("en-US")}, ${listNames[variant]}`;
        for (const [side, measured] of entries(results)) {
          const milliseconds = median(measured.map((each) => each.p50us)) / 1000;
          const megabytes = median(measured.map((each) => each.bytes / each.requests)) / 1e6;
          const cpu = median(measured.map(cpuMilliseconds));
          rows.push([what, sideNames[side], megabytes, milliseconds, cpu]);
        }
        const costs = mapSides(results, (measured) => measured.map(cpuMilliseconds));
        this.card.add({ what, unit: "CPU ms", costs, aim: listAims[variant] });
      }
    }
    this.#context.table({
      title: "Lists, one at a time (HTTP/2)",
      columns: ["what", "server", "MB", "latency p50 ms", "server CPU ms"],
      rows,
    });
  }

  async fanOut(): Promise<void> {
    const { watchers, events, rounds } = this.#sizes;
    await using servers = await Servers.start(this.#context);
    const results = await servers.measure({ what: "fan-out", rounds }, (server, round) =>
      drive("watch", server, { namespace: `watch-${round}`, watchers, events, objects: events }),
    );
    const cpu = (each: WatchResult & ServerCost): number =>
      (each.serverCpuSeconds / each.deliveries) * 1e6;
    this.#context.table({
      title: `Watch fan-out: ${watchers.toLocaleString("en-US")} watchers, ${events} writes, each seen by all, in order`,
      columns: [
        "server",
        "deliveries/s",
        "server CPU us/delivery",
        "write to delivery p50 ms",
        "p99 ms",
        "watches cut",
      ],
      rows: entries(results).map(([side, measured]) => [
        sideNames[side],
        median(measured.map((each) => each.deliveriesPerSecond)),
        median(measured.map(cpu)),
        median(measured.map((each) => each.deliveryP50us / 1000)),
        median(measured.map((each) => each.deliveryP99us / 1000)),
        median(measured.map((each) => each.cuts)),
      ]),
    });
    this.card.add({
      what: `fan-out to ${watchers.toLocaleString("en-US")} watchers, a delivery`,
      unit: "CPU us",
      costs: mapSides(results, (measured) => measured.map(cpu)),
      aim: { peerTimes: 3, floorTimes: 2 },
    });
  }

  /** What pods weigh in memory. */
  async pods(): Promise<void> {
    await using servers = await Servers.start(this.#context, ["ours", "peer"]);
    await this.#memory(servers, {
      kind: "pod",
      objects: this.#sizes.pods,
      fill: (server, range) =>
        drive("create", server, { namespace: "pods", kind: "pods", ...range }),
    });
  }

  async start(): Promise<void> {
    const blocked = obstacles();
    const times: { [Name in Side]?: StartTimes[] } = {};
    const again: number[] = [];
    for (let round = 0; round < this.#sizes.starts; round++) {
      this.#context.signal.throwIfAborted();
      this.#context.progress(`start: round ${round + 1}`);
      if (blocked.ours === undefined) {
        const started = await homeostatStart();
        (times.ours ??= []).push(started.first);
        again.push(started.again.configMap);
      }
      if (blocked.peer === undefined) {
        (times.peer ??= []).push(await kubeApiserverStart(this.#context.signal));
      }
    }
    if (again.length > 0) {
      const milliseconds = Math.round(median(again));
      this.#context.note(`homeostat started again on its data: ${milliseconds} ms.`);
    }
    this.card.add({
      what: "process start to first Namespace created",
      unit: "ms",
      costs: mapSides(times, (each) => each.map(({ namespace }) => namespace)),
      aim: {},
    });
    this.card.add({
      what: "process start to first ConfigMap created",
      unit: "ms",
      costs: mapSides(times, (each) => each.map(({ configMap }) => configMap)),
      aim: { peerTimes: 20 },
    });
  }

  /** Resident memory once it has settled: empty, half full and full. */
  async #memory(servers: Servers, load: MemoryLoad): Promise<void> {
    const { kind, objects, fill } = load;
    const settled = async (): Promise<BySide<number[]>> => {
      await sleep(this.#sizes.settleMilliseconds);
      return servers.measure(
        { what: "memory", rounds: 1 },
        async (server) => server.usage().residentBytes,
      );
    };
    const half = objects / 2;
    const empty = await settled();
    await servers.measure({ what: `${half} ${kind}s`, rounds: 1 }, (server) =>
      fill(server, { objects: half }),
    );
    const middle = await settled();
    await servers.measure({ what: `${half} more ${kind}s`, rounds: 1 }, (server) =>
      fill(server, { first: half, objects: half }),
    );
    const filled = await settled();
    const perObject = mapSides(filled, (bytes, side) => [(bytes[0]! - empty[side]![0]!) / objects]);
    const mebibytes = (bytes: number): number => bytes / 2 ** 20;
    this.#context.table({
      title: `Resident memory: empty, and with ${objects.toLocaleString("en-US")} ${kind}s`,
      columns: [
        "server",
        "empty MiB",
        "filled MiB",
        `bytes per ${kind}`,
        `per ${kind} of the second half`,
      ],
      rows: entries(filled).map(([side, bytes]) => [
        sideNames[side],
        mebibytes(empty[side]![0]!),
        mebibytes(bytes[0]!),
        perObject[side]![0],
        (bytes[0]! - middle[side]![0]!) / half,
      ]),
    });
    const { ours, peer } = perObject;
    this.card.add({
      what: `memory per ${kind}`,
      unit: "bytes",
      costs: { ...(ours && { ours }), ...(peer && { peer }) },
      aim: { peerTimes: 8 },
    });
  }

  #score(what: string, results: BySide<(LoadResult & ServerCost)[]>, aim: Aim): void {
    const costs = mapSides(results, (measured) => measured.map(cpuMicroseconds));
    this.card.add({ what, unit: "CPU us", costs, aim });
  }
}

const listNames = { whole: "whole", label: "1 % by label", paged: "in pages of 500" } as const;

const listAims: Readonly<Record<keyof typeof listNames, Aim>> = {
  whole: { floorTimes: 1.3 },
  label: { peerTimes: 50, floorTimes: 2 },
  paged: { floorTimes: 2 },
};

function protocolName(protocol: string): string {
  return protocol === "h2" ? "HTTP/2" : "HTTP/1.1";
}

// The part "costs" of the api-server benchmark: what TLS, authorization, admission and protobuf cost, by
// the same requests to servers that differ in one of them (variant-servers.ts), over HTTP/2, 64 in
// flight. Our server and kube-apiserver have no plain-text listener, so what TLS costs a request is seen
// on the bare handler, and what a handshake costs by a connection for every request.
import { DEFAULT_ADMISSION_PLUGINS } from "@homeostat/api-server";
import type { BenchContext } from "../harness/bench-context.ts";
import { type DriverOptions, drive } from "../harness/http-driver.ts";
import type { LoadedServer } from "../harness/loaded-server.ts";
import { median } from "../harness/statistics.ts";
import { chosenSizes } from "./chosen-sizes.ts";
import { type CostRow, showCosts, type WithAndWithout } from "./cost-table.ts";
import { LimitedUser } from "./limited-user.ts";
import type { Aim, Scorecard } from "./scorecard.ts";
import type { Side } from "./servers.ts";
import {
  type Costed,
  cpuMicroseconds,
  cpuMilliseconds,
  entries,
  mapSides,
  sideNames,
} from "./side-results.ts";
import {
  type ByVariant,
  type Variant,
  type VariantLoad,
  type VariantMeasuring,
  VariantServers,
} from "./variant-servers.ts";

interface Sizes {
  readonly rounds: number;
  readonly warmUpRounds: number;
  readonly seconds: number;
  /** ConfigMaps, and half as many pods, that are read and written. */
  readonly objects: number;
  readonly listed: number;
  readonly listSeconds: number;
}

const full: Sizes = {
  rounds: 5,
  // Every variant is a server of its own, and V8 compiles for some seconds.
  warmUpRounds: 3,
  seconds: 1.5,
  objects: 2_000,
  listed: 10_000,
  listSeconds: 2,
};
const quick: Sizes = {
  rounds: 1,
  warmUpRounds: 0,
  seconds: 0.2,
  objects: 128,
  listed: 300,
  listSeconds: 0.2,
};

interface Request {
  readonly what: string;
  readonly aim: Aim;
  readonly load: VariantLoad<Costed>;
}

/** The same requests with `with` and with `without`; a cost is seen on the sides that have both. */
interface Comparison {
  readonly what: string;
  readonly with: Variant;
  readonly without: Variant;
  /** Whose figures stand in the columns of ours. */
  readonly mine: Side;
}

const comparisons: readonly Comparison[] = [
  { what: "RBAC", with: "whole", without: "any user", mine: "ours" },
  {
    what: `${DEFAULT_ADMISSION_PLUGINS.length - 1} admission plugins`,
    with: "whole",
    without: "no plugins",
    mine: "ours",
  },
  { what: "protobuf, not JSON", with: "protobuf", without: "whole", mine: "ours" },
  { what: "TLS, on the bare handler", with: "whole", without: "plain text", mine: "floor" },
];

const getting = "get a ConfigMap";

export class CostsBench {
  readonly #context: BenchContext;
  readonly #card: Scorecard;
  readonly #sizes: Sizes;

  constructor(context: BenchContext, card: Scorecard) {
    this.#context = context;
    this.#card = card;
    this.#sizes = chosenSizes({ full, quick }, context.quick);
  }

  async run(): Promise<void> {
    await using user = await LimitedUser.create();
    await using servers = await VariantServers.start(this.#context, user);
    const { objects, rounds, warmUpRounds } = this.#sizes;
    await servers.measure({ what: "filling", rounds: 1 }, async (server, _, options) => {
      const base = { ...options, namespace: "base" };
      await drive("create", server, { ...base, objects });
      await drive("create", server, { ...base, kind: "pods", objects: objects / 2 });
    });
    const results = new Map<string, ByVariant<Costed[]>>();
    for (const { what, aim, load } of this.#requests()) {
      const measured = await this.#measure(servers, { what, rounds, warmUpRounds }, load);
      results.set(what, measured);
      this.#score(what, measured, aim);
    }
    const rows = comparisons.flatMap((comparison) =>
      [...results].map(([request, measured]) => costRow(comparison, request, measured)),
    );
    rows.push(...(await this.#connections(servers, results.get(getting)!)));
    showCosts(this.#context, "What it costs: server CPU us a request, HTTP/2, 64 in flight", rows);
    await this.#lists(servers);
  }

  #requests(): readonly Request[] {
    const { seconds, objects } = this.#sizes;
    const base = { namespace: "base", objects, seconds };
    const pods = { ...base, kind: "pods", objects: objects / 2 };
    const fresh = (round: number): DriverOptions => ({
      namespace: `create-${round}`,
      objects: 200_000,
      seconds,
    });
    return [
      {
        what: "create a ConfigMap",
        aim: { peerTimes: 5, floorTimes: 2 },
        load: (server, round, options) => drive("create", server, { ...fresh(round), ...options }),
      },
      {
        what: getting,
        aim: { peerTimes: 5, floorTimes: 2 },
        load: (server, _, options) => drive("get", server, { ...base, ...options }),
      },
      {
        what: "update a ConfigMap",
        aim: { peerTimes: 5, floorTimes: 2 },
        load: (server, _, options) => drive("update", server, { ...base, ...options }),
      },
      {
        what: "create a pod",
        aim: { peerTimes: 5 },
        load: (server, round, options) =>
          drive("create", server, { ...fresh(round), kind: "pods", ...options }),
      },
      {
        what: "update a pod's status",
        aim: { peerTimes: 5, floorTimes: 2 },
        load: (server, _, options) => drive("status", server, { ...pods, ...options }),
      },
    ];
  }

  /** With everything on and in protobuf: the bare handler is the floor of the former alone. */
  #score(what: string, { whole, protobuf }: ByVariant<Costed[]>, aim: Aim): void {
    const unit = "CPU us";
    const add = (name: string, measured: typeof whole, wanted: Aim): void => {
      const costs = mapSides(measured ?? {}, (each) => each.map(cpuMicroseconds));
      this.#card.add({ what: name, unit, costs, aim: wanted });
    };
    add(`${what}, by a role`, whole, aim);
    add(`${what}, by a role, protobuf`, protobuf, { peerTimes: aim.peerTimes! });
  }

  /** As the servers do it; a load with errors is told, for its figures say little. */
  async #measure(
    servers: VariantServers,
    measuring: VariantMeasuring,
    load: VariantLoad<Costed>,
  ): Promise<ByVariant<Costed[]>> {
    const measured = await servers.measure(measuring, load);
    for (const [variant, bySide] of Object.entries(measured)) {
      for (const [side, each] of entries(bySide)) {
        const failed = each.find(({ errors }) => errors > 0);
        if (failed === undefined) continue;
        const { errors, firstError } = failed;
        const who = `${measuring.what}, ${variant}, ${sideNames[side]}`;
        this.#context.note(`${who}: ${errors} errors, such as ${firstError}`);
      }
    }
    return measured;
  }

  /** A connection for every GET, beside the GETs that share one. */
  async #connections(servers: VariantServers, shared: ByVariant<Costed[]>): Promise<CostRow[]> {
    const { rounds, seconds, objects } = this.#sizes;
    const what = `${getting} on a connection of its own`;
    const only = ["whole", "plain text"] as const;
    const own = await this.#measure(servers, { what, rounds, only }, (server) =>
      drive("connect", server, { namespace: "base", objects, seconds }),
    );
    const costs = mapSides(own.whole ?? {}, (each) => each.map(cpuMicroseconds));
    this.#card.add({ what: `${what}, by a role`, unit: "CPU us", costs, aim: {} });
    const row = (name: string, variant: Variant, mine: Side): CostRow => ({
      what: name,
      request: getting,
      ours: figures(own[variant]?.[mine], shared[variant]?.[mine]),
      ...(mine === "ours" && { peer: figures(own[variant]?.peer, shared[variant]?.peer) }),
    });
    return [
      row("a connection for each, TLS", "whole", "ours"),
      row("a connection for each, TLS, on the bare handler", "whole", "floor"),
      row("a connection for each, plain text, on the bare handler", "plain text", "floor"),
    ];
  }

  /** What controllers do when they start: all pods at once, in protobuf where they are Go programs. */
  async #lists(servers: VariantServers): Promise<void> {
    const { listed, listSeconds, rounds } = this.#sizes;
    const only = ["protobuf"] as const;
    const pods = { namespace: "listed", kind: "pods", objects: listed };
    const what = `${listed.toLocaleString("en-US")} pods`;
    await servers.measure({ what, rounds: 1, only }, (server, _, options) =>
      drive("create", server, { ...pods, ...options }),
    );
    const rows: (string | number)[][] = [];
    const list = (encoding: string) => (server: LoadedServer) =>
      drive("list", server, { ...pods, seconds: listSeconds, inFlight: 1, encoding });
    for (const [encoding, aim] of [
      ["json", {}],
      ["protobuf", { peerTimes: 5 }],
    ] as const) {
      const name = `list ${what}, ${encoding}`;
      const measuring = { what: name, rounds, only };
      const { protobuf = {} } = await this.#measure(servers, measuring, list(encoding));
      const costs = mapSides(protobuf, (each) => each.map(cpuMilliseconds));
      this.#card.add({ what: name, unit: "CPU ms", costs, aim });
      for (const [side, measured] of entries(protobuf)) {
        rows.push([
          name,
          sideNames[side],
          median(measured.map((each) => each.bytes / each.requests)) / 1e6,
          median(measured.map((each) => each.p50us)) / 1000,
          median(costs[side]!),
        ]);
      }
    }
    this.#context.table({
      title: `Lists of ${what}, one at a time`,
      columns: ["what", "server", "MB", "latency p50 ms", "server CPU ms"],
      rows,
    });
  }
}

function costRow(comparison: Comparison, request: string, measured: ByVariant<Costed[]>): CostRow {
  const of = (side: Side): WithAndWithout | undefined =>
    figures(measured[comparison.with]?.[side], measured[comparison.without]?.[side]);
  return { what: comparison.what, request, ours: of(comparison.mine), peer: of("peer") };
}

function figures(
  having: readonly Costed[] | undefined,
  lacking: readonly Costed[] | undefined,
): WithAndWithout | undefined {
  if (having === undefined || lacking === undefined) return undefined;
  return { with: having.map(cpuMicroseconds), without: lacking.map(cpuMicroseconds) };
}

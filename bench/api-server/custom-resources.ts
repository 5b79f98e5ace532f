// The part "custom" of the api-server benchmark: server-side apply, custom resources, and what installing
// their definitions costs, beside kube-apiserver + etcd (the bare handler knows none of it). A widget is a
// custom resource with 20 fields and 9 CEL rules (http-driver/widget.go). All over HTTP/2.
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchContext } from "../harness/bench-context.ts";
import { type DriverOptions, drive } from "../harness/http-driver.ts";
import type { LoadedServer } from "../harness/loaded-server.ts";
import { median } from "../harness/statistics.ts";
import { chosenSizes } from "./chosen-sizes.ts";
import { showRequests } from "./request-table.ts";
import type { Aim, Scorecard } from "./scorecard.ts";
import { type BySide, Servers, type Side } from "./servers.ts";
import { type Costed, cpuMicroseconds, entries, mapSides, sideNames } from "./side-results.ts";

interface Sizes {
  readonly rounds: number;
  readonly warmUpRounds: number;
  readonly seconds: number;
  /** Objects that are applied to, and widgets that are read and written. */
  readonly objects: number;
  readonly listed: number;
  readonly watchers: number;
  readonly events: number;
  readonly definitions: number;
  readonly largeDefinitions: number;
  /** How long a server may work on after an installation: it counts as part of it. */
  readonly settleSeconds: number;
}

const full: Sizes = {
  rounds: 10,
  warmUpRounds: 2,
  seconds: 2,
  objects: 2_000,
  listed: 10_000,
  watchers: 1000,
  events: 200,
  definitions: 200,
  largeDefinitions: 3,
  settleSeconds: 10,
};

const quick: Sizes = {
  rounds: 1,
  warmUpRounds: 0,
  seconds: 1,
  objects: 200,
  listed: 500,
  watchers: 100,
  events: 30,
  definitions: 10,
  largeDefinitions: 1,
  settleSeconds: 1,
};

const sides: readonly Side[] = ["ours", "peer"];
const aim: Aim = { peerTimes: 5 };
const mebibyte = 2 ** 20;

interface Installing {
  readonly what: string;
  readonly rounds: number;
  readonly options: (round: number) => DriverOptions;
}

type Load = (server: LoadedServer, round: number) => Promise<Costed>;

export class CustomResourcesBench {
  readonly #context: BenchContext;
  readonly #card: Scorecard;
  readonly #sizes: Sizes;

  constructor(context: BenchContext, card: Scorecard) {
    this.#context = context;
    this.#card = card;
    this.#sizes = chosenSizes({ full, quick }, context.quick);
  }

  async run(): Promise<void> {
    await this.#apply();
    await this.#customResources();
    await this.#definitions();
  }

  /** One manager owns every field; applies find nothing, something changed, or nothing changed. */
  async #apply(): Promise<void> {
    await using servers = await Servers.start(this.#context, sides);
    const { objects, seconds } = this.#sizes;
    const loads: Record<string, Load> = {};
    for (const kind of ["configmaps", "deployments", "widgets"]) {
      await servers.measure({ what: `applying ${kind}`, rounds: 1 }, (server) =>
        drive("apply", server, { namespace: "base", kind, objects }),
      );
      const base = { namespace: "base", kind, objects, seconds };
      loads[`apply that creates, ${kind}`] = (server, round) =>
        drive("apply", server, { ...base, namespace: `apply-${round}`, objects: 200_000 });
      loads[`apply that changes, ${kind}`] = (server) =>
        drive("apply", server, { ...base, variant: "change" });
      loads[`apply that changes nothing, ${kind}`] = (server) =>
        drive("apply", server, { ...base, variant: "same" });
    }
    await this.#measureAll(servers, "Server-side apply", loads);
  }

  async #customResources(): Promise<void> {
    await using servers = await Servers.start(this.#context, sides);
    const { objects, seconds, listed } = this.#sizes;
    const widgets = { kind: "widgets", seconds };
    const base = { ...widgets, namespace: "base", objects };
    const list = { ...widgets, namespace: "listed", objects: listed, inFlight: 1 };
    await servers.measure({ what: "filling", rounds: 1 }, async (server) => {
      await drive("create", server, { namespace: "base", kind: "widgets", objects });
      await drive("create", server, { namespace: "listed", kind: "widgets", objects: listed });
    });
    const count = listed.toLocaleString("en-US");
    await this.#measureAll(servers, "Custom resources: 20 fields, 9 rules", {
      "create, widgets": (server, round) =>
        drive("create", server, { ...widgets, namespace: `create-${round}`, objects: 200_000 }),
      "get, widgets": (server) => drive("get", server, base),
      "update, widgets": (server) => drive("update", server, base),
      "status update, widgets": (server) => drive("status", server, base),
      [`list ${count} widgets (one at a time)`]: (server) => drive("list", server, list),
      [`list 1 % of ${count} widgets by label (one at a time)`]: (server) =>
        drive("list", server, { ...list, variant: "label" }),
    });
    await this.#fanOut(servers);
  }

  async #fanOut(servers: Servers): Promise<void> {
    const { watchers, events, rounds } = this.#sizes;
    const results = await servers.measure({ what: "fan-out of widgets", rounds }, (server, round) =>
      drive("watch", server, {
        kind: "widgets",
        namespace: `watch-${round}`,
        watchers,
        events,
        objects: events,
      }),
    );
    const costs = mapSides(results, (measured) =>
      measured.map((each) => (each.serverCpuSeconds / each.deliveries) * 1e6),
    );
    const what = `fan-out of widgets to ${watchers.toLocaleString("en-US")} watchers, a delivery`;
    this.#card.add({ what, unit: "CPU us", costs, aim: { peerTimes: 3 } });
  }

  /** Many definitions, then large ones: time, CPU and memory, and what a widget costs beside them. */
  async #definitions(): Promise<void> {
    const { definitions, largeDefinitions, seconds } = this.#sizes;
    await using servers = await Servers.start(this.#context, sides);
    const rows = await this.#install(servers, {
      what: `${definitions} definitions with the schema of widgets`,
      rounds: 1,
      options: () => ({ objects: definitions, inFlight: 8 }),
    });
    await this.#measureAll(servers, `Custom resources beside ${definitions} definitions`, {
      [`create, widgets beside ${definitions} definitions`]: (server, round) => {
        const namespace = `create-${round}`;
        return drive("create", server, { kind: "widgets", namespace, objects: 200_000, seconds });
      },
    });
    rows.push(
      ...(await this.#install(servers, {
        what: "a definition of 1 MiB",
        rounds: largeDefinitions,
        options: (round) => ({ first: 10_000 + round, objects: 1, inFlight: 1, size: mebibyte }),
      })),
    );
    this.#context.table({
      title: `Installing definitions, until their objects can be listed; CPU until ${this.#sizes.settleSeconds} s later`,
      columns: ["what", "server", "seconds", "server CPU s", "more resident MiB"],
      rows,
    });
  }

  async #install(servers: Servers, installing: Installing): Promise<(string | number)[][]> {
    const { what, rounds, options } = installing;
    const { settleSeconds } = this.#sizes;
    const before = await this.#memory(servers);
    const results = await servers.measure({ what, rounds }, (server, round) =>
      drive("install", server, { ...options(round), settle: `${settleSeconds}s` }),
    );
    const after = await this.#memory(servers);
    const grown = mapSides(after, (bytes, side) => [
      (bytes[0]! - before[side]![0]!) / rounds / mebibyte,
    ]);
    const cpu = mapSides(results, (measured) => measured.map((each) => each.serverCpuSeconds));
    this.#card.add({ what: `install ${what}`, unit: "CPU s", costs: cpu, aim });
    this.#card.add({ what: `memory of ${what}`, unit: "MiB", costs: grown, aim: {} });
    return entries(results).map(([side, measured]) => [
      what,
      sideNames[side],
      median(measured.map((each) => each.seconds)),
      median(cpu[side]!),
      grown[side]![0]!,
    ]);
  }

  async #memory(servers: Servers): Promise<BySide<number[]>> {
    await sleep(this.#sizes.settleSeconds * 1000);
    return servers.measure(
      { what: "memory", rounds: 1 },
      async (server) => server.usage().residentBytes,
    );
  }

  async #measureAll(
    servers: Servers,
    title: string,
    loads: Readonly<Record<string, Load>>,
  ): Promise<void> {
    const { rounds, warmUpRounds } = this.#sizes;
    const results: Record<string, BySide<Costed[]>> = {};
    for (const [what, load] of Object.entries(loads)) {
      const measured = await servers.measure({ what, rounds, warmUpRounds }, load);
      results[what] = measured;
      const costs = mapSides(measured, (each) => each.map(cpuMicroseconds));
      this.#card.add({ what, unit: "CPU us", costs, aim });
    }
    showRequests(this.#context, title, results);
  }
}

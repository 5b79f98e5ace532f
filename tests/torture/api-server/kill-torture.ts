/**
 * `npm run torture -- api-server`: the server as people start it, under clients that write and watch over
 * HTTPS, killed with SIGKILL at a random moment and started again on the same data, many times. Nothing
 * acknowledged may be lost (ledger.ts), versions never go back, and a watcher that goes on at its last
 * version hears every change exactly once (watch-record.ts).
 */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SeededRandom } from "@homeostat/concurrency";
import { HomeostatPeer } from "../../../bench/harness/homeostat-peer.ts";
import type { Violation } from "../store/violation.ts";
import type { PartResult, TortureContext } from "../torture-part.ts";
import { ApiClient, UnansweredError } from "./api-client.ts";
import { Ledger } from "./ledger.ts";
import type { Plant } from "./plant.ts";
import { NotReadyError, ServerProcess } from "./server-process.ts";
import { WatchRecord } from "./watch-record.ts";
import { Watcher } from "./watcher.ts";
import { chosenColour, collection, isChosen, namespace, stateOf, Writers } from "./writers.ts";

export interface KillTortureOptions {
  readonly kills: number;
  /** Stop after this many milliseconds although kills are left. */
  readonly maxTime: number | undefined;
  readonly plant: Plant | undefined;
}

type Moment = "opening" | "writing" | "closing" | "closed";

const writers = 16;
/** At most so many writes are acknowledged in a life, and it takes at most so long. */
const mostWrites = 600;
const writingPatience = 3000;
/** The last object of all; every watcher has to hear of it. */
const sentinel = "sentinel-0";
const sentinelPatience = 60_000;

export function tortureServerByKills(
  context: TortureContext,
  options: KillTortureOptions,
): Promise<PartResult> {
  return new KillTorture(context, options).run();
}

class KillTorture {
  readonly #context: TortureContext;
  readonly #options: KillTortureOptions;
  readonly #random: SeededRandom;
  readonly #folder: string;
  readonly #ledger = new Ledger();
  readonly #violations: Violation[] = [];
  readonly #moments = { opening: 0, writing: 0, closing: 0, closed: 0 };
  #watchers: readonly Watcher[] = [];
  #life = 0;
  #slowestStart = 0;
  /** How the life before ended. */
  #before = "nothing before";

  constructor(context: TortureContext, options: KillTortureOptions) {
    this.#context = context;
    this.#options = options;
    this.#random = context.random.fork("api-server kills");
    this.#folder = context.workspace.newDirectory("api-server");
  }

  async run(): Promise<PartResult> {
    const { kills, maxTime = Number.POSITIVE_INFINITY } = this.#options;
    HomeostatPeer.prepare();
    const deadline = performance.now() + maxTime;
    while (this.#kills < kills && performance.now() < deadline && this.#isFine()) {
      await this.#live(this.#life === 0 ? "writing" : this.#chooseMoment());
      this.#plantRollBack();
      this.#context.progress(
        `${this.#kills} of ${kills} kills, ${this.#ledger.acknowledged} writes acknowledged, ` +
          `${this.#violations.length} violations`,
      );
    }
    // The last kill is judged too, and ending in peace must lose nothing either.
    if (this.#isFine()) await this.#live("closed");
    if (this.#isFine()) {
      for (const { record } of this.#watchers) this.#report(record.compare(this.#ledger));
    }
    return this.#result();
  }

  get #kills(): number {
    return this.#moments.opening + this.#moments.writing + this.#moments.closing;
  }

  #isFine(): boolean {
    return this.#violations.length === 0;
  }

  #chooseMoment(): Moment {
    // What a planted roll-back takes away must have been written.
    if (this.#options.plant === "roll-back") return "writing";
    const chance = this.#random.below(100);
    if (chance < 12) return "opening";
    return chance < 25 ? "closing" : "writing";
  }

  /** One life of the server. */
  async #live(moment: Moment): Promise<void> {
    this.#life += 1;
    const random = this.#random.fork(this.#life);
    const { workspace } = this.#context;
    const begin = performance.now();
    const server = new ServerProcess({ workspace, folder: this.#folder });
    if (moment === "opening") await sleep(random.float() * this.#slowestStart);
    else {
      try {
        const access = await server.ready();
        this.#slowestStart = Math.max(this.#slowestStart, performance.now() - begin);
        using client = new ApiClient(access);
        await this.#serve({ server, client, moment, random });
      } catch (error) {
        if (!(error instanceof NotReadyError || error instanceof UnansweredError)) throw error;
        const kind = error instanceof NotReadyError ? error.code : "died";
        this.#report([{ kind, detail: `${error.message} ${server.errorOutput}` }]);
      }
    }
    if (moment !== "closed") server.signal("SIGKILL");
    await server.ended();
    this.#moments[moment] += 1;
    this.#before = `life ${this.#life}, ended ${moment}`;
  }

  /** What clients do while it lives. */
  async #serve(life: {
    server: ServerProcess;
    client: ApiClient;
    moment: Moment;
    random: SeededRandom;
  }): Promise<void> {
    const { server, client, moment, random } = life;
    if (this.#watchers.length === 0) await this.#begin(client);
    await this.#look(client);
    if (!this.#isFine()) return;
    const over = new AbortController();
    const following = this.#watchers.map(async (watcher) => {
      while (!over.signal.aborted) {
        await watcher.follow(client);
        await sleep(2);
      }
    });
    const writing = new Writers({
      client,
      ledger: this.#ledger,
      random,
      life: this.#life,
      report: (violations) => this.#report(violations),
    });
    const written = writing.run(writers);
    const least = this.#options.plant === undefined ? 0 : 50;
    await this.#writeSome(least + random.below(mostWrites));
    if (moment === "closed") {
      writing.stop();
      await written;
      await this.#end(client);
    }
    if (moment !== "writing") server.signal("SIGTERM");
    if (moment === "closing") await sleep(random.float() * 40);
    if (moment !== "closed") server.signal("SIGKILL");
    const code = await server.ended();
    over.abort();
    await Promise.all([written, ...following]);
    if (moment !== "closed" || code === 0) return;
    const detail = `after SIGTERM it ended with ${code ?? "a signal"}: ${server.errorOutput}`;
    this.#report([{ kind: "died", detail }]);
  }

  /** Waits until so many more writes were acknowledged; a machine may be too slow for it. */
  async #writeSome(count: number): Promise<void> {
    const enough = this.#ledger.acknowledged + count;
    const begin = performance.now();
    while (this.#ledger.acknowledged < enough && performance.now() - begin < writingPatience) {
      await sleep(1);
    }
  }

  /** The first life: where the objects will be, and who watches them. */
  async #begin(client: ApiClient): Promise<void> {
    const metadata = { name: namespace };
    await client.send("POST", "/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata,
    });
    const { body } = await client.send("GET", collection);
    const from = Number(body.metadata?.resourceVersion);
    const { plant } = this.#options;
    const report = (violations: readonly Violation[]): void => this.#report(violations);
    const watcher = (record: WatchRecord, path: string): Watcher =>
      new Watcher({ record, path, report, plant });
    this.#watchers = [
      watcher(new WatchRecord({ name: "watcher of the namespace", from }), collection),
      watcher(new WatchRecord({ name: "watcher of all namespaces", from }), "/api/v1/configmaps"),
      watcher(
        new WatchRecord({ name: "watcher by label", from, concerns: isChosen }),
        `${collection}?labelSelector=colour%3D${chosenColour}`,
      ),
    ];
  }

  /** What the server shows after its start, before anybody writes. */
  async #look(client: ApiClient): Promise<void> {
    const { status, body } = await client.send("GET", collection);
    if (status !== 200) {
      this.#report([{ kind: "wrong-answer", detail: `the list was answered ${status}` }]);
      return;
    }
    const found = new Map(
      (body.items ?? []).map((item) => [item.metadata?.name ?? "", stateOf(item)]),
    );
    const reached = Math.max(0, ...this.#watchers.map(({ record }) => record.reached));
    const version = Number(body.metadata?.resourceVersion);
    const violations = this.#ledger.compare(found, version);
    if (version < reached) {
      const detail = `a watcher heard of version ${reached}, but the list is at ${version}`;
      violations.push({ kind: "revision-went-back", detail });
    }
    this.#report(violations);
  }

  /** The last write, and the wait until every watcher has heard of it. */
  async #end(client: ApiClient): Promise<void> {
    const body = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: sentinel, labels: { colour: chosenColour } },
      data: { mark: "last" },
    };
    this.#ledger.issue(sentinel, { type: "create", mark: "last" });
    const answer = await client.send("POST", collection, body);
    this.#report(this.#ledger.answered(sentinel, stateOf(answer.body)));
    const { highest } = this.#ledger;
    const begin = performance.now();
    for (const { record } of this.#watchers) {
      while (record.reached < highest && performance.now() - begin < sentinelPatience) {
        await sleep(5);
      }
    }
  }

  #report(violations: readonly Violation[]): void {
    // After the first violation nobody knows what to expect.
    if (!this.#isFine()) return;
    for (const { kind, detail } of violations)
      this.#violations.push({ kind, detail: `after ${this.#before}: ${detail}` });
  }

  /** A planted fault: what was written between the third and the fifth life is taken away. */
  #plantRollBack(): void {
    if (this.#options.plant !== "roll-back") return;
    const [data, copy] = [join(this.#folder, "data"), join(this.#folder, "older")];
    if (this.#life === 3) cpSync(data, copy, { recursive: true });
    if (this.#life !== 5) return;
    rmSync(data, { recursive: true });
    cpSync(copy, data, { recursive: true });
  }

  #result(): PartResult {
    const { opening, writing, closing, closed } = this.#moments;
    const heard = this.#watchers.reduce((sum, { record }) => sum + record.events, 0);
    const resumed = this.#watchers.reduce((sum, { resumptions }) => sum + resumptions, 0);
    return {
      name: "kills of the API server",
      facts: [
        ["kills", `${this.#kills}: ${opening} opening, ${writing} writing, ${closing} closing`],
        ["closed in peace", String(closed)],
        ["acknowledged writes", String(this.#ledger.acknowledged)],
        ["slowest start", `${Math.round(this.#slowestStart)} ms`],
        ["watches resumed", String(resumed)],
        ["events heard", String(heard)],
      ],
      violations: this.#violations,
    };
  }
}

// `npm run bench -- stalls`: what one client's load does to another. While one client lists all pods,
// one posts bodies of 3 MiB and one reads a watch at 1 KB/s, another client's GETs are measured, and how
// long the server's loop kept everybody waiting; likewise while one sends what is as expensive to check as
// Kubernetes lets it be (http-driver/strain.go: rules that use the whole CEL budget up, patterns that
// kill backtracking engines, objects and definitions of 1 MiB). Then a server held to 512 MiB is filled until
// it refuses: it has to say so with a Status instead of dying.
import { join } from "node:path";
import { BareHandlerPeer } from "../api-server/bare-handler-peer.ts";
import { kubeServer, obstacles } from "../api-server/servers.ts";
import { wantedParts } from "../api-server/wanted-parts.ts";
import type { BenchContext } from "../harness/bench-context.ts";
import { DataFolder } from "../harness/data-folder.ts";
import { HomeostatPeer } from "../harness/homeostat-peer.ts";
import { drive, type LoadResult, missingDriver, type NoiseResult } from "../harness/http-driver.ts";
import { KubeApiserverPeer } from "../harness/kube-apiserver-peer.ts";
import type { LoadedServer } from "../harness/loaded-server.ts";
import type { LoopDelayResult } from "../harness/loop-delay.ts";
import { MemoryWarden } from "../harness/memory-warden.ts";
import { RemoteLoopDelay } from "../harness/remote-loop-delay.ts";

/** The aim for the longest GET and the longest delay of the loop. */
const aimMilliseconds = 50;
const memoryLimit = 512 * 2 ** 20;
const gets = { namespace: "gets", objects: 1000, inFlight: 4 };

type Situations = Readonly<Record<string, Readonly<Record<string, string | number>> | undefined>>;

const loads: Situations = {
  quiet: undefined,
  "lists of all pods": { slowRate: 0, bodySize: 0 },
  "posts of 3 MiB": { lists: "false", slowRate: 0 },
  "a watch read at 1 KB/s": { lists: "false", bodySize: 0 },
  "all three": {},
};

/** The bare handler knows no custom resources. */
const strain: Situations = {
  "rules that loop in loops": straining("cel-loops"),
  "rules on texts of 1 MB": straining("cel-text"),
  "the pattern ^(a+)+$ on 1 MB": straining("pattern"),
  "a counted pattern on 64 KB": straining("counted-pattern"),
  "a counted pattern on 0.9 MB": straining("counted-pattern-long"),
  "a counted pattern on 400 texts": straining("counted-patterns"),
  "functions on texts of 1 MB": straining("cel-functions"),
  "50,000 values, each with a rule": straining("many-values"),
  "applies of a custom resource of 0.8 MB": straining("large-object"),
  "applies of a definition of 1 MiB": straining("large-definition"),
};

function straining(name: string): Readonly<Record<string, string | number>> {
  return { lists: "false", slowRate: 0, bodySize: 0, strain: name };
}

const parts = ["load", "strain", "memory"] as const;

/** A server, and where it is a Node process the delay of its loop since the last question. */
interface Watched {
  readonly server: LoadedServer;
  readonly loopDelay?: () => Promise<LoopDelayResult>;
}

export async function run(context: BenchContext): Promise<void> {
  if (missingDriver().length > 0) {
    context.note("Nothing to measure with: run `npm run assets -- http-driver`.");
    return;
  }
  const blocked = obstacles();
  for (const [side, reason] of Object.entries(blocked)) context.note(`Without ${side}: ${reason}.`);
  const wanted = wantedParts(parts);
  const stalls = new Stalls(context, wanted);
  if (wanted.has("load") || wanted.has("strain")) {
    if (blocked.ours === undefined) await stalls.ours();
    if (blocked.peer === undefined) await stalls.peer();
  }
  if (blocked.floor === undefined && wanted.has("load")) await stalls.floor();
  if (wanted.has("load") || wanted.has("strain")) stalls.print();
  if (blocked.ours === undefined && wanted.has("memory")) await fillMemory(context);
}

class Stalls {
  readonly #context: BenchContext;
  readonly #wanted: ReadonlySet<(typeof parts)[number]>;
  readonly #pods: number;
  readonly #seconds: number;
  readonly #rows: (string | number | undefined)[][] = [];
  readonly #missed: string[] = [];

  constructor(context: BenchContext, wanted: ReadonlySet<(typeof parts)[number]>) {
    this.#context = context;
    this.#wanted = wanted;
    this.#pods = context.quick ? 5_000 : 100_000;
    this.#seconds = context.quick ? 3 : 15;
  }

  async ours(): Promise<void> {
    await using folder = new DataFolder("loop-delay");
    const delay = new RemoteLoopDelay(join(folder.path, "delay.json"));
    const { nodeArguments } = delay;
    await using server = await HomeostatPeer.start({ nodeArguments, signal: this.#context.signal });
    await this.#measure({ server, loopDelay: () => delay.read(server.pid) });
  }

  async peer(): Promise<void> {
    const { signal } = this.#context;
    await using server = kubeServer(await KubeApiserverPeer.start({ durable: true, signal }));
    await this.#measure({ server });
  }

  async floor(): Promise<void> {
    await using folder = new DataFolder("loop-delay");
    const delay = new RemoteLoopDelay(join(folder.path, "delay.json"));
    const { nodeArguments } = delay;
    const { signal } = this.#context;
    await using server = await BareHandlerPeer.start({ nodeArguments, signal });
    await this.#measure({ server, loopDelay: () => delay.read(server.pid) });
  }

  print(): void {
    this.#context.table({
      title: `GETs of one client beside others: ${this.#pods.toLocaleString("en-US")} pods stored, ${this.#seconds} s each`,
      columns: [
        "server",
        "beside",
        "GETs/s",
        "p50 ms",
        "p99 ms",
        "max ms",
        "loop delay p99 ms",
        "max ms",
        "the others did",
      ],
      rows: this.#rows,
    });
    if (!this.#rows.some(([server]) => server === "homeostat")) return;
    this.#context.note(
      this.#missed.length === 0
        ? `The aim (at most ${aimMilliseconds} ms) was reached everywhere.`
        : `Missed aim (at most ${aimMilliseconds} ms):\n${this.#missed.map((each) => `- ${each}`).join("\n")}`,
    );
  }

  async #measure({ server, loopDelay }: Watched): Promise<void> {
    this.#context.progress(`${server.name}: filling`);
    await drive("create", server, gets);
    if (this.#wanted.has("load")) {
      await drive("create", server, { namespace: "pods", kind: "pods", objects: this.#pods });
    }
    const situations = {
      ...(this.#wanted.has("load") && loads),
      ...(this.#wanted.has("strain") && server.name !== "bare handler" && strain),
    };
    for (const [beside, noise] of Object.entries(situations)) {
      this.#context.signal.throwIfAborted();
      this.#context.progress(`${server.name}: ${beside}`);
      await loopDelay?.();
      const [got, made] = await this.#getBeside(server, noise);
      const delay = await loopDelay?.();
      this.#rows.push([
        server.name,
        beside,
        got.perSecond,
        got.p50us / 1000,
        got.p99us / 1000,
        got.maxus / 1000,
        delay?.p99Milliseconds,
        delay?.maxMilliseconds,
        made === undefined ? "-" : describeNoise(made),
      ]);
      if (server.name !== "homeostat") continue;
      const longest = { "longest GET": got.maxus / 1000, "loop delay": delay!.maxMilliseconds };
      for (const [what, milliseconds] of Object.entries(longest)) {
        if (milliseconds > aimMilliseconds) {
          this.#missed.push(`${what} beside ${beside}: ${milliseconds.toFixed(1)} ms`);
        }
      }
    }
  }

  async #getBeside(
    server: LoadedServer,
    noise: Readonly<Record<string, string | number>> | undefined,
  ): Promise<[LoadResult, NoiseResult | undefined]> {
    const getting = { ...gets, seconds: this.#seconds };
    if (noise === undefined) return [await drive("get", server, getting), undefined];
    // The noise begins before the first GET and ends after the last; what it needs is made before.
    const begun = Promise.withResolvers<void>();
    const heard: LoadedServer = {
      name: server.name,
      url: server.url,
      files: server.files,
      usage: () => server.usage(),
      onPhase: () => begun.resolve(),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
    const seconds = this.#seconds + 2;
    const making = drive("noise", heard, { namespace: "pods", kind: "pods", seconds, ...noise });
    await Promise.race([begun.promise, making]);
    const got = await drive("get", server, getting);
    return [got, await making];
  }
}

/**
 * Held to 512 MiB: by V8's own limit for its heap, by a warden that kills what has more resident, and by
 * $HOMEOSTAT_BENCH_CGROUP, a cgroup folder with that limit, where somebody has made one. Without it
 * the server is told its limit by a flag.
 */
async function fillMemory(context: BenchContext): Promise<void> {
  context.progress("filling a server held to 512 MiB");
  const cgroup = process.env["HOMEOSTAT_BENCH_CGROUP"];
  const enter = 'echo $$ > "$0/cgroup.procs" && exec "$@"';
  await using server = await HomeostatPeer.start({
    wrapper: [
      ...(cgroup === undefined ? [] : ["sh", "-c", enter, cgroup]),
      "env",
      "NODE_OPTIONS=--max-old-space-size=256",
    ],
    // In a cgroup with a limit the server knows by itself.
    flags: cgroup === undefined ? ["--memory-limit=512Mi"] : [],
    signal: context.signal,
  });
  using warden = new MemoryWarden({ pid: server.pid, limitBytes: memoryLimit });
  const load = { kind: "pods", namespace: "fill", objects: 1_000_000, inFlight: 16 };
  const result = await drive("fill", server, context.quick ? { ...load, seconds: 60 } : load);
  const peak = `${Math.round(warden.peakBytes / 2 ** 20)} MiB at most`;
  const pods = `${result.requests.toLocaleString("en-US")} pods`;
  if (warden.hasKilled) {
    context.note(`MISSED: held to 512 MiB, it was killed after ${pods} (${peak}).`);
  } else if (!result.alive) {
    context.note(`MISSED: held to 512 MiB, it died after ${pods} (${peak}): ${result.refusal}`);
  } else if (result.refusalCode === 0) {
    context.note(`Held to 512 MiB, it took ${pods} (${peak}) and was not full when time was up.`);
  } else {
    context.note(
      `Held to 512 MiB, it took ${pods} (${peak}), then answered ${result.refusalCode} ` +
        `${result.refusalReason} (${result.refusal}), and still serves.`,
    );
  }
}

function describeNoise(noise: NoiseResult): string {
  const { lists, posts, longestPostUs, slowBytes, errors, firstError } = noise;
  const answers = Object.entries(posts).map(([code, count]) => `${count} posts answered ${code}`);
  return [
    ...(lists > 0 ? [`${lists} lists`] : []),
    ...answers,
    ...(longestPostUs > 0 ? [`the longest ${Math.round(longestPostUs / 1000)} ms`] : []),
    ...(slowBytes > 0 ? [`${slowBytes} bytes of a watch`] : []),
    ...(errors > 0 ? [`${errors} errors (${firstError})`] : []),
  ].join(", ");
}

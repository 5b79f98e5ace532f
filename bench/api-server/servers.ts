// The three that are measured side by side, and how a load is run on each in turn.
import { type AlternateOptions, alternate } from "../harness/alternate.ts";
import type { BenchContext } from "../harness/bench-context.ts";
import { HomeostatPeer } from "../harness/homeostat-peer.ts";
import { KubeApiserverPeer } from "../harness/kube-apiserver-peer.ts";
import type { LoadedServer } from "../harness/loaded-server.ts";
import { BareHandlerPeer } from "./bare-handler-peer.ts";

/** Ours, kube-apiserver + etcd, and the floor. */
export type Side = "ours" | "peer" | "floor";

/** One result list per side that runs here. */
export type BySide<T> = { readonly [Name in Side]?: T };

const allSides: readonly Side[] = ["ours", "peer", "floor"];

/** Sides that are not measured, with the reason. $HOMEOSTAT_BENCH_SIDES ("ours,floor") names those wanted. */
export function obstacles(): BySide<string> {
  const missing = KubeApiserverPeer.missingAssets();
  const ours = HomeostatPeer.obstacle();
  const wanted = process.env["HOMEOSTAT_BENCH_SIDES"]?.split(",") ?? allSides;
  const unwanted = allSides.filter((side) => !wanted.includes(side));
  return {
    ...(ours !== undefined && { ours }),
    ...(missing.length > 0 && { peer: `run \`npm run assets -- ${missing.join(" ")}\`` }),
    ...Object.fromEntries(unwanted.map((side) => [side, "HOMEOSTAT_BENCH_SIDES leaves it out"])),
  };
}

export interface Measuring extends Pick<AlternateOptions, "rounds" | "warmUpRounds"> {
  readonly what: string;
}

/** Fresh servers, one per side, each durable; all end when it is disposed. */
export class Servers implements AsyncDisposable {
  readonly sides: BySide<LoadedServer>;
  readonly #context: BenchContext;
  readonly #stack: AsyncDisposableStack;

  private constructor(parts: {
    context: BenchContext;
    sides: BySide<LoadedServer>;
    stack: AsyncDisposableStack;
  }) {
    this.#context = parts.context;
    this.sides = parts.sides;
    this.#stack = parts.stack;
  }

  static async start(context: BenchContext, wanted: readonly Side[] = allSides): Promise<Servers> {
    await using stack = new AsyncDisposableStack();
    const sides: { [Name in Side]?: LoadedServer } = {};
    const blocked = obstacles();
    for (const side of wanted) {
      if (blocked[side] !== undefined) continue;
      context.progress(`starting ${side}`);
      sides[side] = stack.use(await starters[side](context.signal));
    }
    return new Servers({ context, sides, stack: stack.move() });
  }

  /** The same load on each server, round by round in turn; one result per round that counts. */
  async measure<T>(
    { what, ...rounds }: Measuring,
    load: (server: LoadedServer, round: number) => Promise<T>,
  ): Promise<BySide<T[]>> {
    const entries = Object.entries(this.sides) as [Side, LoadedServer][];
    return alternate<Record<string, T>>(
      Object.fromEntries(
        entries.map(([side, server]) => [side, (round: number) => load(server, round)]),
      ),
      {
        ...rounds,
        signal: this.#context.signal,
        onRound: (side, round) => this.#context.progress(`${what}: ${side}, round ${round + 1}`),
      },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

const starters: Readonly<Record<Side, (signal: AbortSignal) => Promise<LoadedServer>>> = {
  ours: (signal) => HomeostatPeer.start({ signal }),
  peer: async (signal) => kubeServer(await KubeApiserverPeer.start({ durable: true, signal })),
  floor: (signal) => BareHandlerPeer.start({ signal }),
};

/** kube-apiserver and its etcd as one server. */
export function kubeServer(peer: KubeApiserverPeer): LoadedServer {
  const { caFile: ca, clientCertificateFile, clientKeyFile } = peer.credentials;
  return {
    name: "kube-apiserver + etcd",
    url: peer.url,
    files: { ca, clientCertificate: clientCertificateFile, clientKey: clientKeyFile },
    usage: () => peer.usage(),
    [Symbol.asyncDispose]: () => peer.stop(),
  };
}

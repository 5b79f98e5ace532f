// Servers that differ in one thing each, so that the difference between two of them is what that thing
// costs. All but the bare handler are asked by a user with a role (limited-user.ts), and each has a
// process of its own: what one load taught the compiler is no gift to the next variant.
import { DEFAULT_ADMISSION_PLUGINS } from "@homeostat/api-server";
import { alternate } from "../harness/alternate.ts";
import type { BenchContext } from "../harness/bench-context.ts";
import { HomeostatPeer } from "../harness/homeostat-peer.ts";
import type { DriverOptions } from "../harness/http-driver.ts";
import { type KubeApiserverOptions, KubeApiserverPeer } from "../harness/kube-apiserver-peer.ts";
import type { LoadedServer } from "../harness/loaded-server.ts";
import { BareHandlerPeer } from "./bare-handler-peer.ts";
import type { LimitedUser } from "./limited-user.ts";
import { type BySide, kubeServer, type Measuring, obstacles, type Side } from "./servers.ts";

/** Everything on; then with one thing less, or spoken to in another way. */
export type Variant = "whole" | "any user" | "no plugins" | "protobuf" | "plain text";

/** What was measured, by variant and by the sides that have it. */
export type ByVariant<T> = { readonly [Name in Variant]?: BySide<T> };

/** One load; the options are what the variant asks of the driver. */
export type VariantLoad<T> = (
  server: LoadedServer,
  round: number,
  options: DriverOptions,
) => Promise<T>;

export interface VariantMeasuring extends Measuring {
  /** Default: all. */
  readonly only?: readonly Variant[];
}

interface Contestant {
  readonly variant: Variant;
  readonly side: Side;
  readonly server: LoadedServer;
}

interface Starting {
  readonly user: LimitedUser;
  readonly signal: AbortSignal;
}

type Start = (starting: Starting) => Promise<LoadedServer>;

export class VariantServers implements AsyncDisposable {
  readonly #context: BenchContext;
  readonly #contestants: readonly Contestant[];
  readonly #stack: AsyncDisposableStack;

  private constructor(parts: {
    context: BenchContext;
    contestants: readonly Contestant[];
    stack: AsyncDisposableStack;
  }) {
    this.#context = parts.context;
    this.#contestants = parts.contestants;
    this.#stack = parts.stack;
  }

  static async start(context: BenchContext, user: LimitedUser): Promise<VariantServers> {
    await using stack = new AsyncDisposableStack();
    const blocked = obstacles();
    const contestants: Contestant[] = [];
    for (const { variant, side, start } of allStarts()) {
      if (blocked[side] !== undefined) continue;
      context.progress(`starting ${side}, ${variant}`);
      const started = stack.use(await start({ user, signal: context.signal }));
      const server = side === "floor" ? started : await user.at(started);
      contestants.push({ variant, side, server });
    }
    return new VariantServers({ context, contestants, stack: stack.move() });
  }

  /** The same load on every server, or on those of the variants named, round by round in turn. */
  async measure<T>(measuring: VariantMeasuring, load: VariantLoad<T>): Promise<ByVariant<T[]>> {
    const { what, only, ...rounds } = measuring;
    const chosen = this.#contestants.filter(({ variant }) => only?.includes(variant) ?? true);
    const results = await alternate<Record<string, T>>(
      Object.fromEntries(
        chosen.map(({ variant, side, server }) => [
          `${side}, ${variant}`,
          (round: number) => load(server, round, driverOptions[variant] ?? {}),
        ]),
      ),
      {
        ...rounds,
        signal: this.#context.signal,
        onRound: (name, round) => this.#context.progress(`${what}: ${name}, round ${round + 1}`),
      },
    );
    const found: { [Name in Variant]?: Partial<Record<Side, T[]>> } = {};
    for (const { variant, side } of chosen) {
      (found[variant] ??= {})[side] = results[`${side}, ${variant}`]!;
    }
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

const KEPT_PLUGIN = "NamespaceLifecycle";

function otherPlugins(): readonly string[] {
  return DEFAULT_ADMISSION_PLUGINS.filter((name) => name !== KEPT_PLUGIN);
}

const driverOptions: { readonly [Name in Variant]?: DriverOptions } = {
  protobuf: { encoding: "protobuf" },
};

const starts: { readonly [Name in Variant]: BySide<Start> } = {
  whole: {
    ours: homeostat(),
    peer: kubeApiserver(),
    floor: ({ signal }) => BareHandlerPeer.start({ signal }),
  },
  "any user": {
    ours: homeostat("--authorization-mode=AlwaysAllow"),
    peer: kubeApiserver({ authorizationMode: "AlwaysAllow" }),
  },
  // But for the one that looks after namespaces: kube-apiserver without it may never make its own.
  "no plugins": {
    ours: homeostat(`--disable-admission-plugins=${otherPlugins().join(",")}`),
    peer: kubeApiserver({ admissionPlugins: [KEPT_PLUGIN] }),
  },
  protobuf: { ours: homeostat(), peer: kubeApiserver() },
  "plain text": { floor: ({ signal }) => BareHandlerPeer.start({ signal, plain: true }) },
};

function allStarts(): { variant: Variant; side: Side; start: Start }[] {
  return Object.entries(starts).flatMap(([variant, bySide]) =>
    Object.entries(bySide).map(([side, start]) => ({
      variant: variant as Variant,
      side: side as Side,
      start,
    })),
  );
}

function homeostat(...flags: string[]): Start {
  return async ({ user, signal }) => {
    const authority = `--client-ca-file=${user.authorityFile}`;
    return HomeostatPeer.start({ flags: [authority, ...flags], signal });
  };
}

function kubeApiserver(options: Partial<KubeApiserverOptions> = {}): Start {
  return async ({ user, signal }) => {
    const clientAuthorityFile = user.authorityFile;
    const all = { durable: true, clientAuthorityFile, ...options, signal };
    return kubeServer(await KubeApiserverPeer.start(all));
  };
}

import { type Clock, sleep, type Timer } from "@homeostat/concurrency";
import type { Pod } from "@homeostat/object-model/core-v1";
import { type ApiClient, type ApiEvent, ApiRefusal } from "./api-client.ts";
import { leaseObject, leaseSpec, type NodeShape, nodeObject, nodeStatus } from "./node-objects.ts";
import { annotatedExitCode, endedStatus, ends, hasEnded, runningStatus } from "./pod-life.ts";

export interface NodeAgentOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  /** Names; all have the same kubelet. */
  readonly nodes: readonly string[];
  readonly kubelet: { readonly address: string; readonly port: number };
  /** How long pods run that are to end by themselves. Default 2 s. */
  readonly jobMilliseconds?: number;
  /**
   * How the containers of a pod that is to end by itself do so; undefined: they run on. Asked once for
   * each pod. Default: what its annotation says, or 0.
   */
  readonly exitCodeOf?: (pod: Pod) => number | undefined;
  /** What really runs of a pod: begun before it is said to be ready, ended when it stops or is gone. */
  readonly processes?: {
    start(pod: Pod, address: string): Promise<void>;
    stop(uid: string): void;
  };
  /** How long pods take to stop, at most the grace they have. Default 100 ms. */
  readonly stopMilliseconds?: number;
  /** Default 10 s. */
  readonly renewMilliseconds?: number;
  /** What the server refuses, and lost connections. */
  readonly onError?: (error: unknown) => void;
}

const STRATEGIC = "application/strategic-merge-patch+json";
const MERGE = "application/merge-patch+json";
const RETRY_MILLISECONDS = 500;

/**
 * Plays the kubelets of some nodes: registers them, renews their leases, keeps them ready, starts pods
 * that are bound to them, ends those of Jobs, and finishes deletions.
 */
export class NodeAgent implements AsyncDisposable {
  readonly #options: NodeAgentOptions;
  readonly #stopping = new AbortController();
  readonly #timers = new Set<Timer>();
  /** What is being done about a pod, by uid: one thing after the other. */
  readonly #work = new Map<string, Promise<void>>();
  /** What has been begun and must not begin again, by uid. */
  readonly #begun = new Map<string, Set<string>>();
  readonly #addresses = new Map<string, string>();
  #lastAddress = 0;
  #loops: Promise<unknown> = Promise.resolve();

  constructor(options: NodeAgentOptions) {
    this.#options = options;
  }

  /** Resolves when all nodes are registered and ready. */
  async start(): Promise<void> {
    const { nodes } = this.#options;
    await Promise.all(nodes.map((name) => this.#register(name)));
    this.#loops = Promise.all([this.#keepAlive(), this.#followPods()]);
  }

  /** Nodes and pods stay as they are, and nobody renews them any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of this.#timers) timer.cancel();
    await this.#loops;
    await Promise.all(this.#work.values());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #register(name: string): Promise<void> {
    const { api, clock } = this.#options;
    await ignoring(409, api.ask("POST", "/api/v1/nodes", { body: nodeObject(this.#shape(name)) }));
    const { metadata } = await api.ask("GET", `/api/v1/nodes/${name}`);
    await this.#sayReady(name);
    const lease = leaseObject(name, { uid: metadata.uid!, now: clock.now() });
    await ignoring(409, api.ask("POST", LEASES, { body: lease }));
  }

  #shape(name: string): NodeShape {
    return { name, ...this.#options.kubelet };
  }

  async #sayReady(name: string): Promise<void> {
    const { api, clock } = this.#options;
    const body = nodeStatus(this.#shape(name), clock.now());
    await api.ask("PATCH", `/api/v1/nodes/${name}/status`, { body, type: STRATEGIC });
  }

  async #keepAlive(): Promise<void> {
    const { api, clock, nodes, renewMilliseconds = 10_000 } = this.#options;
    while (await this.#rest(renewMilliseconds)) {
      for (const name of nodes) {
        const body = { spec: leaseSpec(name, clock.now()) };
        await this.#try(async () => {
          await api.ask("PATCH", `${LEASES}/${name}`, { body, type: MERGE });
          await this.#sayReady(name);
        });
      }
    }
  }

  async #followPods(): Promise<void> {
    const { api } = this.#options;
    const { signal } = this.#stopping;
    do {
      await this.#try(async () => {
        const { items, version } = await api.list("/api/v1/pods");
        for (const pod of items) this.#see(pod);
        for await (const event of api.watch("/api/v1/pods", version, signal)) this.#hear(event);
      });
    } while (await this.#rest(RETRY_MILLISECONDS));
  }

  #hear({ type, object }: ApiEvent): void {
    if (type === "ERROR") throw new Error(`watch of pods: ${JSON.stringify(object)}`);
    const pod: Pod = object;
    if (type === "DELETED") this.#forget(pod.metadata?.uid ?? "");
    else if (type !== "BOOKMARK") this.#see(pod);
  }

  #forget(uid: string): void {
    this.#options.processes?.stop(uid);
    this.#begun.delete(uid);
    this.#addresses.delete(uid);
  }

  #see(pod: Pod): void {
    const { metadata, spec } = pod;
    if (!this.#options.nodes.includes(spec?.nodeName ?? "")) return;
    if (metadata?.deletionTimestamp !== undefined) {
      this.#once(pod, "stop", () => this.#stop(pod));
      return;
    }
    if (hasEnded(pod)) return;
    const observedGeneration = metadata?.generation ?? 0;
    if (pod.status?.phase !== "Running") this.#once(pod, "run", () => this.#run(pod));
    else if (pod.status.observedGeneration !== observedGeneration) {
      this.#enqueue(metadata?.uid ?? "", () => this.#say(pod, { observedGeneration }));
    }
    if (ends(pod)) {
      const { jobMilliseconds = 2000 } = this.#options;
      this.#once(pod, "end", () => this.#later(pod, jobMilliseconds, () => this.#end(pod)));
    }
  }

  async #run(pod: Pod): Promise<void> {
    const { clock, kubelet } = this.#options;
    const hostIp = kubelet.address;
    const podIp = pod.spec?.hostNetwork === true ? hostIp : this.#addressOf(pod);
    await this.#options.processes?.start(pod, podIp);
    await this.#say(pod, runningStatus(pod, { hostIp, podIp, now: clock.now() }));
  }

  async #end(pod: Pod): Promise<void> {
    const { exitCodeOf = annotatedExitCode } = this.#options;
    const code = exitCodeOf(pod);
    if (code !== undefined) await this.#say(pod, endedStatus(pod, code, this.#options.clock.now()));
  }

  /** Says that the containers have ended, and that nothing is left of the pod. */
  async #stop(pod: Pod): Promise<void> {
    const { stopMilliseconds = 100, api, clock } = this.#options;
    const grace = (pod.metadata?.deletionGracePeriodSeconds ?? 0) * 1000;
    await this.#later(pod, Math.min(stopMilliseconds, grace), async () => {
      const { namespace = "", name = "", uid = "" } = pod.metadata ?? {};
      this.#options.processes?.stop(uid);
      if (!hasEnded(pod)) await this.#say(pod, endedStatus(pod, 137, clock.now()));
      const body = {
        apiVersion: "v1",
        kind: "DeleteOptions",
        gracePeriodSeconds: 0,
        preconditions: { uid },
      };
      const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
      await ignoring(409, ignoring(404, api.ask("DELETE", path, { body })));
    });
  }

  async #say({ metadata }: Pod, status: object): Promise<void> {
    const { namespace = "", name = "", uid } = metadata ?? {};
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/status`;
    const body = { metadata: { uid }, status };
    const { api } = this.#options;
    // Gone, or another pod by that name.
    await ignoring(409, ignoring(404, api.ask("PATCH", path, { body, type: STRATEGIC })));
  }

  #addressOf({ metadata }: Pod): string {
    const uid = metadata?.uid ?? "";
    let address = this.#addresses.get(uid);
    if (address === undefined) {
      this.#lastAddress++;
      const number = this.#lastAddress;
      address = `10.244.${(number >> 8) & 255}.${number & 255}`;
      this.#addresses.set(uid, address);
    }
    return address;
  }

  #once({ metadata }: Pod, step: string, action: () => Promise<void>): void {
    const uid = metadata?.uid ?? "";
    const begun = this.#begun.get(uid) ?? new Set();
    if (begun.has(step)) return;
    this.#begun.set(uid, begun.add(step));
    this.#enqueue(uid, action);
  }

  #enqueue(uid: string, action: () => Promise<void>): void {
    const before = this.#work.get(uid) ?? Promise.resolve();
    const now = before.then(() => this.#try(action));
    this.#work.set(uid, now);
    void now.then(() => {
      if (this.#work.get(uid) === now) this.#work.delete(uid);
    });
  }

  /** Comes back to a pod without holding up what else is to be done about it. */
  async #later({ metadata }: Pod, after: number, action: () => Promise<void>): Promise<void> {
    if (after <= 0) {
      await action();
      return;
    }
    const timer = this.#options.clock.setTimer(after, () => {
      this.#timers.delete(timer);
      this.#enqueue(metadata?.uid ?? "", action);
    });
    this.#timers.add(timer);
  }

  /** False when the agent stops. */
  async #rest(milliseconds: number): Promise<boolean> {
    const { signal } = this.#stopping;
    await sleep(this.#options.clock, milliseconds, { signal }).catch(() => undefined);
    return !signal.aborted;
  }

  async #try(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#options.onError?.(error);
    }
  }
}

const LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";

async function ignoring(status: number, asked: Promise<unknown>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== status) throw error;
  }
}

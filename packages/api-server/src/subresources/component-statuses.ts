import { type Clock, timeoutSignal } from "@homeostat/concurrency";
import { goQuote } from "@homeostat/object-model";
import type { ComponentStatus } from "@homeostat/object-model/core-v1";
import type { NodeConnector } from "../kubelet/node-connector.ts";

/** Where the other parts of a control plane tell how they are, on the machine of the server. */
const COMPONENTS: ReadonlyMap<string, number> = new Map([
  ["scheduler", 10259],
  ["controller-manager", 10257],
]);
const STORE = "etcd-0";
const HOST = "127.0.0.1";
const PATIENCE = 20_000;

export interface ComponentStatusPlane {
  readonly clock: Clock;
  readonly connector: NodeConnector;
  /** What keeps the store from being read. */
  readonly storeProblem: () => string | undefined;
}

/** How the parts of the control plane are, found out anew for every question. */
export class ComponentStatuses {
  readonly names: readonly string[] = [...COMPONENTS.keys(), STORE];
  readonly #plane: ComponentStatusPlane;

  constructor(plane: ComponentStatusPlane) {
    this.#plane = plane;
  }

  /** Undefined for what is no part of one. */
  async get(name: string): Promise<ComponentStatus | undefined> {
    if (name === STORE) {
      const problem = this.#plane.storeProblem();
      return statusOf(name, problem === undefined, problem ?? "ok");
    }
    const port = COMPONENTS.get(name);
    return port === undefined ? undefined : this.#probe(name, port);
  }

  async #probe(name: string, port: number): Promise<ComponentStatus> {
    const { clock, connector } = this.#plane;
    const target = "/healthz";
    using deadline = timeoutSignal(clock, PATIENCE);
    try {
      const answer = await connector.exchange(
        { scheme: "https", host: HOST, port, target, peer: "workload", globalOnly: false },
        { method: "GET", headers: {}, signal: deadline.signal },
      );
      const isWell = answer.status >= 200 && answer.status < 400;
      if (isWell) return statusOf(name, true, await textOf(answer.chunks));
      answer.cancel();
      return statusOf(name, false, `HTTP probe failed with statuscode: ${answer.status}`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return statusOf(name, false, `Get ${goQuote(`https://${HOST}:${port}${target}`)}: ${why}`);
    }
  }
}

function statusOf(name: string, isWell: boolean, message: string): ComponentStatus {
  const condition = { type: "Healthy", status: isWell ? "True" : "False", message };
  return { metadata: { name }, conditions: [condition] };
}

/** As much of it as anybody reads. */
const LONGEST = 10 * 1024;

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > LONGEST) return text.slice(0, LONGEST);
  }
  return text;
}

import { realClock } from "@homeostat/concurrency";
import { ApiClient } from "../../kubelet/api-client.ts";
import { NodeAgent, type NodeAgentOptions } from "../../kubelet/node-agent.ts";
import { PROGRAMS, RealProgram } from "./real-controllers.ts";
import { type ServerName, type ServerUnderControl, startServer } from "./server-under-control.ts";

/** A server, two nodes of the fake kubelet, and the real controllers and scheduler. */
export interface Cluster extends AsyncDisposable {
  readonly server: ServerUnderControl;
  /** Of the administrator. */
  readonly api: ApiClient;
  readonly programs: readonly RealProgram[];
}

const NODES = ["node-1", "node-2"];

/** What the nodes of a cluster do; `onError` is told what the server refuses to them. */
export type NodeBehaviour = Pick<NodeAgentOptions, "onError" | "exitCodeOf" | "processes">;

export async function startCluster(name: ServerName, behaviour: NodeBehaviour): Promise<Cluster> {
  await using undo = new AsyncDisposableStack();
  const server = undo.use(await startServer(name));
  const api = undo.use(new ApiClient(server.access));
  const kubelet = { address: "127.0.0.1", port: 10250 };
  const agent = undo.use(
    new NodeAgent({ api, clock: realClock, nodes: NODES, kubelet, ...behaviour }),
  );
  await agent.start();
  const programs: RealProgram[] = [];
  for (const each of PROGRAMS) programs.push(undo.use(await RealProgram.start(each, server)));
  const kept = undo.move();
  return { server, api, programs, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

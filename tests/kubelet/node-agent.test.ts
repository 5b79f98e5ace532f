import { realClock } from "@homeostat/concurrency";
import { expect, onTestFinished, test } from "vitest";
import { ApiClient, type ApiObject } from "./api-client.ts";
import { openKubeletPlane } from "./kubelet-plane.ts";
import { NodeAgent, type NodeAgentOptions } from "./node-agent.ts";
import { EXIT_CODE } from "./pod-life.ts";

const PODS = "/api/v1/namespaces/default/pods";

interface Running {
  readonly api: ApiClient;
  readonly agent: NodeAgent;
  readonly errors: unknown[];
}

async function start(behaviour: Partial<NodeAgentOptions> = {}): Promise<Running> {
  const plane = await openKubeletPlane();
  onTestFinished(() => plane[Symbol.asyncDispose]());
  const errors: unknown[] = [];
  const agent = new NodeAgent({
    api: plane.api,
    clock: realClock,
    nodes: ["node-a", "node-b"],
    kubelet: { address: "127.0.0.1", port: plane.kubelet.port },
    jobMilliseconds: 20,
    stopMilliseconds: 10,
    renewMilliseconds: 20,
    onError: (error) => errors.push(error),
    ...behaviour,
  });
  onTestFinished(() => agent.stop());
  await agent.start();
  return { api: plane.api, agent, errors };
}

/** The first state of an object that is as wanted; undefined when it is gone. */
async function until(
  api: ApiClient,
  path: string,
  isWanted: (object: ApiObject | undefined) => boolean,
): Promise<ApiObject | undefined> {
  const collection = path.slice(0, path.lastIndexOf("/"));
  const name = path.slice(path.lastIndexOf("/") + 1);
  const stop = new AbortController();
  const { items, version } = await api.list(collection);
  const now = items.find(({ metadata }) => metadata.name === name);
  if (isWanted(now)) return now;
  for await (const { type, object } of api.watch(collection, version, stop.signal)) {
    if (type === "BOOKMARK" || object.metadata.name !== name) continue;
    const seen = type === "DELETED" ? undefined : object;
    if (isWanted(seen)) return seen;
  }
  throw new Error(`the watch of ${path} ended`);
}

function pod(name: string, more: object = {}, annotations: object = {}): { body: object } {
  return {
    body: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, annotations },
      spec: { nodeName: "node-a", containers: [{ name: "main", image: "x" }], ...more },
    },
  };
}

const phaseOf = (object: ApiObject | undefined): unknown =>
  (object?.["status"] as { phase?: string } | undefined)?.phase;

test("nodes are registered, ready, and their leases are renewed", async () => {
  const { api, errors } = await start();
  const { items } = await api.list("/api/v1/nodes");
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["node-a", "node-b"]);
  for (const { status } of items as unknown as { status: { conditions: object[] } }[]) {
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: "Ready", status: "True" }),
    );
  }
  const lease = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-b";
  const { metadata } = await api.ask("GET", lease);
  await until(api, lease, (now) => now?.metadata.resourceVersion !== metadata.resourceVersion);
  expect(errors).toEqual([]);
});

test("a bound pod runs and is ready; what is not bound waits", async () => {
  const { api } = await start();
  await api.ask("POST", PODS, pod("waits", { nodeName: undefined }));
  await api.ask("POST", PODS, pod("runs"));
  const runs = await until(api, `${PODS}/runs`, (now) => phaseOf(now) === "Running");
  expect(runs!["status"]).toMatchObject({
    podIP: "10.244.0.1",
    hostIP: "127.0.0.1",
    conditions: expect.arrayContaining([
      expect.objectContaining({ type: "Ready", status: "True" }),
    ]),
    containerStatuses: [{ name: "main", ready: true, state: { running: {} } }],
  });
  expect(phaseOf(await api.ask("GET", `${PODS}/waits`))).toBe("Pending");
});

test("pods that are to end do so, as their annotation says", async () => {
  const { api } = await start();
  await api.ask("POST", PODS, pod("good", { restartPolicy: "Never" }));
  await api.ask("POST", PODS, pod("bad", { restartPolicy: "Never" }, { [EXIT_CODE]: "2" }));
  expect(await until(api, `${PODS}/good`, (now) => phaseOf(now) === "Succeeded")).toBeDefined();
  const bad = await until(api, `${PODS}/bad`, (now) => phaseOf(now) === "Failed");
  expect(bad!["status"]).toMatchObject({
    containerStatuses: [{ state: { terminated: { exitCode: 2 } } }],
  });
});

test("whoever starts an agent may say how pods end, and that they do not", async () => {
  const { api } = await start({
    exitCodeOf: ({ metadata }) => (metadata?.name === "bad" ? 3 : undefined),
  });
  await api.ask("POST", PODS, pod("stays", { restartPolicy: "Never" }));
  await until(api, `${PODS}/stays`, (now) => phaseOf(now) === "Running");
  await api.ask("POST", PODS, pod("bad", { restartPolicy: "Never" }));
  await until(api, `${PODS}/bad`, (now) => phaseOf(now) === "Failed");
  expect(phaseOf(await api.ask("GET", `${PODS}/stays`))).toBe("Running");
});

test("a change of a running pod is observed", async () => {
  const { api } = await start();
  await api.ask("POST", PODS, pod("changes"));
  await until(api, `${PODS}/changes`, (now) => phaseOf(now) === "Running");
  const body = { spec: { activeDeadlineSeconds: 1000 } };
  await api.ask("PATCH", `${PODS}/changes`, { body, type: "application/merge-patch+json" });
  const seen = await until(
    api,
    `${PODS}/changes`,
    (now) =>
      (now?.["status"] as { observedGeneration?: number } | undefined)?.observedGeneration === 2,
  );
  expect(seen!.metadata).toMatchObject({ generation: 2 });
});

test("what really runs of a pod begins before it is ready and ends with it", async () => {
  const told: string[] = [];
  const { api } = await start({
    processes: {
      start: async ({ metadata }, address) => {
        if (metadata?.name === "cannot") throw new Error("there is no such image");
        told.push(`start ${metadata?.uid} at ${address}`);
      },
      stop: (uid) => void told.push(`stop ${uid}`),
    },
  });
  await api.ask("POST", PODS, pod("cannot"));
  await api.ask("POST", PODS, pod("real"));
  const { metadata } = (await until(api, `${PODS}/real`, (now) => phaseOf(now) === "Running"))!;
  expect(told).toEqual([expect.stringContaining(`start ${metadata.uid} at 10.244.`)]);
  await api.ask("DELETE", `${PODS}/real`);
  await until(api, `${PODS}/real`, (now) => now === undefined);
  expect(told[1]).toBe(`stop ${metadata.uid}`);
  expect(phaseOf(await api.ask("GET", `${PODS}/cannot`))).toBe("Pending");
});

test("a deletion is finished, and a pod of the same name afterwards is another one", async () => {
  const { api, errors } = await start();
  await api.ask("POST", PODS, pod("again"));
  await until(api, `${PODS}/again`, (now) => phaseOf(now) === "Running");
  await api.ask("DELETE", `${PODS}/again`);
  await until(api, `${PODS}/again`, (now) => now === undefined);
  await api.ask("POST", PODS, pod("again"));
  await until(api, `${PODS}/again`, (now) => phaseOf(now) === "Running");
  expect(errors).toEqual([]);
});

test("a kubeconfig says where the server is and who asks", () => {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const config = `
clusters:
- cluster: {"certificate-authority-data": "${base64("CA")}", "server": "https://127.0.0.1:6443"}
users:
- name: admin
  user:
    client-certificate-data: ${base64("CERTIFICATE")}
    client-key-data: ${base64("KEY")}
`;
  expect(ApiClient.accessOf(config)).toEqual({
    url: "https://127.0.0.1:6443",
    authority: "CA",
    certificate: "CERTIFICATE",
    key: "KEY",
  });
  expect(() => ApiClient.accessOf("")).toThrow("the kubeconfig has no server");
});

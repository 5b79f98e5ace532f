import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type {
  DoorAnswer,
  DoorRequest,
  KubernetesList,
  KubernetesObject,
} from "@homeostat/object-model";
import { openMemoryStore, type Store } from "@homeostat/store";
import { expect, test } from "vitest";
import { type ApiServer, type ApiServerOptions, createApiServer } from "../api-server.ts";

const MASTER = { username: "admin", groups: ["system:masters"] };

interface Bench {
  readonly clock: ManualClock;
  readonly store: Store;
  readonly server: ApiServer;
  readonly send: (request: Omit<DoorRequest, "user" | "want">) => Promise<DoorAnswer>;
  readonly list: (path: string) => Promise<readonly KubernetesObject[]>;
}

async function startOn(
  store: Store,
  clock: ManualClock,
  options: Partial<ApiServerOptions> = {},
): Promise<Bench> {
  const server = await clock.runUntil(
    createApiServer({ store, clock, random: seededRandom(1), ...options }),
  );
  const send: Bench["send"] = (request) =>
    clock.runUntil(server.door.send({ user: MASTER, want: "object", ...request }));
  return {
    clock,
    store,
    server,
    send,
    async list(path) {
      const answer = await send({ method: "GET", path });
      if (answer.kind !== "object") throw new Error(`${path} was answered with ${answer.kind}`);
      return (answer.object as KubernetesList<KubernetesObject>).items;
    },
  };
}

function start(options: Partial<ApiServerOptions> = {}): Promise<Bench> {
  const clock = new ManualClock();
  return startOn(openMemoryStore({ clock }), clock, options);
}

function namesOf(objects: readonly KubernetesObject[]): (string | undefined)[] {
  return objects.map(({ metadata }) => metadata?.name);
}

test("an empty store gets what a new cluster has, in one commit", async () => {
  const { store, list } = await start();
  expect(store.revision).toBe(1);
  const namespaces = await list("/api/v1/namespaces");
  expect(namesOf(namespaces)).toEqual(["default", "kube-node-lease", "kube-public", "kube-system"]);
  expect(await list("/api/v1/services")).toMatchObject([
    { metadata: { name: "kubernetes" }, spec: { clusterIP: "10.0.0.1", ports: [{ port: 443 }] } },
  ]);
});

test("what is there already stays as it is, and what is missing comes back", async () => {
  const { store, clock, list } = await start();
  const [before] = await list("/api/v1/namespaces");
  const again = await startOn(store, clock);
  expect(store.revision).toBe(1);
  expect((await again.list("/api/v1/namespaces"))[0]?.metadata).toEqual(before?.metadata);
  await clock.runUntil(store.delete("/registry/namespaces/kube-public"));
  const third = await startOn(store, clock);
  expect(namesOf(await third.list("/api/v1/namespaces"))).toContain("kube-public");
});

test("addresses of services are those of the plane's own range", async () => {
  const path = "/apis/networking.k8s.io/v1/ipaddresses";
  const one = await start();
  const two = await start({ settings: { serviceClusterIpRange: "10.9.0.0/16" } });
  expect(namesOf(await one.list(path))).toEqual(["10.0.0.1"]);
  expect(namesOf(await two.list(path))).toEqual(["10.9.0.1"]);
});

test("the address range of services is ready since the plane was made", async () => {
  const { list } = await start();
  const [range] = await list("/apis/networking.k8s.io/v1/servicecidrs");
  const lastTransitionTime = range?.metadata?.creationTimestamp;
  expect(lastTransitionTime).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(range).toMatchObject({ status: { conditions: [{ type: "Ready", lastTransitionTime }] } });
});

test("a plane that is told where it can be reached says so", async () => {
  const { list, clock, server } = await start();
  const advertised = { port: 7443, hostname: "here", clientAuthority: "pem" };
  for (const address of ["192.0.2.6", "192.0.2.7", "192.0.2.7"]) {
    await clock.runUntil(server.advertise({ ...advertised, address }));
  }
  expect(await list("/api/v1/services")).toMatchObject([
    { spec: { ports: [{ targetPort: 7443 }] } },
  ]);
  expect(await list("/api/v1/endpoints")).toMatchObject([
    { subsets: [{ addresses: [{ ip: "192.0.2.7" }], ports: [{ port: 7443 }] }] },
  ]);
  const [lease] = await list("/apis/coordination.k8s.io/v1/leases");
  expect(lease?.metadata?.name).toMatch(/^apiserver-[a-z2-7]{26}$/);
  expect(namesOf(await (await start()).list("/api/v1/endpoints"))).toEqual([]);
});

test("aggregated roles have their rules from the start, unless somebody else gathers them", async () => {
  const path = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  const named = async ({ list }: Bench, name: string): Promise<KubernetesObject | undefined> =>
    (await list(path)).find(({ metadata }) => metadata?.name === name);
  const gathered = await start();
  const pods = expect.objectContaining({ resources: expect.arrayContaining(["pods/exec"]) });
  expect(await named(gathered, "admin")).toMatchObject({ rules: expect.arrayContaining([pods]) });
  const bare = await start({ aggregateRoles: false });
  expect(await named(bare, "admin")).toMatchObject({ rules: null });
});

const RBAC = "/apis/rbac.authorization.k8s.io/v1";

async function change(bench: Bench, path: string, value: object): Promise<void> {
  const answer = bench.send({
    method: "PATCH",
    path: `${RBAC}/${path}`,
    headers: { "content-type": "application/merge-patch+json" },
    body: { kind: "value", value },
  });
  expect((await answer).status).toBe(200);
}

async function find(bench: Bench, path: string): Promise<KubernetesObject> {
  const answer = await bench.send({ method: "GET", path: `${RBAC}/${path}` });
  if (answer.kind !== "object") throw new Error(`${path} was answered with ${answer.kind}`);
  return answer.object;
}

test("a start gives default roles and bindings back what was taken, and keeps what was added", async () => {
  const role = "clusterroles/system:public-info-viewer";
  const binding = "clusterrolebindings/system:public-info-viewer";
  const bench = await start();
  const added = { verbs: ["get"], nonResourceURLs: ["/mine"] };
  const kept = { verbs: ["get"], nonResourceURLs: ["/healthz", "/livez", "/readyz", "/version"] };
  const group = (name: string) => ({ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name });
  await change(bench, role, { metadata: { labels: null }, rules: [added, kept] });
  await change(bench, binding, { subjects: [group("mine")] });
  const again = await startOn(bench.store, bench.clock);
  expect(await find(again, role)).toMatchObject({
    metadata: { labels: { "kubernetes.io/bootstrapping": "rbac-defaults" } },
    rules: [added, kept, { verbs: ["get"], nonResourceURLs: ["/version/"] }],
  });
  const groups = ["mine", "system:authenticated", "system:unauthenticated"];
  expect(await find(again, binding)).toMatchObject({ subjects: groups.map(group) });
});

test("a default role that is to be left alone is", async () => {
  const role = "clusterroles/system:public-info-viewer";
  const bench = await start();
  const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
  await change(bench, role, { metadata: { annotations }, rules: [] });
  const again = await startOn(bench.store, bench.clock);
  expect(await find(again, role)).toMatchObject({ rules: null });
});

import type { KubernetesObject } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { type ApiServer, createApiServer } from "../../api-server.ts";

const user = { username: "admin", groups: ["system:masters"] };
const IN = "/api/v1/namespaces/default";

type Answered = KubernetesObject & { code?: number; message?: string; status?: unknown };

async function send(
  server: ApiServer,
  [method, path]: readonly ["GET" | "POST" | "PUT", string],
  value?: unknown,
): Promise<Answered> {
  const body = value === undefined ? {} : { body: { kind: "value", value } as const };
  const answer = await server.door.send({ method, path, ...body, user, want: "object" });
  return (answer as { object: Answered }).object;
}

/** A quota whose status a controller has set. */
async function open(hard: Record<string, string>, spec: object = {}): Promise<ApiServer> {
  const server = await createApiServer({ store: openMemoryStore() });
  const quota = { metadata: { name: "q" }, spec: { hard, ...spec } };
  const made = await send(server, ["POST", `${IN}/resourcequotas`], quota);
  const used = Object.fromEntries(Object.keys(hard).map((name) => [name, "0"]));
  await send(server, ["PUT", `${IN}/resourcequotas/q/status`], { ...made, status: { hard, used } });
  return server;
}

async function usedOf(server: ApiServer): Promise<unknown> {
  const quota = await send(server, ["GET", `${IN}/resourcequotas/q`]);
  return (quota.status as { used: unknown }).used;
}

function pod(name: string, resources: object = {}, spec: object = {}): KubernetesObject {
  const containers = [{ name: "c", image: "i", resources }];
  return { metadata: { name }, spec: { containers, ...spec } } as KubernetesObject;
}

test("what a quota has room for is taken, and more is refused with the numbers", async () => {
  await using server = await open({ pods: "2", "requests.cpu": "1" });
  const resources = { requests: { cpu: "600m" } };
  const first = await send(server, ["POST", `${IN}/pods`], pod("a", resources));
  expect(first.code).toBeUndefined();
  expect(await usedOf(server)).toEqual({ pods: "1", "requests.cpu": "600m" });
  expect(await send(server, ["POST", `${IN}/pods`], pod("b", resources))).toMatchObject({
    code: 403,
    message:
      'pods "b" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1',
  });
  expect(await usedOf(server)).toEqual({ pods: "1", "requests.cpu": "600m" });
});

test("a quota of processors makes every container say what it needs", async () => {
  await using server = await open({ "limits.cpu": "1", "requests.memory": "1Gi" });
  expect(await send(server, ["POST", `${IN}/pods`], pod("a"))).toMatchObject({
    code: 403,
    message:
      'pods "a" is forbidden: failed quota: q: must specify limits.cpu for: c; requests.memory for: c',
  });
});

test("nothing is admitted before somebody has counted", async () => {
  await using server = await createApiServer({ store: openMemoryStore() });
  const quota = { metadata: { name: "q" }, spec: { hard: { configmaps: "1" } } };
  const made = await send(server, ["POST", `${IN}/resourcequotas`], quota);
  const path = `${IN}/resourcequotas/q/status`;
  await send(server, ["PUT", path], { ...made, status: { hard: { configmaps: "1" } } });
  const map = { metadata: { name: "m" } };
  expect(await send(server, ["POST", `${IN}/configmaps`], map)).toMatchObject({
    code: 403,
    message: 'configmaps "m" is forbidden: status unknown for quota: q, resources: configmaps',
  });
});

test("objects that race for the last place do not both get it", async () => {
  await using server = await open({ "count/configmaps": "3" });
  const names = ["a", "b", "c", "d", "e", "f"];
  const answers = await Promise.all(
    names.map((name) => send(server, ["POST", `${IN}/configmaps`], { metadata: { name } })),
  );
  expect(answers.filter(({ code }) => code === undefined)).toHaveLength(3);
  expect(await usedOf(server)).toEqual({ "count/configmaps": "3" });
});

test("a quota counts what is in its scopes", async () => {
  await using server = await open({ pods: "1" }, { scopes: ["NotTerminating"] });
  for (const name of ["a", "b"]) {
    const terminating = pod(name, {}, { activeDeadlineSeconds: 5 });
    expect((await send(server, ["POST", `${IN}/pods`], terminating)).code).toBeUndefined();
  }
  expect((await send(server, ["POST", `${IN}/pods`], pod("c"))).code).toBeUndefined();
  expect((await send(server, ["POST", `${IN}/pods`], pod("d"))).code).toBe(403);
});

test("a service that becomes a balanced one takes more, and a dry run nothing", async () => {
  await using server = await open({ "services.nodeports": "2", services: "5" });
  const ports = [{ port: 80 }];
  const service = { metadata: { name: "s" }, spec: { ports } };
  await send(server, ["POST", `${IN}/services`], service);
  expect(await usedOf(server)).toEqual({ services: "1", "services.nodeports": "0" });
  await server.door.send({
    method: "POST",
    path: `${IN}/services`,
    query: { dryRun: "All" },
    body: { kind: "value", value: { ...service, metadata: { name: "t" } } },
    user,
    want: "object",
  });
  const changed = { ...service, spec: { ports, type: "LoadBalancer" } };
  await send(server, ["PUT", `${IN}/services/s`], changed);
  expect(await usedOf(server)).toEqual({ services: "1", "services.nodeports": "1" });
});

test("a container that is resized counts for the most of what it has and wants", async () => {
  await using server = await open({ "requests.cpu": "3" });
  const made = await send(server, ["POST", `${IN}/pods`], pod("a", { requests: { cpu: "2" } }));
  const given = { name: "c", image: "i", imageID: "", ready: true, restartCount: 0 };
  const containerStatuses = [{ ...given, resources: { requests: { cpu: "2" } } }];
  await send(server, ["PUT", `${IN}/pods/a/status`], { ...made, status: { containerStatuses } });
  const less = pod("a", { requests: { cpu: "1" } });
  const small = await send(server, ["PUT", `${IN}/pods/a/resize`], less);
  expect(small.code).toBeUndefined();
  // It still has two: wanting them again takes nothing more.
  const again = pod("a", { requests: { cpu: "2" } });
  expect((await send(server, ["PUT", `${IN}/pods/a/resize`], again)).code).toBeUndefined();
  expect(await usedOf(server)).toEqual({ "requests.cpu": "2" });
});

test("claims for devices count by class, and of alternatives the most", async () => {
  const name = "gpu.example.com.deviceclass.resource.k8s.io/devices";
  await using server = await open({ [name]: "4" });
  const claims = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
  const request = (asked: object): object => ({
    spec: { devices: { requests: [{ name: "r", ...asked }] } },
  });
  const deviceClassName = "gpu.example.com";
  const firstAvailable = [
    { name: "x", deviceClassName, count: 3 },
    { name: "y", deviceClassName, count: 1 },
  ];
  const first = { metadata: { name: "a" }, ...request({ firstAvailable }) };
  expect((await send(server, ["POST", claims], first)).code).toBeUndefined();
  expect(await usedOf(server)).toEqual({ [name]: "3" });
  const all = request({ exactly: { deviceClassName, allocationMode: "All" } });
  expect(await send(server, ["POST", claims], { metadata: { name: "b" }, ...all })).toMatchObject({
    code: 403,
    message: `resourceclaims.resource.k8s.io "b" is forbidden: exceeded quota: q, requested: ${name}=32, used: ${name}=3, limited: ${name}=4`,
  });
});

test("devices count under the name by which pods ask for them too", async () => {
  await using server = await open({ "requests.example.com/gpu": "2" });
  await send(server, ["POST", "/apis/resource.k8s.io/v1/deviceclasses"], {
    metadata: { name: "gpu.example.com" },
    spec: { extendedResourceName: "example.com/gpu" },
  });
  const exactly = { deviceClassName: "gpu.example.com", count: 2 };
  const made = await send(
    server,
    ["POST", "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims"],
    { metadata: { name: "a" }, spec: { devices: { requests: [{ name: "r", exactly }] } } },
  );
  expect(made.code).toBeUndefined();
  expect(await usedOf(server)).toEqual({ "requests.example.com/gpu": "2" });
});

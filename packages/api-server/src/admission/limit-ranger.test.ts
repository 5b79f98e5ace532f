import type { Pod } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import { type AskedPlane, openPlane, PODS, pod } from "./fixtures/asked-plane.ts";

const IN = "/api/v1/namespaces/default";

async function limited(...limits: object[]): Promise<AskedPlane> {
  const plane = await openPlane();
  const range = { metadata: { name: "r" }, spec: { limits } };
  expect((await plane.ask("POST", `${IN}/limitranges`, range)).code).toBeUndefined();
  return plane;
}

function asking(resources: object): object {
  return { containers: [{ name: "c", image: "i", resources }] };
}

test("containers get what they do not say, and the pod says so", async () => {
  await using plane = await limited({
    type: "Container",
    default: { cpu: "500m", memory: "1Gi" },
    defaultRequest: { cpu: "100m" },
  });
  const given = pod("a", asking({ requests: { memory: "1Mi" } }));
  const { spec, metadata } = (await plane.ask("POST", PODS, given)) as Pod;
  expect(spec?.containers[0]?.resources).toEqual({
    limits: { cpu: "500m", memory: "1Gi" },
    requests: { cpu: "100m", memory: "1Mi" },
  });
  expect(metadata?.annotations).toEqual({
    "kubernetes.io/limit-ranger":
      "LimitRanger plugin set: cpu request for container c; cpu, memory limit for container c",
  });
});

test("an update sets nothing", async () => {
  await using plane = await openPlane();
  await plane.ask("POST", PODS, pod("a"));
  const limits = [{ type: "Container", default: { cpu: "1" } }];
  await plane.ask("POST", `${IN}/limitranges`, { metadata: { name: "r" }, spec: { limits } });
  const changed = { metadata: { labels: { a: "b" } } };
  const { spec, metadata } = (await plane.ask("PATCH", `${PODS}/a`, changed)) as Pod;
  expect(metadata?.labels).toEqual({ a: "b" });
  expect(spec?.containers[0]?.resources).toEqual({});
});

test.for([
  [
    { min: { cpu: "1" } },
    { cpu: "500m" },
    "minimum cpu usage per Container is 1, but request is 500m",
  ],
  [{ max: { cpu: "1" } }, { cpu: "2" }, "maximum cpu usage per Container is 1, but limit is 2"],
] as const)("a container stays within %j", async ([bounds, limits, why]) => {
  await using plane = await limited({ type: "Container", ...bounds });
  expect(await plane.ask("POST", PODS, pod("a", asking({ limits })))).toMatchObject({
    code: 403,
    message: `pods "a" is forbidden: ${why}`,
  });
});

test("limits may be so many times the requests, and several problems are all told", async () => {
  await using plane = await limited({
    type: "Container",
    min: { cpu: "10m" },
    maxLimitRequestRatio: { memory: "2" },
  });
  const resources = { requests: { memory: "10Mi", cpu: "1m" }, limits: { memory: "25Mi" } };
  expect(await plane.ask("POST", PODS, pod("a", asking(resources)))).toMatchObject({
    message:
      'pods "a" is forbidden: [minimum cpu usage per Container is 10m, but request is 1m, memory max limit to request ratio per Container is 2, but provided ratio is 2.500000]',
  });
});

test("a pod counts as a whole: sidecars run beside its containers", async () => {
  await using plane = await limited({ type: "Pod", max: { cpu: "1" } });
  const container = (name: string, cpu: string): object => ({
    name,
    image: "i",
    resources: { limits: { cpu } },
  });
  const spec = {
    containers: [container("c", "600m")],
    initContainers: [{ ...container("s", "500m"), restartPolicy: "Always" }],
  };
  expect(await plane.ask("POST", PODS, pod("a", spec))).toMatchObject({
    message: 'pods "a" is forbidden: maximum cpu usage per Pod is 1, but limit is 1100m',
  });
});

test("claims have a least and a largest size, also when they change", async () => {
  await using plane = await limited({
    type: "PersistentVolumeClaim",
    min: { storage: "1Gi" },
    max: { storage: "2Gi" },
  });
  const claim = (name: string, storage: string): object => ({
    metadata: { name },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
  });
  expect(await plane.ask("POST", `${IN}/persistentvolumeclaims`, claim("a", "1Mi"))).toMatchObject({
    message:
      'persistentvolumeclaims "a" is forbidden: minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1Mi',
  });
  expect(await plane.ask("POST", `${IN}/persistentvolumeclaims`, claim("b", "3Gi"))).toMatchObject({
    message:
      'persistentvolumeclaims "b" is forbidden: maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi',
  });
});

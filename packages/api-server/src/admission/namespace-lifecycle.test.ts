import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type { DoorRequest, KubernetesObject } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";
import { openPlane } from "./fixtures/asked-plane.ts";

const MASTER = { username: "admin", groups: ["system:masters"] };

type Ask = (
  method: DoorRequest["method"],
  path: string,
  value?: unknown,
) => Promise<KubernetesObject & { code?: number }>;

async function openAsk(): Promise<Ask> {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  const server = await clock.runUntil(createApiServer({ store, clock, random: seededRandom(2) }));
  return async (method, path, value) => {
    const body: Pick<DoorRequest, "body"> =
      value === undefined ? {} : { body: { kind: "value", value } };
    const request: DoorRequest = { method, path, ...body, user: MASTER, want: "object" };
    const answer = await clock.runUntil(server.door.send(request));
    if (answer.kind !== "object") throw new Error(`expected an object, got ${answer.kind}`);
    return answer.object;
  };
}

const IN = "/api/v1/namespaces/n/configmaps";
const CONFIG_MAP = { metadata: { name: "c" } };

test("nothing is created in a namespace that does not exist", async () => {
  const ask = await openAsk();
  expect(await ask("POST", IN, CONFIG_MAP)).toMatchObject({
    code: 404,
    message: 'namespaces "n" not found',
  });
});

test("nothing is created in a namespace that goes; what is there can be changed and deleted", async () => {
  const ask = await openAsk();
  await ask("POST", "/api/v1/namespaces", { metadata: { name: "n" } });
  await ask("POST", IN, { metadata: { name: "there" } });
  await ask("DELETE", "/api/v1/namespaces/n");
  const refused = await ask("POST", IN, CONFIG_MAP);
  expect(refused).toMatchObject({
    code: 403,
    reason: "Forbidden",
    message:
      'configmaps "c" is forbidden: unable to create new content in namespace n because it is being terminated',
    details: {
      causes: [
        {
          reason: "NamespaceTerminating",
          message: "namespace n is being terminated",
          field: "metadata.namespace",
        },
      ],
    },
  });
  const role = { metadata: { name: "r" } };
  const byPut = await ask("PUT", "/apis/rbac.authorization.k8s.io/v1/namespaces/n/roles/r", role);
  expect(byPut.code).toBe(403);
  expect(
    await ask("PUT", `${IN}/there`, { metadata: { name: "there" }, data: { a: "b" } }),
  ).toMatchObject({ data: { a: "b" } });
  expect(await ask("DELETE", `${IN}/there`)).toMatchObject({ kind: "Status", status: "Success" });
});

test("nothing gets into a namespace that went while a plugin was asked", async () => {
  await using plane = await openPlane();
  const { ask } = plane;
  await ask("POST", "/api/v1/namespaces", { metadata: { name: "n" } });
  const hard = { configmaps: "5" };
  const quotas = "/api/v1/namespaces/n/resourcequotas";
  const quota = await ask("POST", quotas, { metadata: { name: "q" }, spec: { hard } });
  await ask("PUT", `${quotas}/q/status`, { ...quota, status: { hard, used: { configmaps: "0" } } });
  // The quota is written before the object: meanwhile the namespace is deleted.
  const creating = ask("POST", IN, CONFIG_MAP);
  await ask("DELETE", "/api/v1/namespaces/n");
  expect(await creating).toMatchObject({ code: 403, details: { name: "c" } });
  expect((await ask("GET", `${IN}/c`)).code).toBe(404);
});

test("an object whose name is still to be made is named by what there is of it", async () => {
  const ask = await openAsk();
  await ask("POST", "/api/v1/namespaces", { metadata: { name: "n" } });
  await ask("DELETE", "/api/v1/namespaces/n");
  const why = "unable to create new content in namespace n because it is being terminated";
  expect(await ask("POST", IN, { metadata: { generateName: "c-" } })).toMatchObject({
    message: `configmaps "c-" is forbidden: ${why}`,
  });
  expect(await ask("POST", IN, {})).toMatchObject({
    message: `configmaps "Unknown" is forbidden: ${why}`,
  });
});

test("a namespace that is made again is there again", async () => {
  const ask = await openAsk();
  await ask("POST", "/api/v1/namespaces", { metadata: { name: "n" } });
  await ask("POST", IN, CONFIG_MAP);
  await ask("DELETE", `${IN}/c`);
  await ask("DELETE", "/api/v1/namespaces/n");
  const going = await ask("GET", "/api/v1/namespaces/n");
  await ask("PUT", "/api/v1/namespaces/n/finalize", { ...going, spec: {} });
  expect((await ask("POST", IN, CONFIG_MAP)).code).toBe(404);
  await ask("POST", "/api/v1/namespaces", { metadata: { name: "n" } });
  expect((await ask("POST", IN, CONFIG_MAP)).code).toBeUndefined();
});

test.for(["default", "kube-system", "kube-public"])("%s stays", async (name) => {
  const ask = await openAsk();
  expect(await ask("DELETE", `/api/v1/namespaces/${name}`)).toMatchObject({
    code: 403,
    message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
  });
});

import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type { DoorRequest, KubernetesObject } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";

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

test.for(["default", "kube-system", "kube-public"])("%s stays", async (name) => {
  const ask = await openAsk();
  expect(await ask("DELETE", `/api/v1/namespaces/${name}`)).toMatchObject({
    code: 403,
    message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
  });
});

import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type { DoorRequest, KubernetesObject } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";

const MASTER = { username: "admin", groups: ["system:masters"] };
const PANDA = { username: "panda" };
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const PODS = "/api/v1/namespaces/default/pods";
const RBAC = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";

type Ask = (request: Omit<DoorRequest, "want">) => Promise<KubernetesObject & { message?: string }>;

async function openBench(): Promise<Ask> {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  const server = await clock.runUntil(createApiServer({ store, clock, random: seededRandom(7) }));
  return async (request) => {
    const answer = await clock.runUntil(server.door.send({ ...request, want: "object" }));
    if (answer.kind !== "object") throw new Error(`expected an object, got ${answer.kind}`);
    return answer.object;
  };
}

function valueBody(value: unknown): Pick<DoorRequest, "body"> {
  return { body: { kind: "value", value } };
}

async function grant(ask: Ask, verbs: readonly string[]): Promise<void> {
  const name = verbs.join("-");
  const rules = [
    { apiGroups: ["", "coordination.k8s.io"], resources: ["pods", "leases"], verbs: [...verbs] },
  ];
  const role = { metadata: { name }, rules };
  await ask({ method: "POST", path: `${RBAC}/roles`, user: MASTER, ...valueBody(role) });
  const binding = {
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "panda" }],
  };
  await ask({ method: "POST", path: `${RBAC}/rolebindings`, user: MASTER, ...valueBody(binding) });
}

const lease: Omit<DoorRequest, "want"> = {
  method: "PUT",
  path: `${LEASES}/a`,
  user: PANDA,
  ...valueBody({ metadata: { name: "a" }, spec: { leaseDurationSeconds: 5 } }),
};
const pod: Omit<DoorRequest, "want"> = {
  method: "PATCH",
  path: `${PODS}/a`,
  user: PANDA,
  query: { fieldManager: "test" },
  headers: { "content-type": "application/apply-patch+yaml" },
  ...valueBody({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a" },
    spec: { containers: [{ name: "c", image: "i" }] },
  }),
};

test("an update or apply that would create needs the right to create", async () => {
  const ask = await openBench();
  await grant(ask, ["update", "patch"]);
  expect(await ask(lease)).toMatchObject({
    code: 403,
    message:
      'leases.coordination.k8s.io "a" is forbidden: User "panda" cannot create resource "leases" in API group "coordination.k8s.io" in the namespace "default"',
  });
  expect(await ask(pod)).toMatchObject({
    code: 403,
    message:
      'pods "a" is forbidden: User "panda" cannot create resource "pods" in API group "" in the namespace "default"',
  });
  const dryRun = { ...pod.query, dryRun: "All" };
  expect(await ask({ ...pod, query: dryRun })).toMatchObject({ code: 403 });
  await grant(ask, ["create"]);
  expect(await ask(lease)).toMatchObject({ kind: "Lease", metadata: { name: "a" } });
  expect(await ask(pod)).toMatchObject({ kind: "Pod", metadata: { name: "a" } });
});

test("whoever may not create still changes what is there", async () => {
  const ask = await openBench();
  await grant(ask, ["update", "patch"]);
  const made = await ask({ ...lease, user: MASTER });
  await ask({ ...pod, user: MASTER });
  expect(await ask({ ...lease, ...valueBody(made) })).toMatchObject({ kind: "Lease" });
  expect(await ask(pod)).toMatchObject({ kind: "Pod" });
});

test("what is wrong with a new object is told before who may not create it", async () => {
  const ask = await openBench();
  await grant(ask, ["update"]);
  const wrong = { metadata: { name: "a" }, spec: { leaseDurationSeconds: -5 } };
  expect(await ask({ ...lease, ...valueBody(wrong) })).toMatchObject({ code: 422 });
});

import { expect, test } from "vitest";
import { MASTER, RBAC, RolesBench, toUser, userNamed } from "./fixtures/roles-bench.ts";

const GROUP = "rbac.authorization.k8s.io";
const eve = userNamed("eve");
const WHO = 'user "eve" (groups=["system:authenticated"]) is attempting to grant RBAC permissions';

/** Eve may write roles and bindings, and read pods. */
async function openWithEve(...more: readonly object[]): Promise<RolesBench> {
  const bench = await RolesBench.open();
  const rules = [
    {
      verbs: ["create", "update", "patch", "get"],
      apiGroups: [GROUP],
      resources: ["roles", "rolebindings", "clusterroles", "clusterrolebindings"],
    },
    { verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] },
    ...(more as []),
  ];
  await bench.grant("writer", rules, { to: [toUser("eve")] });
  return bench;
}

const ALL = { verbs: ["*"], apiGroups: ["*"], resources: ["*"] };
const readPods = { verbs: ["get"], apiGroups: [""], resources: ["pods"] };
const named = (name: string): object => ({ metadata: { name } });
const roleRef = (name: string, kind = "ClusterRole"): object => ({
  roleRef: { apiGroup: GROUP, kind, name },
});

test("a role with more than its writer holds is refused, with what is missing", async () => {
  const bench = await openWithEve();
  await bench.bind("missing", { to: [toUser("eve")] });
  const { status, object } = await bench.ask(eve, `POST ${RBAC}/namespaces/default/roles`, {
    ...named("a"),
    rules: [
      { verbs: ["get", "watch"], apiGroups: ["", "apps"], resources: ["pods", "secrets"] },
      { verbs: ["get"], apiGroups: [""], resources: ["nodes"], resourceNames: ["x", "y"] },
    ],
  });
  expect(status).toBe(403);
  expect(object.details).toEqual({ name: "a", group: GROUP, kind: "roles" });
  expect(object.message).toBe(
    `roles.${GROUP} "a" is forbidden: ${WHO} not currently held:
{APIGroups:[""], Resources:["nodes"], ResourceNames:["x"], Verbs:["get"]}
{APIGroups:[""], Resources:["nodes"], ResourceNames:["y"], Verbs:["get"]}
{APIGroups:[""], Resources:["pods"], Verbs:["watch"]}
{APIGroups:[""], Resources:["secrets"], Verbs:["get" "watch"]}
{APIGroups:["apps"], Resources:["pods"], Verbs:["get" "watch"]}
{APIGroups:["apps"], Resources:["secrets"], Verbs:["get" "watch"]}; resolution errors: [roles.${GROUP} "missing" not found]`,
  );
});

test("paths are granted by those who hold them or what they begin with", async () => {
  const bench = await openWithEve({ verbs: ["get"], nonResourceURLs: ["/debug/*"] });
  const make = (
    name: string,
    url: string,
  ): Promise<{ status: number; object: { message?: string } }> =>
    bench.ask(eve, `POST ${RBAC}/clusterroles`, {
      ...named(name),
      rules: [{ verbs: ["get"], nonResourceURLs: [url] }],
    });
  expect((await make("a", "/debug/pprof")).status).toBe(201);
  expect((await make("b", "/debug/*")).status).toBe(201);
  const refused = await make("c", "/debug*");
  expect([refused.status, refused.object.message]).toEqual([
    403,
    `clusterroles.${GROUP} "c" is forbidden: ${WHO} not currently held:
{NonResourceURLs:["/debug*"], Verbs:["get"]}`,
  ]);
});

test("what its writer holds goes into a role, by every way of writing", async () => {
  const bench = await openWithEve();
  const path = `${RBAC}/clusterroles`;
  const statusOf = async (asked: string, value: object): Promise<number> =>
    (await bench.ask(eve, asked, value)).status;
  expect(await statusOf(`POST ${path}`, { ...named("a"), rules: [readPods] })).toBe(201);
  expect(await statusOf(`PUT ${path}/b`, { ...named("b"), rules: [readPods] })).toBe(201);
  expect(await statusOf(`PUT ${path}/c`, { ...named("c"), rules: [ALL] })).toBe(403);
  expect(await statusOf(`PUT ${path}/a`, { ...named("a"), rules: [ALL] })).toBe(403);
  expect(await statusOf(`PATCH ${path}/a`, { rules: [ALL] })).toBe(403);
  expect(await statusOf(`PATCH ${path}/a`, { rules: [] })).toBe(200);
});

test("roles that hold more may be touched where only their collection changes", async () => {
  const bench = await openWithEve();
  await bench.make(`${RBAC}/clusterroles`, { ...named("all"), rules: [ALL] });
  const path = `${RBAC}/clusterroles/all`;
  const statusOf = async (metadata: object): Promise<number> =>
    (await bench.ask(eve, `PATCH ${path}`, { metadata })).status;
  expect(await statusOf({ finalizers: ["example.com/x"] })).toBe(200);
  expect(await statusOf({})).toBe(200);
  expect(await statusOf({ labels: { a: "b" } })).toBe(403);
});

test("whoever may escalate a role may write it, and only that one if it is named", async () => {
  const escalate = { verbs: ["escalate"], apiGroups: [GROUP], resources: ["clusterroles"] };
  const bench = await openWithEve({ ...escalate, resourceNames: ["mine"] });
  for (const name of ["mine", "other"]) await bench.make(`${RBAC}/clusterroles`, named(name));
  const statusOf = async (asked: string, value: object): Promise<number> =>
    (await bench.ask(eve, asked, value)).status;
  expect(await statusOf(`PATCH ${RBAC}/clusterroles/mine`, { rules: [ALL] })).toBe(200);
  expect(await statusOf(`PATCH ${RBAC}/clusterroles/other`, { rules: [ALL] })).toBe(403);
  await bench.ask(MASTER, `DELETE ${RBAC}/clusterroles/mine`);
  const body = { ...named("mine"), rules: [ALL] };
  expect(await statusOf(`POST ${RBAC}/clusterroles`, body)).toBe(403);
});

test("aggregation gathers anything, so it takes everything to ask for it", async () => {
  const bench = await openWithEve();
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] };
  const path = `${RBAC}/clusterroles`;
  const refused = await bench.ask(eve, `POST ${path}`, { ...named("a"), aggregationRule });
  expect([refused.status, refused.object.message]).toEqual([
    403,
    `clusterroles.${GROUP} "a" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
  ]);
  await bench.make(path, { ...named("b"), aggregationRule });
  const changed = await bench.ask(eve, `PATCH ${path}/b`, { aggregationRule: null });
  expect(changed.status).toBe(403);
});

test("a binding takes what its role grants, or the right to bind that role", async () => {
  const bench = await openWithEve({
    verbs: ["bind"],
    apiGroups: [GROUP],
    resources: ["clusterroles"],
    resourceNames: ["view"],
  });
  const path = `${RBAC}/namespaces/default/rolebindings`;
  const bind = (
    name: string,
    of: object,
  ): Promise<{ status: number; object: { message?: string } }> =>
    bench.ask(eve, `POST ${path}`, { ...named(name), ...of });
  expect((await bind("a", roleRef("writer"))).status).toBe(201);
  expect((await bind("b", roleRef("view"))).status).toBe(201);
  const admin = await bind("c", roleRef("cluster-admin"));
  expect([admin.status, admin.object.message]).toEqual([
    403,
    `rolebindings.${GROUP} "c" is forbidden: ${WHO} not currently held:
{APIGroups:["*"], Resources:["*"], Verbs:["*"]}
{NonResourceURLs:["*"], Verbs:["*"]}`,
  ]);
  const lost = await bind("d", roleRef("nope"));
  expect([lost.status, lost.object.message, lost.object]).toEqual([
    404,
    `rolebindings.${GROUP} "nope" not found`,
    expect.objectContaining({ details: { name: "nope", group: GROUP, kind: "rolebindings" } }),
  ]);
  const strange = await bind("e", roleRef("x", "constructor"));
  expect([strange.status, strange.object.message]).toEqual([
    500,
    'unsupported role reference kind: "constructor"',
  ]);
});

test("a subject is added to a binding only by who holds what is bound", async () => {
  const bench = await openWithEve();
  await bench.make(`${RBAC}/clusterroles`, { ...named("all"), rules: [ALL] });
  await bench.bind("all", { to: [toUser("bob")] });
  const subjects = [toUser("bob"), toUser("eve")];
  const { status } = await bench.ask(eve, `PATCH ${RBAC}/clusterrolebindings/all`, { subjects });
  expect(status).toBe(403);
});

test("rules that multiply beyond measure are refused without being looked through", async () => {
  const bench = await openWithEve();
  const many = Array.from({ length: 500 }, (_, i) => `x${i}`);
  const { status, object } = await bench.ask(eve, `POST ${RBAC}/clusterroles`, {
    ...named("many"),
    rules: [{ verbs: many, apiGroups: many, resources: many }],
  });
  expect(status).toBe(403);
  expect(object.message).toContain("125000000 RBAC permissions at once");
});

import { expect, test } from "vitest";
import { MASTER, RBAC, RolesBench, toUser, userNamed } from "./fixtures/roles-bench.ts";

const eve = userNamed("eve");
const readPods = { verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] };

async function statusOf(bench: RolesBench, asked: string, user = eve): Promise<number> {
  return (await bench.ask(user, asked)).status;
}

test("what no role grants is refused, and said as kube-apiserver says it", async () => {
  const bench = await RolesBench.open();
  await bench.bind("missing", { to: [toUser("eve")] });
  const lost = 'RBAC: clusterrole.rbac.authorization.k8s.io "missing" not found';
  const refusals: readonly (readonly [string, string])[] = [
    [
      "GET /api/v1/secrets",
      'secrets is forbidden: User "eve" cannot list resource "secrets" in API group "" at the cluster scope',
    ],
    [
      "GET /api/v1/namespaces/default",
      'namespaces "default" is forbidden: User "eve" cannot get resource "namespaces" in API group "" in the namespace "default"',
    ],
    [
      "DELETE /api/v1/namespaces/default/pods",
      'pods is forbidden: User "eve" cannot deletecollection resource "pods" in API group "" in the namespace "default"',
    ],
    [
      "GET /api/v1/namespaces/default/pods/a/log",
      'pods "a" is forbidden: User "eve" cannot get resource "pods/log" in API group "" in the namespace "default"',
    ],
    [
      "GET /api/v1/namespaces/default/secrets?watch=1&fieldSelector=metadata.name%3Dq",
      'secrets "q" is forbidden: User "eve" cannot watch resource "secrets" in API group "" in the namespace "default"',
    ],
    ["DELETE /metrics", 'forbidden: User "eve" cannot delete path "/metrics"'],
    ["GET /a<b>&c", 'forbidden: User "eve" cannot get path "/a&lt;b&gt;&amp;c"'],
  ];
  for (const [asked, message] of refusals) {
    const { status, object } = await bench.ask(eve, asked);
    expect([status, object.reason, object.message]).toEqual([
      403,
      "Forbidden",
      `${message}: ${lost}`,
    ]);
  }
});

test("roles hold from the commit that binds them to the commit that ends them", async () => {
  const bench = await RolesBench.open();
  const asked = "GET /api/v1/namespaces/default/pods";
  expect(await statusOf(bench, asked)).toBe(403);
  await bench.grant("reader", [readPods], { to: [toUser("eve")] });
  expect(await statusOf(bench, asked)).toBe(200);
  expect(await statusOf(bench, "GET /api/v1/pods")).toBe(200);
  expect(await statusOf(bench, "DELETE /api/v1/namespaces/default/pods")).toBe(403);
  await bench.ask(MASTER, `PATCH ${RBAC}/clusterroles/reader`, {
    rules: [{ ...readPods, verbs: ["watch"] }],
  });
  expect(await statusOf(bench, asked)).toBe(403);
  await bench.ask(MASTER, `PATCH ${RBAC}/clusterroles/reader`, { rules: [readPods] });
  expect(await statusOf(bench, asked)).toBe(200);
  await bench.ask(MASTER, `DELETE ${RBAC}/clusterrolebindings/reader`);
  expect(await statusOf(bench, asked)).toBe(403);
});

test("what is bound in a namespace holds there and nowhere else", async () => {
  const bench = await RolesBench.open();
  const account = { kind: "ServiceAccount", name: "robot" };
  await bench.grant("reader", [readPods], { to: [account], namespace: "default" });
  const robot = userNamed("system:serviceaccount:default:robot", "system:serviceaccounts");
  const other = userNamed("system:serviceaccount:kube-system:robot", "system:serviceaccounts");
  expect(await statusOf(bench, "GET /api/v1/namespaces/default/pods", robot)).toBe(200);
  expect(await statusOf(bench, "GET /api/v1/namespaces/kube-system/pods", robot)).toBe(403);
  expect(await statusOf(bench, "GET /api/v1/pods", robot)).toBe(403);
  expect(await statusOf(bench, "GET /api/v1/namespaces/default/pods", other)).toBe(403);
});

test("what the store holds already is known to a plane that starts on it", async () => {
  const first = await RolesBench.open();
  await first.grant("reader", [readPods], { to: [toUser("eve")] });
  const second = await RolesBench.open({ store: first.store, clock: first.clock });
  const answer = second.server.door.send({
    method: "GET",
    path: "/api/v1/pods",
    user: eve,
    want: "object",
  });
  expect((await first.clock.runUntil(answer)).status).toBe(200);
});

test("names, subresources and wildcards mean what they mean in Kubernetes", async () => {
  const bench = await RolesBench.open();
  const rules = [
    { verbs: ["get"], apiGroups: [""], resources: ["configmaps"], resourceNames: ["a", "b"] },
    { verbs: ["list"], apiGroups: [""], resources: ["configmaps"], resourceNames: ["a"] },
    { verbs: ["get"], apiGroups: ["*"], resources: ["*/scale"] },
    { verbs: ["get"], apiGroups: ["apps"], resources: ["deployments/*"] },
    { verbs: ["get"], nonResourceURLs: ["/metrics", "/debug/*"] },
  ];
  await bench.grant("some", rules, { to: [toUser("eve")] });
  const can = async (spec: object): Promise<boolean> => {
    const body = { spec: { user: "eve", ...spec } };
    const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    const { object } = await bench.ask(MASTER, `POST ${path}`, body);
    return (object.status as { allowed: boolean }).allowed;
  };
  const resource = (verb: string, asked: string, name = ""): Promise<boolean> => {
    const [plural = "", subresource = ""] = asked.split("/");
    const group = plural === "deployments" ? "apps" : "";
    return can({ resourceAttributes: { verb, group, resource: plural, subresource, name } });
  };
  const path = (url: string): Promise<boolean> =>
    can({ nonResourceAttributes: { verb: "get", path: url } });
  expect(await resource("get", "configmaps", "b")).toBe(true);
  expect(await resource("get", "configmaps", "c")).toBe(false);
  expect(await resource("get", "configmaps")).toBe(false);
  expect(await resource("get", "deployments/scale", "x")).toBe(true);
  expect(await resource("get", "deployments/status", "x")).toBe(false);
  expect(await resource("get", "deployments", "x")).toBe(false);
  expect(await path("/metrics")).toBe(true);
  expect(await path("/metrics/x")).toBe(false);
  expect(await path("/debug/pprof")).toBe(true);
  expect(await path("/debug")).toBe(false);
  const one = "/api/v1/configmaps?fieldSelector=metadata.name%3D";
  expect(await statusOf(bench, `GET ${one}a`)).toBe(200);
  expect(await statusOf(bench, `GET ${one}b`)).toBe(403);
  expect(await statusOf(bench, "GET /api/v1/configmaps")).toBe(403);
});

test("an access review says what allowed it", async () => {
  const bench = await RolesBench.open();
  await bench.grant("r", [readPods], {
    to: [{ kind: "ServiceAccount", name: "robot" }, toUser("eve")],
    namespace: "default",
  });
  const review = async (spec: object): Promise<unknown> => {
    const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    return (await bench.ask(MASTER, `POST ${path}`, { spec })).object.status;
  };
  const resourceAttributes = { verb: "get", resource: "pods", namespace: "default" };
  expect(await review({ user: "eve", resourceAttributes })).toEqual({
    allowed: true,
    reason: 'RBAC: allowed by RoleBinding "r/default" of ClusterRole "r" to User "eve"',
  });
  const user = "system:serviceaccount:default:robot";
  expect(await review({ user, resourceAttributes })).toEqual({
    allowed: true,
    reason:
      'RBAC: allowed by RoleBinding "r/default" of ClusterRole "r" to ServiceAccount "robot/default"',
  });
  const groups = ["system:masters"];
  expect(await review({ user: "x", groups, resourceAttributes })).toEqual({ allowed: true });
  expect(await review({ user: "x", resourceAttributes })).toEqual({ allowed: false });
});

test("everybody is told the rules that they hold", async () => {
  const bench = await RolesBench.open();
  await bench.grant("r", [readPods], { to: [toUser("eve")], namespace: "default" });
  await bench.bind("missing", { to: [toUser("eve")] });
  const path = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
  const { status, object } = await bench.ask(eve, `POST ${path}`, {
    spec: { namespace: "default" },
  });
  expect(status).toBe(201);
  expect(object.status).toMatchObject({
    resourceRules: expect.arrayContaining([readPods]),
    nonResourceRules: expect.arrayContaining([
      {
        verbs: ["get"],
        nonResourceURLs: ["/healthz", "/livez", "/readyz", "/version", "/version/"],
      },
    ]),
    incomplete: false,
    evaluationError: 'clusterrole.rbac.authorization.k8s.io "missing" not found',
  });
});

test("whoever is nobody sees what is public and nothing that only looks like it", async () => {
  const bench = await RolesBench.open();
  const nobody = { username: "system:anonymous", groups: ["system:unauthenticated"] };
  const got: Record<string, number> = {};
  for (const path of ["/healthz", "/version", "/api", "/healthzz", "/livez/ping", "/api/v1/pods"]) {
    got[path] = (await bench.send(nobody, { path })).status;
  }
  expect(got).toEqual({
    "/healthz": 200,
    "/version": 200,
    "/api": 403,
    "/healthzz": 403,
    "/livez/ping": 403,
    "/api/v1/pods": 403,
  });
});

test("AlwaysAllow lets everybody do everything", async () => {
  const bench = await RolesBench.open({ authorization: "AlwaysAllow" });
  expect(await statusOf(bench, "GET /api/v1/secrets")).toBe(200);
  const rules = [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }];
  const { status } = await bench.ask(eve, `POST ${RBAC}/clusterroles`, {
    metadata: { name: "all" },
    rules,
  });
  expect(status).toBe(201);
});

/**
 * The short ways to more rights that have worked elsewhere, each tried by somebody who may write what
 * it takes. That no sequence of permitted requests yields a right is a property test:
 * tests/properties/no-escalation.test.ts.
 */
import { beforeAll, expect, test } from "vitest";
import { grant } from "./attack-objects.ts";
import { attackedServer, type HostileAnswer, type HostileRequest } from "./server-under-attack.ts";

const server = attackedServer();
const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const GROUP = "rbac.authorization.k8s.io";
const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];

beforeAll(async () => {
  await grant(server(), "mallory", {
    rules: [
      { verbs, apiGroups: [GROUP], resources: ["*"] },
      { verbs, apiGroups: [""], resources: ["serviceaccounts", "pods", "configmaps"] },
      { verbs, apiGroups: ["certificates.k8s.io"], resources: ["certificatesigningrequests"] },
      {
        verbs: ["create"],
        apiGroups: ["authorization.k8s.io"],
        resources: ["selfsubjectaccessreviews"],
      },
    ],
  });
});

const asMallory = (request: Omit<HostileRequest, "as">): Promise<HostileAnswer> =>
  server().send({ ...request, as: "mallory" });

/** Whatever happened: mallory still may not. */
async function expectPowerless(): Promise<void> {
  for (const path of [
    "/api/v1/namespaces/bystander/secrets/canary",
    "/api/v1/nodes",
    "/apis/apps/v1/deployments",
  ]) {
    await server().expect(403, { path, as: "mallory" });
  }
}

const everything = [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }];
const admin = { apiGroup: GROUP, kind: "ClusterRole", name: "cluster-admin" };
const own = { apiGroup: GROUP, kind: "ClusterRole", name: "mallory" };
const subjects = [{ apiGroup: GROUP, kind: "User", name: "mallory" }];
const metadata = { name: "x" };
const json = (kind: string): string => `application/${kind}-patch+json`;

test.each<readonly [string, Omit<HostileRequest, "as">, number]>([
  [
    "a binding to cluster-admin",
    {
      method: "POST",
      path: `${RBAC}/clusterrolebindings`,
      body: { metadata, roleRef: admin, subjects },
    },
    403,
  ],
  [
    "the same in one namespace",
    {
      method: "POST",
      path: `${RBAC}/namespaces/bystander/rolebindings`,
      body: { metadata, roleRef: admin, subjects },
    },
    403,
  ],
  [
    "a role of everything",
    { method: "POST", path: `${RBAC}/clusterroles`, body: { metadata, rules: everything } },
    403,
  ],
  [
    "the own role, replaced",
    {
      method: "PUT",
      path: `${RBAC}/clusterroles/mallory`,
      body: { metadata: { name: "mallory" }, rules: everything },
    },
    403,
  ],
  [
    "the own role, merged",
    {
      method: "PATCH",
      path: `${RBAC}/clusterroles/mallory`,
      type: json("merge"),
      body: { rules: everything },
    },
    403,
  ],
  [
    "the own role, patched",
    {
      method: "PATCH",
      path: `${RBAC}/clusterroles/mallory`,
      type: json("json"),
      body: [{ op: "add", path: "/rules/-", value: everything[0] }],
    },
    403,
  ],
  [
    "the own role, applied",
    {
      method: "PATCH",
      path: `${RBAC}/clusterroles/mallory?fieldManager=m&force=true`,
      type: "application/apply-patch+yaml",
      body: {
        apiVersion: `${GROUP}/v1`,
        kind: "ClusterRole",
        metadata: { name: "mallory" },
        rules: everything,
      },
    },
    403,
  ],
  [
    "a role that is created by an apply",
    {
      method: "PATCH",
      path: `${RBAC}/clusterroles/applied?fieldManager=m&force=true`,
      type: "application/apply-patch+yaml",
      body: {
        apiVersion: `${GROUP}/v1`,
        kind: "ClusterRole",
        metadata: { name: "applied" },
        rules: everything,
      },
    },
    403,
  ],
  [
    "a role that gathers all others",
    {
      method: "POST",
      path: `${RBAC}/clusterroles`,
      body: { metadata, aggregationRule: { clusterRoleSelectors: [{}] } },
    },
    403,
  ],
  [
    "an existing binding, turned to oneself",
    {
      method: "PATCH",
      path: `${RBAC}/clusterrolebindings/cluster-admin`,
      type: json("merge"),
      body: { subjects },
    },
    403,
  ],
  [
    "the own binding, turned to another role",
    {
      method: "PATCH",
      path: `${RBAC}/clusterrolebindings/mallory`,
      type: json("merge"),
      body: { roleRef: admin },
    },
    403,
  ],
  [
    "the same, replaced",
    {
      method: "PUT",
      path: `${RBAC}/clusterrolebindings/mallory`,
      body: { metadata: { name: "mallory" }, roleRef: admin, subjects },
    },
    403,
  ],
  [
    "a token of a service account",
    {
      method: "POST",
      path: "/api/v1/namespaces/kube-system/serviceaccounts/default/token",
      body: {},
    },
    403,
  ],
  [
    "a secret that asks for a token",
    {
      method: "POST",
      path: "/api/v1/namespaces/kube-system/secrets",
      body: {
        metadata: { name: "x", annotations: { "kubernetes.io/service-account.name": "default" } },
        type: "kubernetes.io/service-account-token",
      },
    },
    403,
  ],
  [
    "the approval of a certificate",
    {
      method: "PUT",
      path: "/apis/certificates.k8s.io/v1/certificatesigningrequests/x/approval",
      body: { metadata },
    },
    403,
  ],
  [
    "a review of somebody else",
    {
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
      body: { spec: { user: "root" } },
    },
    403,
  ],
  [
    "a review of a token",
    {
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/tokenreviews",
      body: { spec: { token: "x" } },
    },
    403,
  ],
  [
    "a command in a pod",
    { method: "POST", path: "/api/v1/namespaces/kube-system/pods/x/exec?command=id" },
    403,
  ],
  ["a node, proxied", { path: "/api/v1/nodes/x/proxy/run/default/x/x" }, 403],
  ["metrics", { path: "/metrics" }, 403],
  ["debugging", { path: "/debug/pprof/heap" }, 403],
])("%s is refused", async (_, request, status) => {
  await server().during(async () => {
    const answer = await asMallory(request);
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([status, expect.anything()]);
    await expectPowerless();
  });
});

test("a binding that was turned keeps what it had, and rights that are held may be given", async () => {
  await server().during(async () => {
    const body = { metadata: { name: "given" }, roleRef: own, subjects };
    expect(
      (await asMallory({ method: "POST", path: `${RBAC}/clusterrolebindings`, body })).status,
    ).toBe(201);
    await expectPowerless();
  });
});

test.each([
  [{ "impersonate-user": "root" }],
  [{ "impersonate-user": "mallory", "impersonate-group": "system:masters" }],
  [{ "impersonate-user": "system:serviceaccount:kube-system:default" }],
  [{ "impersonate-user": "mallory", "impersonate-uid": "1" }],
  [{ "impersonate-user": "mallory", "impersonate-extra-scopes": "all" }],
  [{ "impersonate-user": "system:node:x", "impersonate-group": "system:nodes" }],
  [{ "Impersonate-User": "root" }],
])("impersonation by %j is refused", async (headers) => {
  await server().during(async () => {
    const path = "/api/v1/namespaces/bystander/secrets/canary";
    expect((await asMallory({ path, headers })).status).toBe(403);
  });
});

test("a certificate request says who asked, whatever it says", async () => {
  await server().during(async () => {
    const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    const { text } = await server().expect(201, {
      method: "POST",
      path,
      as: { token: "root-token-of-the-corpus" },
      headers: { "impersonate-user": "eve", "impersonate-group": "system:masters" },
      body: {
        metadata: { name: "forged" },
        spec: {
          request: CERTIFICATE_REQUEST,
          signerName: "kubernetes.io/kube-apiserver-client",
          usages: ["client auth"],
          username: "root",
          groups: ["system:masters", "system:nodes"],
          uid: "0",
        },
      },
    });
    const { spec } = JSON.parse(text) as { spec: { username: string; groups: string[] } };
    expect([spec.username, spec.groups]).toEqual([
      "eve",
      ["system:masters", "system:authenticated"],
    ]);
  });
});

/** For the common name `eve`; made once with openssl. */
const CERTIFICATE_REQUEST =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISk1IQUNBUUF3RGpFTU1Bb0dBMVVFQXd3RFpYWmxNRmt3RXdZSEtvWkl6ajBDQVFZSUtvWkl6ajBEQVFjRApRZ0FFT3owOFdEeHl0UXFzSEtCVEVTYUJFc2dTSGlyUmd4V1ZwOFhjK2FyQzkwVWE1VkhoL1ppNUNMTUl2V3VGCnQySi95NVBES1hpVTlsYVhQOE1tb1lpQk1LQUFNQW9HQ0NxR1NNNDlCQU1DQTBrQU1FWUNJUURxWktQTW96RUYKRDdvQXRUem5HZlh6Z1dCbU5YQ1FnRWN6eTkxMGZ4NmJsQUloQU1mZ1JlSnBsSHEwZTRtSWswQmJORXJlQjFMSgpTaE9DQ0hTM1lqRzZjNlMvCi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";

/** Every way to write goes through admission, and admission sees what is true: the kind, the old object, the user. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { defineKinds } from "./attack-objects.ts";
import { type ListeningServer, listenAsAttacker } from "./listening-server.ts";
import { attackedServer, type HostileRequest } from "./server-under-attack.ts";

const server = attackedServer();
const GROUP = "admitted.example.com";
const HOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const CORE = "/api/v1/namespaces/default";
const BAGS = `/apis/${GROUP}/v1/namespaces/default/bags`;

interface Review {
  readonly request: {
    readonly uid: string;
    readonly operation: string;
    readonly resource: { readonly resource: string };
    readonly subResource?: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly userInfo: { readonly username: string };
    readonly object: object | null;
    readonly oldObject: object | null;
    readonly dryRun?: boolean;
  };
}

let hook: ListeningServer;
let denying = false;
const seen: Review["request"][] = [];
const pod = (name: string): object => ({
  metadata: { name },
  spec: {
    automountServiceAccountToken: false,
    containers: [{ name: "c", image: "i", resources: { requests: { cpu: "1" } } }],
  },
});

beforeAll(async () => {
  await defineKinds(server(), GROUP, [{ plural: "bags", kind: "Bag", scope: "Namespaced" }]);
  const post = (path: string, body: object) => server().expect(201, { method: "POST", path, body });
  await post(`${CORE}/configmaps`, { metadata: { name: "a" }, data: { real: "yes" } });
  await post(`${CORE}/secrets`, { metadata: { name: "a" } });
  await post(`${CORE}/serviceaccounts`, { metadata: { name: "a" } });
  await post(`${CORE}/pods`, pod("a"));
  await post(BAGS, { apiVersion: `${GROUP}/v1`, kind: "Bag", metadata: { name: "a" } });
  await post("/apis/apps/v1/namespaces/default/deployments", {
    metadata: { name: "a" },
    spec: {
      selector: { matchLabels: { a: "b" } },
      template: {
        metadata: { labels: { a: "b" } },
        spec: { containers: [{ name: "c", image: "i" }] },
      },
    },
  });
  hook = await listenAsAttacker((_, response, body) => {
    const { request } = JSON.parse(body) as Review;
    seen.push(request);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify({
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        response: {
          uid: request.uid,
          allowed: !denying,
          status: { message: "denied by the corpus" },
        },
      }),
    );
  });
  await post(HOOKS, {
    metadata: { name: "everything" },
    webhooks: [
      {
        name: "everything.example.com",
        clientConfig: { url: `https://127.0.0.1:${hook.port}/`, caBundle: hook.caBundle },
        sideEffects: "None",
        failurePolicy: "Fail",
        admissionReviewVersions: ["v1"],
        rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] }],
      },
    ],
  });
  denying = true;
});

afterAll(() => hook[Symbol.asyncDispose]());

const merge = "application/merge-patch+json";
const map = { metadata: { name: "a" }, data: { changed: "yes" } };
const made = { metadata: { name: "new" } };

/** Every verb that writes, on kinds of all sorts, and every subresource that does. */
const WRITES: readonly HostileRequest[] = [
  { method: "POST", path: `${CORE}/configmaps`, body: made },
  { method: "POST", path: `${CORE}/configmaps`, body: { metadata: { generateName: "new-" } } },
  {
    method: "POST",
    path: `${CORE}/configmaps`,
    type: "application/yaml",
    body: "metadata: {name: new}",
  },
  { method: "PUT", path: `${CORE}/configmaps/a`, body: map },
  { method: "PATCH", path: `${CORE}/configmaps/a`, type: merge, body: map },
  {
    method: "PATCH",
    path: `${CORE}/configmaps/a`,
    type: "application/strategic-merge-patch+json",
    body: map,
  },
  {
    method: "PATCH",
    path: `${CORE}/configmaps/a`,
    type: "application/json-patch+json",
    body: [{ op: "add", path: "/data/changed", value: "yes" }],
  },
  {
    method: "PATCH",
    path: `${CORE}/configmaps/a?fieldManager=m&force=true`,
    type: "application/apply-patch+yaml",
    body: { apiVersion: "v1", kind: "ConfigMap", ...map },
  },
  {
    method: "PATCH",
    path: `${CORE}/configmaps/new?fieldManager=m&force=true`,
    type: "application/apply-patch+yaml",
    body: { apiVersion: "v1", kind: "ConfigMap", ...made },
  },
  { method: "DELETE", path: `${CORE}/configmaps/a` },
  { method: "DELETE", path: `${CORE}/configmaps` },
  { method: "DELETE", path: `${CORE}/configmaps/a?dryRun=All` },
  { method: "POST", path: `${CORE}/pods`, body: pod("new") },
  {
    method: "PUT",
    path: `${CORE}/pods/a/status`,
    body: { metadata: { name: "a" }, status: { phase: "Failed" } },
  },
  {
    method: "PATCH",
    path: `${CORE}/pods/a/status`,
    type: merge,
    body: { status: { phase: "Failed" } },
  },
  {
    method: "PATCH",
    path: `${CORE}/pods/a/ephemeralcontainers`,
    type: "application/strategic-merge-patch+json",
    body: { spec: { ephemeralContainers: [{ name: "e", image: "i" }] } },
  },
  {
    method: "PATCH",
    path: `${CORE}/pods/a/resize`,
    type: "application/strategic-merge-patch+json",
    body: { spec: { containers: [{ name: "c", resources: { requests: { cpu: "2" } } }] } },
  },
  {
    method: "POST",
    path: `${CORE}/pods/a/binding`,
    body: { metadata: { name: "a" }, target: { kind: "Node", name: "n" } },
  },
  {
    method: "POST",
    path: `${CORE}/bindings`,
    body: { metadata: { name: "a" }, target: { kind: "Node", name: "n" } },
  },
  { method: "POST", path: `${CORE}/pods/a/eviction`, body: { metadata: { name: "a" } } },
  { method: "DELETE", path: `${CORE}/pods/a` },
  { method: "POST", path: `${CORE}/serviceaccounts/a/token`, body: { spec: {} } },
  {
    method: "PUT",
    path: "/apis/apps/v1/namespaces/default/deployments/a/scale",
    body: { metadata: { name: "a" }, spec: { replicas: 5 } },
  },
  {
    method: "PATCH",
    path: "/apis/apps/v1/namespaces/default/deployments/a/scale",
    type: merge,
    body: { spec: { replicas: 5 } },
  },
  {
    method: "PATCH",
    path: "/apis/apps/v1/namespaces/default/deployments/a/status",
    type: merge,
    body: { status: { replicas: 5 } },
  },
  { method: "PATCH", path: `${BAGS}/a`, type: merge, body: { spec: { x: 1 } } },
  { method: "PATCH", path: `${BAGS}/a/status`, type: merge, body: { status: { x: 1 } } },
  { method: "DELETE", path: BAGS },
  {
    method: "POST",
    path: BAGS,
    body: { apiVersion: `${GROUP}/v1`, kind: "Bag", metadata: { name: "new" } },
  },
  { method: "POST", path: "/api/v1/namespaces", body: made },
  {
    method: "PUT",
    path: "/api/v1/namespaces/bystander/finalize",
    body: { metadata: { name: "bystander" }, spec: {} },
  },
  { method: "DELETE", path: "/api/v1/namespaces/bystander" },
  {
    method: "POST",
    path: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    body: { metadata: { name: "new" }, rules: [] },
  },
  {
    method: "DELETE",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/bags.admitted.example.com",
  },
  { method: "POST", path: "/apis/coordination.k8s.io/v1/namespaces/default/leases", body: made },
  {
    method: "POST",
    path: "/apis/events.k8s.io/v1/namespaces/default/events",
    body: {
      ...made,
      eventTime: "2026-01-01T00:00:00.000000Z",
      reportingController: "example.com/corpus",
      reportingInstance: "corpus",
      action: "Try",
      reason: "Try",
      type: "Normal",
      regarding: { namespace: "default" },
    },
  },
];

test.each(WRITES.map((each) => [`${each.method} ${each.path} ${each.type ?? ""}`, each] as const))(
  "%s is denied by who denies everything",
  async (_, request) => {
    await server().during(async () => {
      seen.length = 0;
      const { status, message } = await server().send(request);
      expect([status, message]).toEqual([
        400,
        expect.stringContaining('admission webhook "everything.example.com" denied the request'),
      ]);
      expect(seen.length).toBeGreaterThan(0);
      for (const { operation, object, oldObject, userInfo } of seen) {
        expect(userInfo.username).toBe("root");
        const isNew = operation === "CREATE" || operation === "CONNECT";
        expect([operation, (isNew ? object : oldObject) === null]).toEqual([operation, false]);
      }
    });
  },
);

test("nothing of what was denied has happened", async () => {
  const names = async (path: string): Promise<readonly string[]> => {
    const { text } = await server().expect(200, { path });
    return (JSON.parse(text) as { items: { metadata: { name: string } }[] }).items.map(
      ({ metadata }) => metadata.name,
    );
  };
  expect(await names(`${CORE}/configmaps`)).toEqual(["a"]);
  expect(await names(`${CORE}/pods`)).toEqual(["a"]);
  expect(await names(BAGS)).toEqual(["a"]);
  expect((await server().expect(200, { path: `${CORE}/configmaps/a` })).text).toContain(
    '"data":{"real":"yes"}',
  );
});

test("the old object is the stored one, whatever the writer says it was", async () => {
  await server().during(async () => {
    const patches: readonly (readonly [string, unknown])[] = [
      [merge, { data: { real: "forged" } }],
      ["application/json-patch+json", [{ op: "replace", path: "/data/real", value: "forged" }]],
    ];
    for (const [type, body] of patches) {
      seen.length = 0;
      await server().send({ method: "PATCH", path: `${CORE}/configmaps/a`, type, body });
      expect(seen[0]).toMatchObject({
        operation: "UPDATE",
        name: "a",
        namespace: "default",
        object: { data: { real: "forged" } },
        oldObject: { data: { real: "yes" } },
      });
    }
  });
});

test("reviews of access and of tokens, and reads, ask nobody", async () => {
  await server().during(async () => {
    seen.length = 0;
    await server().expect(200, { path: `${CORE}/configmaps/a` });
    await server().expect(200, { path: "/version" });
    expect(seen).toEqual([]);
  });
});

test("a policy that denies everything denies the same ways", async () => {
  denying = false;
  const policies = "/apis/admissionregistration.k8s.io/v1";
  const resourceRules = [
    { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] },
  ];
  const metadata = { name: "nothing" };
  await server().expect(201, {
    method: "POST",
    path: `${policies}/validatingadmissionpolicies`,
    body: {
      metadata,
      spec: {
        matchConstraints: { resourceRules },
        validations: [{ expression: "false", message: "denied by the policy" }],
      },
    },
  });
  await server().expect(201, {
    method: "POST",
    path: `${policies}/validatingadmissionpolicybindings`,
    body: { metadata, spec: { policyName: "nothing", validationActions: ["Deny"] } },
  });
  await server().during(async () => {
    for (const request of WRITES) {
      const answer = await server().send(request);
      const what = `${request.method} ${request.path}`;
      expect([what, answer.status, answer.message]).toEqual([
        what,
        422,
        expect.stringContaining("denied by the policy"),
      ]);
    }
  });
  for (const kind of ["policybindings", "policies"]) {
    const path = `${policies}/validatingadmission${kind}/nothing`;
    await server().expect(200, { method: "DELETE", path });
  }
  denying = true;
});

test("a webhook that is gone denies by failing, and who may may still take it away", async () => {
  await server().during(async () => {
    await hook[Symbol.asyncDispose]();
    const { message } = await server().expect(500, {
      method: "POST",
      path: `${CORE}/configmaps`,
      body: made,
    });
    expect(message).toContain('failed calling webhook "everything.example.com"');
    // Configurations of admission are not judged by themselves.
    await server().expect(200, { method: "DELETE", path: `${HOOKS}/everything` });
    await server().expect(201, { method: "POST", path: `${CORE}/configmaps`, body: made });
  });
});

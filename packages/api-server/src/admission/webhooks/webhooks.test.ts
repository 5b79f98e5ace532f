import { expect, test } from "vitest";
import {
  AdmissionBench,
  patchWith,
  REGISTRATION,
  type WebhookAnswer,
  webhookAt,
} from "../fixtures/admission-bench.ts";

const MUTATING = `${REGISTRATION}/mutatingwebhookconfigurations`;
const VALIDATING = `${REGISTRATION}/validatingwebhookconfigurations`;

const allow: WebhookAnswer = () => ({ allowed: true });
const addData =
  (key: string, value = "x"): WebhookAnswer =>
  ({ request }) => {
    const { data } = request.object as unknown as { data?: object };
    return data === undefined
      ? patchWith({ op: "add", path: "/data", value: { [key]: value } })
      : patchWith({ op: "add", path: `/data/${key}`, value });
  };

function configuration(name: string, ...webhooks: readonly object[]): object {
  return { metadata: { name }, webhooks };
}

test("a webhook is told what kube-apiserver tells it, in its order", async () => {
  const bench = await AdmissionBench.open({ see: allow });
  await bench.make(VALIDATING, configuration("a", webhookAt("see")));
  await bench.createMap({ metadata: { generateName: "a-" } }, "?fieldManager=me&dryRun=All");
  const [call] = bench.calls;
  const { uid, name, object, ...rest } = call!.request;
  expect(call?.target).toMatchObject({ url: "https://hooks.test/see", timeoutSeconds: 10 });
  expect(Object.keys(call!.review)).toEqual(["kind", "apiVersion", "request"]);
  expect(call!.review["apiVersion"]).toBe("admission.k8s.io/v1");
  expect(uid).toMatch(/^[0-9a-f-]{36}$/);
  expect(name).toMatch(/^a-.{5}$/);
  expect(object).toMatchObject({ kind: "ConfigMap", apiVersion: "v1", metadata: { name } });
  const kind = { group: "", version: "v1", kind: "ConfigMap" };
  const resource = { group: "", version: "v1", resource: "configmaps" };
  expect(rest).toEqual({
    kind,
    resource,
    requestKind: kind,
    requestResource: resource,
    namespace: "default",
    operation: "CREATE",
    userInfo: { username: "admin", groups: ["system:masters"] },
    oldObject: null,
    dryRun: true,
    options: {
      kind: "CreateOptions",
      apiVersion: "meta.k8s.io/v1",
      dryRun: ["All"],
      fieldManager: "me",
    },
  });
  expect(Object.keys(call!.request)).toEqual(
    "uid kind resource requestKind requestResource name namespace operation userInfo object oldObject dryRun options".split(
      " ",
    ),
  );
});

test("an update shows both objects, a deletion the old one with its options", async () => {
  const bench = await AdmissionBench.open({ see: allow });
  await bench.createMap({ metadata: { name: "m" }, data: { a: "1" } });
  await bench.make(VALIDATING, configuration("a", webhookAt("see")));
  const at = "/api/v1/namespaces/default/configmaps/m";
  await bench.ask(`PATCH ${at}?fieldValidation=Strict`, { data: { b: "2" } });
  await bench.ask(`DELETE ${at}?gracePeriodSeconds=3`);
  const [update, deletion] = bench.calls.map(({ request }) => request);
  expect(update).toMatchObject({
    operation: "UPDATE",
    object: { data: { a: "1", b: "2" } },
    oldObject: { data: { a: "1" } },
    options: { kind: "UpdateOptions", fieldValidation: "Strict" },
  });
  expect(deletion).toMatchObject({
    operation: "DELETE",
    name: "m",
    object: null,
    oldObject: { data: { a: "1", b: "2" } },
    options: { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1", gracePeriodSeconds: 3 },
  });
});

test.each([
  [
    { allowed: false },
    400,
    "",
    'admission webhook "no.hooks.test" denied the request without explanation',
  ],
  [
    { allowed: false, status: { message: "no way", code: 418, reason: "Teapot" } },
    418,
    "Teapot",
    'admission webhook "no.hooks.test" denied the request: no way',
  ],
  [
    { allowed: false, status: { reason: "Conflict" } },
    400,
    "Conflict",
    'admission webhook "no.hooks.test" denied the request: Conflict',
  ],
])("a refusal %j is told with status %i", async (...[response, status, reason, message]) => {
  const bench = await AdmissionBench.open({ no: () => response });
  await bench.make(VALIDATING, configuration("a", webhookAt("no")));
  const answer = await bench.createMap({ metadata: { name: "m" } });
  expect(answer.status).toBe(status);
  expect(answer.object.reason ?? "").toBe(reason);
  expect(answer.object.message).toBe(message);
});

test.each([
  [
    { kind: "Pod", apiVersion: "v1" },
    'failed to call webhook: no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
  [
    { kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1beta1", response: {} },
    "failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion",
  ],
  [
    { kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1" },
    "received invalid webhook response: webhook response was absent",
  ],
  [
    { allowed: "yes" },
    "failed to call webhook: json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool",
  ],
  [
    { allowed: true, patch: "W10=" },
    "received invalid webhook response: webhook returned response.patch but not response.patchType",
  ],
  [
    { allowed: true, patchType: "JSONPatch" },
    "received invalid webhook response: webhook returned response.patchType but not response.patch",
  ],
  [
    { allowed: true, patchType: "JSONPatch", patch: "e30=" },
    "received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch",
  ],
  [
    { allowed: true, patchType: "JSONPatch", patch: "!!" },
    "failed to call webhook: illegal base64 data at input byte 0",
  ],
])("the answer %j is no answer", async (answer, why) => {
  const bench = await AdmissionBench.open({ odd: () => answer });
  await bench.make(MUTATING, configuration("a", webhookAt("odd")));
  const refused = await bench.createMap({ metadata: { name: "m" } });
  expect(refused.status).toBe(500);
  expect(refused.object).toMatchObject({
    reason: "InternalError",
    message: `Internal error occurred: failed calling webhook "odd.hooks.test": ${why}`,
    details: { causes: [{ message: `failed calling webhook "odd.hooks.test": ${why}` }] },
  });
});

test("with failurePolicy Ignore, a webhook that does not answer is passed over", async () => {
  const bench = await AdmissionBench.open({
    odd: () => {
      throw new Error("gone");
    },
  });
  const failing = webhookAt("odd", { failurePolicy: "Ignore" });
  await bench.make(MUTATING, configuration("a", failing));
  await bench.make(VALIDATING, configuration("a", failing));
  expect((await bench.createMap({ metadata: { name: "m" } })).status).toBe(201);
  expect(bench.calls).toHaveLength(2);
});

test("a webhook that takes longer than its timeout has failed", async () => {
  const bench = await AdmissionBench.open({
    slow: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(new Error("context deadline exceeded")));
      }),
  });
  await bench.make(VALIDATING, configuration("a", webhookAt("slow", { timeoutSeconds: 2 })));
  const before = bench.clock.monotonic();
  const { status, object } = await bench.createMap({ metadata: { name: "m" } });
  expect(status).toBe(500);
  expect(object.message).toContain("failed to call webhook: context deadline exceeded");
  expect(bench.clock.monotonic() - before).toBe(2000);
});

test("webhooks get no more time than the request has left, and are told in whole seconds", async () => {
  const bench = await AdmissionBench.open({ see: allow });
  await bench.make(VALIDATING, configuration("a", webhookAt("see", { timeoutSeconds: 20 })));
  await bench.createMap({ metadata: { name: "m" } }, "?timeout=7500ms");
  await bench.createMap({ metadata: { name: "n" } });
  expect(bench.calls.map(({ target }) => target.timeoutSeconds)).toEqual([8, 20]);
});

test("what webhooks do to owners and managers is put right, and the client told", async () => {
  const owner = { apiVersion: "v1", kind: "Node", name: "n", uid: "u" };
  const bench = await AdmissionBench.open({
    owners: () =>
      patchWith({ op: "add", path: "/metadata/ownerReferences", value: [owner, owner] }),
    managers: () => patchWith({ op: "remove", path: "/metadata/managedFields/0/apiVersion" }),
  });
  await bench.make(MUTATING, configuration("a", webhookAt("owners"), webhookAt("managers")));
  const { object, warnings } = await bench.createMap({ metadata: { name: "m" }, data: { a: "b" } });
  expect(object.metadata?.ownerReferences).toEqual([owner]);
  expect(object.metadata?.managedFields).toMatchObject([{ apiVersion: "v1", operation: "Update" }]);
  expect(warnings).toEqual([
    expect.stringContaining("please fix your requests: apiVersion must not be empty"),
    expect.stringContaining("contains duplicate entries after mutating admission happens"),
  ]);
});

test("a question that has a name is told by it", async () => {
  const bench = await AdmissionBench.open({ see: allow });
  const rules = [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }];
  await bench.make(MUTATING, configuration("a", webhookAt("see", { rules })));
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  await bench.ask(`POST ${path}`, { metadata: { name: "who" } });
  expect(bench.calls.map(({ request }) => request["name"])).toEqual(["who"]);
});

test("mutating webhooks follow each other by configuration and place, each on what was made", async () => {
  const bench = await AdmissionBench.open({ a: addData("a"), b: addData("b"), c: addData("c") });
  await bench.make(MUTATING, configuration("z", webhookAt("c")));
  await bench.make(MUTATING, configuration("y", webhookAt("b"), webhookAt("a")));
  const { object } = await bench.createMap({ metadata: { name: "m" } });
  expect(object.data).toEqual({ a: "x", b: "x", c: "x" });
  const asked = bench.calls.map(({ target }) => target.url.at(-1));
  expect(asked).toEqual(["b", "a", "c"]);
});

test("a webhook that wants it is asked again when a later one changed the object", async () => {
  const bench = await AdmissionBench.open({ a: addData("a"), b: addData("b"), c: addData("c") });
  const again = { reinvocationPolicy: "IfNeeded" };
  await bench.make(
    MUTATING,
    configuration("y", webhookAt("a", again), webhookAt("b"), webhookAt("c", again)),
  );
  await bench.createMap({ metadata: { name: "m" } });
  const asked = bench.calls.map(({ target }) => target.url.at(-1));
  expect(asked).toEqual(["a", "b", "c", "a"]);
});

test("after a webhook changed a pod, the other plugins see it again", async () => {
  const bench = await AdmissionBench.open({
    sidecar: () =>
      patchWith({
        op: "add",
        path: "/spec/containers/-",
        value: { name: "b", image: "b", resources: {} },
      }),
  });
  await bench.make("/api/v1/namespaces/default/limitranges", {
    metadata: { name: "l" },
    spec: { limits: [{ type: "Container", default: { cpu: "1" } }] },
  });
  await bench.make("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "default" } });
  const pods = [
    { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] },
  ];
  await bench.make(MUTATING, configuration("y", webhookAt("sidecar", { rules: pods })));
  const { object } = await bench.ask("POST /api/v1/namespaces/default/pods", {
    metadata: { name: "p" },
    spec: { containers: [{ name: "a", image: "a" }] },
  });
  const containers = object.spec?.["containers"] as {
    resources: unknown;
    terminationMessagePath: string;
  }[];
  expect(containers).toHaveLength(2);
  expect(containers[1]).toMatchObject({
    resources: { limits: { cpu: "1" } },
    terminationMessagePath: "/dev/termination-log",
  });
});

test.each([
  [[{ op: "foo", path: "/x" }], "Internal error occurred: Unexpected kind: foo"],
  [
    [{ op: "add", path: "/data", value: 7 }],
    "Internal error occurred: json: cannot unmarshal number into Go struct field ConfigMap.data of type map[string]string",
  ],
  [
    [{ op: "replace", path: "/kind", value: "Pod" }],
    "converting (v1.Pod) to (core.ConfigMap): unknown conversion",
  ],
])("a patch %j that does not fit is an error", async (operations, message) => {
  const bench = await AdmissionBench.open({ odd: () => patchWith(...operations) });
  await bench.make(MUTATING, configuration("a", webhookAt("odd")));
  const { status, object } = await bench.createMap({ metadata: { name: "m" } });
  expect(status).toBe(500);
  expect(object.message).toBe(message);
});

test("unknown fields that a patch adds are dropped, warnings are passed on", async () => {
  const bench = await AdmissionBench.open({
    odd: () => ({ ...patchWith({ op: "add", path: "/foo", value: 1 }), warnings: ["careful"] }),
  });
  await bench.make(MUTATING, configuration("a", webhookAt("odd")));
  const { status, object, warnings } = await bench.createMap({ metadata: { name: "m" } });
  expect(status).toBe(201);
  expect(object).not.toHaveProperty("foo");
  expect(warnings.join()).toContain("careful");
});

test("selectors choose by the labels of the namespace and of the object, old or new", async () => {
  const bench = await AdmissionBench.open({ see: allow });
  const selectors = {
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "default" } },
    objectSelector: { matchLabels: { seen: "yes" } },
  };
  await bench.make(VALIDATING, configuration("a", webhookAt("see", selectors)));
  await bench.createMap({ metadata: { name: "n" } });
  await bench.createMap({ metadata: { name: "m", labels: { seen: "yes" } } });
  const at = "/api/v1/namespaces/default/configmaps/m";
  await bench.ask(`PATCH ${at}`, { metadata: { labels: null } });
  await bench.ask(`PATCH ${at}`, { data: { a: "b" } });
  await bench.ask("POST /api/v1/namespaces/kube-system/configmaps", {
    metadata: { name: "m", labels: { seen: "yes" } },
  });
  expect(bench.calls.map(({ request }) => request.operation)).toEqual(["CREATE", "UPDATE"]);
});

test("a namespace is chosen by its own labels", async () => {
  const bench = await AdmissionBench.open({ see: allow });
  const rules = [
    {
      operations: ["*"],
      apiGroups: [""],
      apiVersions: ["v1"],
      resources: ["namespaces"],
      scope: "Cluster",
    },
  ];
  const namespaceSelector = { matchLabels: { seen: "yes" } };
  await bench.make(VALIDATING, configuration("a", webhookAt("see", { rules, namespaceSelector })));
  await bench.make("/api/v1/namespaces", { metadata: { name: "x" } });
  await bench.make("/api/v1/namespaces", { metadata: { name: "y", labels: { seen: "yes" } } });
  expect(bench.calls.map(({ request }) => [request.name, request.namespace])).toEqual([["y", "y"]]);
});

test("a webhook for another version of a resource gets it in that version, unless it wants it exactly", async () => {
  const bench = await AdmissionBench.open({ see: allow, exact: allow });
  const rules = [
    {
      operations: ["CREATE"],
      apiGroups: ["autoscaling"],
      apiVersions: ["v1"],
      resources: ["horizontalpodautoscalers"],
    },
  ];
  await bench.make(
    VALIDATING,
    configuration(
      "a",
      webhookAt("see", { rules }),
      webhookAt("exact", { rules, matchPolicy: "Exact" }),
    ),
  );
  await bench.make("/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers", {
    metadata: { name: "h" },
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
        },
      ],
    },
  });
  expect(bench.calls).toHaveLength(1);
  expect(bench.calls[0]!.request).toMatchObject({
    kind: { group: "autoscaling", version: "v1" },
    requestKind: { group: "autoscaling", version: "v2" },
    object: { apiVersion: "autoscaling/v1", spec: { targetCPUUtilizationPercentage: 50 } },
  });
});

test("subresources are asked about by name, with the object of their own kind", async () => {
  const bench = await AdmissionBench.open({ see: allow });
  const rules = [
    { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/scale"] },
  ];
  await bench.make("/apis/apps/v1/namespaces/default/deployments", {
    metadata: { name: "d" },
    spec: {
      selector: { matchLabels: { a: "b" } },
      template: {
        metadata: { labels: { a: "b" } },
        spec: { containers: [{ name: "c", image: "c" }] },
      },
    },
  });
  await bench.make(VALIDATING, configuration("a", webhookAt("see", { rules })));
  await bench.ask("PATCH /apis/apps/v1/namespaces/default/deployments/d/scale", {
    spec: { replicas: 5 },
  });
  await bench.ask("PATCH /apis/apps/v1/namespaces/default/deployments/d", {
    spec: { replicas: 6 },
  });
  expect(bench.calls).toHaveLength(1);
  expect(bench.calls[0]!.request).toMatchObject({
    subResource: "scale",
    requestSubResource: "scale",
    resource: { group: "apps", resource: "deployments" },
    kind: { group: "autoscaling", version: "v1", kind: "Scale" },
    object: { kind: "Scale", spec: { replicas: 5 } },
    oldObject: { spec: { replicas: 1 } },
  });
});

test("conditions that are not true save the call; those that fail refuse", async () => {
  const bench = await AdmissionBench.open({ see: allow });
  const conditions = (expression: string): object => ({
    matchConditions: [{ name: "c", expression }],
  });
  await bench.make(
    VALIDATING,
    configuration("a", webhookAt("see", conditions("object.metadata.name != 'skipped'"))),
  );
  await bench.createMap({ metadata: { name: "skipped" } });
  expect(bench.calls).toHaveLength(0);
  await bench.make(
    VALIDATING,
    configuration("b", webhookAt("see", conditions("object.nothing == 1"))),
  );
  const { status, object } = await bench.createMap({ metadata: { name: "m" } });
  expect(status).toBe(403);
  expect(object.message).toBe(
    `configmaps "m" is forbidden: expression 'object.nothing == 1' resulted in error: no such key: nothing`,
  );
});

test("conditions may ask what the user may do", async () => {
  const bench = await AdmissionBench.open({ see: allow });
  const expression =
    "!authorizer.requestResource.check('approve').allowed() && !authorizer.serviceAccount('default', 'a').group('').resource('pods').check('get').allowed()";
  const matchConditions = [{ name: "c", expression }];
  await bench.make(VALIDATING, configuration("a", webhookAt("see", { matchConditions })));
  await bench.createMap({ metadata: { name: "m" } });
  expect(bench.calls).toHaveLength(0);
});

test("a dry run is refused where a webhook would not know of it", async () => {
  const bench = await AdmissionBench.open({ see: allow });
  const body = configuration("a", webhookAt("see", { sideEffects: "NoneOnDryRun" }));
  await bench.make(VALIDATING, body);
  expect((await bench.createMap({ metadata: { name: "m" } }, "?dryRun=All")).status).toBe(201);
  expect(bench.calls[0]!.request.dryRun).toBe(true);
});

test("nobody is asked about what says who is asked", async () => {
  const bench = await AdmissionBench.open({ see: () => ({ allowed: false }) });
  const rules = [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] }];
  await bench.make(VALIDATING, configuration("a", webhookAt("see", { rules })));
  expect((await bench.ask(`DELETE ${VALIDATING}/a`)).status).toBe(200);
  expect(bench.calls).toHaveLength(0);
  expect((await bench.createMap({ metadata: { name: "m" } })).status).toBe(201);
});

test("a webhook of a Service is called at its cluster address by the name of the Service", async () => {
  const bench = await AdmissionBench.open({ "": allow, see: allow });
  const clientConfig = {
    service: { name: "hook", namespace: "default", path: "/see", port: 8443 },
  };
  await bench.make(VALIDATING, configuration("a", webhookAt("see", { clientConfig })));
  const { object } = await bench.createMap({ metadata: { name: "m" } });
  expect(object.message).toBe(
    'Internal error occurred: failed calling webhook "see.hooks.test": failed to call webhook: Post "https://hook.default.svc:8443/see?timeout=10s": service "hook" not found',
  );
  await bench.make("/api/v1/namespaces/default/services", {
    metadata: { name: "hook" },
    spec: { clusterIP: "10.0.0.77", ports: [{ port: 8443 }] },
  });
  expect((await bench.createMap({ metadata: { name: "m" } })).status).toBe(201);
  expect(bench.calls[0]!.target).toMatchObject({
    url: "https://hook.default.svc:8443/see",
    serverName: "hook.default.svc",
    address: { host: "10.0.0.77", port: 8443 },
  });
});

import { ManualClock, seededRandom } from "@homeostat/concurrency";
import { ApiError, type DoorAnswer, type DoorRequest } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { type ApiServer, createApiServer } from "../api-server.ts";
import type { AuditEvent } from "./audit-event.ts";
import type { AuditRule } from "./audit-policy.ts";
import { printAuditEvent } from "./print-audit-event.ts";

const ADMIN = { username: "admin", groups: ["system:masters", "system:authenticated"] };
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const SECRETS = "/api/v1/namespaces/default/secrets";

interface Bench {
  readonly events: AuditEvent[];
  readonly clock: ManualClock;
  readonly noteUnknown: (...refusal: Parameters<ApiServer["noteUnknown"]>) => void;
  readonly send: (request: Partial<DoorRequest> & { readonly path: string }) => Promise<DoorAnswer>;
}

async function openBench(...rules: readonly AuditRule[]): Promise<Bench> {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  const events: AuditEvent[] = [];
  const policy = { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules } as const;
  const sink = { write: (event: AuditEvent) => void events.push(event) };
  const audit = { policy, sink };
  const random = seededRandom(9);
  const server = await clock.runUntil(createApiServer({ store, clock, random, audit }));
  return {
    events,
    clock,
    noteUnknown: (...refusal) => server.noteUnknown(...refusal),
    send: (request) =>
      clock.runUntil(server.door.send({ method: "GET", user: ADMIN, want: "bytes", ...request })),
  };
}

function post(path: string, value: unknown): Pick<DoorRequest, "method" | "path" | "body"> {
  return { method: "POST", path, body: { kind: "value", value } };
}

test("of a request its coming and its end are told, in Go's order of fields", async () => {
  const { events, send } = await openBench({ level: "Metadata" });
  const answer = await send({
    path: `${CONFIG_MAPS}/kube-root-ca.crt`,
    query: { pretty: "true" },
    headers: { "audit-id": "one", "user-agent": "test" },
    sourceAddresses: () => ["1.2.3.4"],
  });
  expect(answer.status).toBe(404);
  expect(JSON.stringify(events[1])).toBe(
    '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"one","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/default/configmaps/kube-root-ca.crt?pretty=true","verb":"get","user":{"username":"admin","groups":["system:masters","system:authenticated"]},"sourceIPs":["1.2.3.4"],"userAgent":"test","objectRef":{"resource":"configmaps","namespace":"default","name":"kube-root-ca.crt","apiVersion":"v1"},"responseStatus":{"metadata":{},"status":"Failure","message":"configmaps \\"kube-root-ca.crt\\" not found","reason":"NotFound","details":{"name":"kube-root-ca.crt","kind":"configmaps"},"code":404},"requestReceivedTimestamp":"2026-01-01T00:00:00.000000Z","stageTimestamp":"2026-01-01T00:00:00.000000Z","annotations":{"authorization.k8s.io/decision":"allow","authorization.k8s.io/reason":""}}',
  );
  expect(events[0]).toMatchObject({ stage: "RequestReceived", auditID: "one" });
  expect(events[0]).not.toHaveProperty("responseStatus");
  expect(events).toHaveLength(2);
});

test("levels say whether what was sent and what was answered is told", async () => {
  const { events, send } = await openBench(
    { level: "None", resources: [{ resources: ["secrets"] }] },
    { level: "Request", verbs: ["create"], omitStages: ["RequestReceived"] },
    { level: "RequestResponse", omitManagedFields: true, omitStages: ["RequestReceived"] },
  );
  const object = { metadata: { name: "c" }, data: { k: "v" } };
  await send(post(SECRETS, { metadata: { name: "s" } }));
  await send(post(CONFIG_MAPS, object));
  await send({ path: `${CONFIG_MAPS}/c` });
  await send({ path: CONFIG_MAPS });
  const [created, read, list] = events;
  expect(events).toHaveLength(3);
  expect(created).toMatchObject({
    requestObject: object,
    objectRef: { name: "c" },
    responseStatus: { code: 201 },
  });
  expect(created).not.toHaveProperty("responseObject");
  expect(read).toMatchObject({ responseObject: { data: { k: "v" } } });
  expect(JSON.stringify(read)).not.toContain("managedFields");
  expect(list).toMatchObject({ responseObject: { kind: "ConfigMapList", items: [{}] } });
});

test("a token is never told, whatever the level", async () => {
  const { events, send } = await openBench({ level: "RequestResponse" });
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  await send(post(accounts, { metadata: { name: "default" } }));
  const answer = await send({ ...post(`${accounts}/default/token`, { spec: {} }), want: "object" });
  expect(answer.status).toBe(201);
  if (answer.kind !== "object") throw new Error("expected an object");
  const { token } = (answer.object as unknown as { status: { token: string } }).status;
  await send(post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token } }));
  await send({ path: "/version", headers: { authorization: `Bearer ${token}` } });
  expect(token.length).toBeGreaterThan(100);
  expect(events.length).toBeGreaterThan(6);
  expect(JSON.stringify(events)).not.toContain(token.slice(0, 60));
  expect(JSON.stringify(events)).not.toContain(token.slice(-60));
});

test("who acts as another is told with both names, and a refusal with its reason", async () => {
  const { events, send } = await openBench({ level: "Metadata", omitStages: ["RequestReceived"] });
  await send({ path: CONFIG_MAPS, headers: { "impersonate-user": "joe" } });
  expect(events[0]).toMatchObject({
    user: { username: "admin" },
    impersonatedUser: { username: "joe", groups: ["system:authenticated"] },
    responseStatus: { code: 403, reason: "Forbidden" },
    annotations: { "authorization.k8s.io/decision": "forbid" },
  });
});

test("of a request of nobody one event tells all", async () => {
  const { events, noteUnknown } = await openBench({ level: "Metadata" });
  const headers = { "audit-id": "x", "user-agent": "" };
  const refused = ApiError.unauthorized("Unauthorized");
  noteUnknown({ method: "GET", path: "/api/v1/pods", headers, want: "bytes" }, refused);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    auditID: "x",
    stage: "ResponseStarted",
    verb: "list",
    user: {},
    responseStatus: { status: "Failure", message: "Unauthorized", code: 401 },
  });
});

test("a time that is none is told like a request of nobody", async () => {
  const { events, send } = await openBench({ level: "Metadata" });
  await send({ path: CONFIG_MAPS, query: { timeout: "x" } });
  expect(events).toMatchObject([
    { stage: "ResponseStarted", user: {}, responseStatus: { code: 400 } },
  ]);
});

test("a line holds nothing that a browser would take for a tag", async () => {
  const { events, send } = await openBench({ level: "Metadata" });
  await send({ path: "/x", query: { a: "<b>", c: "d" } });
  expect(printAuditEvent(events[0]!)).toContain('"requestURI":"/x?a=%3Cb%3E\\u0026c=d"');
});

test("a watch is told when it begins and when it ends", async () => {
  const { events, send, clock } = await openBench({ level: "Request" });
  const watch = await send({ path: CONFIG_MAPS, query: { watch: "1", timeoutSeconds: "5" } });
  if (watch.kind !== "byte-stream") throw new Error("expected a stream");
  const stages = (): readonly string[] => events.map(({ stage }) => stage);
  expect(stages()).toEqual(["RequestReceived", "ResponseStarted"]);
  const reading = (async () => {
    for await (const _chunk of watch.chunks);
  })();
  await clock.runUntil(reading);
  expect(stages()).toEqual(["RequestReceived", "ResponseStarted", "ResponseComplete"]);
  expect(events[2]).toMatchObject({ verb: "watch", responseStatus: { code: 200 } });
  expect(events[2]!.stageTimestamp > events[1]!.stageTimestamp).toBe(true);
});

test("a patch is told as it was sent", async () => {
  const { events, send } = await openBench({ level: "Request", verbs: ["patch"] });
  await send(post(CONFIG_MAPS, { metadata: { name: "c" } }));
  const bytes = Buffer.from('[{"op":"add","path":"/data","value":{"a":"b"}}]');
  const patched = await send({
    method: "PATCH",
    path: `${CONFIG_MAPS}/c`,
    headers: { "content-type": "application/json-patch+json" },
    body: { kind: "bytes", bytes },
  });
  expect(patched.status).toBe(200);
  expect(events.at(-1)?.requestObject).toEqual([{ op: "add", path: "/data", value: { a: "b" } }]);
});

test("an object is told as its kind has it, with defaults, and what it says of itself", async () => {
  const { events, send } = await openBench({ level: "Request", omitStages: ["RequestReceived"] });
  await send(post("/api/v1/namespaces/default/services", SERVICE));
  expect(events.at(-1)?.requestObject).toEqual({
    kind: "Service",
    apiVersion: "v1",
    metadata: { name: "s" },
    spec: {
      ports: [{ protocol: "TCP", port: 80, targetPort: 80 }],
      sessionAffinity: "None",
      type: "ClusterIP",
      internalTrafficPolicy: "Cluster",
    },
    status: { loadBalancer: {} },
  });
  const metadata = { name: "c", resourceVersion: "7", uid: "11111111-2222-3333-4444-555555555555" };
  const body = { kind: "value", value: { metadata } } as const;
  await send({ method: "PUT", path: `${CONFIG_MAPS}/c`, body });
  expect(JSON.stringify(events.at(-1)?.objectRef)).toBe(
    '{"resource":"configmaps","namespace":"default","name":"c","uid":"11111111-2222-3333-4444-555555555555","apiVersion":"v1","resourceVersion":"7"}',
  );
});

const SERVICE = { metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } };

test("what is deprecated, and the name of a token, are noted", async () => {
  const { events, send } = await openBench({ level: "Metadata", omitStages: ["RequestReceived"] });
  await send({ path: "/api/v1/namespaces/default/endpoints" });
  expect(events.at(-1)?.annotations).toMatchObject({ "k8s.io/deprecated": "true" });
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  await send(post(accounts, { metadata: { name: "bot" } }));
  await send(post(`${accounts}/bot/token`, { spec: {} }));
  expect(events.at(-1)?.annotations).toMatchObject({
    "authentication.kubernetes.io/issued-credential-id":
      expect.stringMatching(/^JTI=[0-9a-f-]{36}$/),
  });
});

test("a limit under which somebody acts as another is told", async () => {
  const { events, send } = await openBench({ level: "Metadata", omitStages: ["RequestReceived"] });
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const group = "authentication.k8s.io";
  await send(
    post(`${rbac}/clusterroles`, {
      metadata: { name: "limited" },
      rules: [
        { apiGroups: [group], resources: ["users"], verbs: ["impersonate:user-info"] },
        { apiGroups: [""], resources: ["configmaps"], verbs: ["impersonate-on:user-info:list"] },
      ],
    }),
  );
  await send(
    post(`${rbac}/clusterrolebindings`, {
      metadata: { name: "limited" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "limited" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }],
    }),
  );
  const user = { username: "alice", groups: ["system:authenticated"] };
  await send({ path: CONFIG_MAPS, user, headers: { "impersonate-user": "joe" } });
  expect(events.at(-1)).toMatchObject({
    user: { username: "alice" },
    impersonatedUser: { username: "joe" },
    authenticationMetadata: { impersonationConstraint: "impersonate:user-info" },
  });
});

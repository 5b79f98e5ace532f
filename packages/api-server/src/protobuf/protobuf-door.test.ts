import { ManualClock, seededRandom } from "@homeostat/concurrency";
import {
  type DoorAnswer,
  type DoorRequest,
  decodeJson,
  type JsonObject,
  type KubernetesObject,
} from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { printedJson } from "../answers/object-payload.ts";
import { createApiServer } from "../api-server.ts";
import { decodeObject } from "./decode-object.ts";
import { encodeObject } from "./encode-object.ts";

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const MASTER = { username: "admin", groups: ["system:masters"] };
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

interface Bench {
  readonly clock: ManualClock;
  readonly send: (request: Partial<DoorRequest> & { readonly path: string }) => Promise<DoorAnswer>;
  /** Speaks protobuf; a body that is no object is sent as it is. */
  readonly ask: (
    method: DoorRequest["method"],
    target: string,
    body?: KubernetesObject | Uint8Array,
  ) => Promise<Asked>;
}

interface Asked {
  readonly status: number;
  readonly type: string;
  readonly object: JsonObject;
}

async function openBench(): Promise<Bench> {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  const server = await clock.runUntil(createApiServer({ store, clock, random: seededRandom(7) }));
  const send: Bench["send"] = (request) =>
    clock.runUntil(
      server.door.send({
        method: "GET",
        user: MASTER,
        want: "bytes",
        ...request,
        headers: { accept: PROTOBUF, "content-type": PROTOBUF, ...request.headers },
      }),
    );
  return {
    clock,
    send,
    async ask(method, target, given) {
      const [path = "", search = ""] = target.split("?");
      const query = Object.fromEntries(new URLSearchParams(search));
      const answer = await send({
        method,
        path,
        query,
        ...(given && { body: { kind: "bytes", bytes: bytesOf(given) } }),
      });
      const bytes = await clock.runUntil(wholeOf(answer));
      return {
        status: answer.status,
        type: String(answer.headers?.["content-type"]),
        object: decodeObject(bytes, { kind: "", apiVersion: "" }),
      };
    },
  };
}

function bytesOf(body: KubernetesObject | Uint8Array): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return encodeObject(printedJson(body));
}

async function wholeOf(answer: DoorAnswer): Promise<Uint8Array> {
  if (answer.kind === "bytes") return answer.bytes;
  if (answer.kind !== "byte-stream") throw new Error(`expected bytes, got ${answer.kind}`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.chunks) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function configMap(name: string, data: Record<string, string> = { a: "1" }): KubernetesObject {
  return { kind: "ConfigMap", apiVersion: "v1", metadata: { name }, data } as KubernetesObject;
}

test("objects are created, read, changed, listed and deleted by protobuf alone", async () => {
  const { ask } = await openBench();
  const created = await ask("POST", CONFIG_MAPS, configMap("one", { "10": "x", a: "é" }));
  expect(created).toMatchObject({ status: 201, type: PROTOBUF });
  expect(created.object).toMatchObject({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name: "one", namespace: "default", managedFields: [{ operation: "Update" }] },
    data: { "10": "x", a: "é" },
  });
  const got = await ask("GET", `${CONFIG_MAPS}/one`);
  expect(got.object).toEqual(created.object);
  const { metadata } = got.object as KubernetesObject;
  const changed = { ...configMap("one", { a: "2" }), metadata } as KubernetesObject;
  expect((await ask("PUT", `${CONFIG_MAPS}/one`, changed)).object).toMatchObject({
    data: { a: "2" },
  });
  await ask("POST", CONFIG_MAPS, configMap("two"));
  const list = await ask("GET", CONFIG_MAPS);
  expect(list.object).toMatchObject({ kind: "ConfigMapList", apiVersion: "v1" });
  expect((list.object["items"] as JsonObject[]).at(-1)).toMatchObject({
    metadata: { name: "two" },
    data: { a: "1" },
  });
  const options = {
    kind: "DeleteOptions",
    apiVersion: "v1",
    preconditions: { uid: "another" },
  } as KubernetesObject;
  expect(await ask("DELETE", `${CONFIG_MAPS}/one`, options)).toMatchObject({
    status: 409,
    object: { kind: "Status", reason: "Conflict" },
  });
  const background = {
    kind: "DeleteOptions",
    apiVersion: "v1",
    propagationPolicy: "Background",
  } as KubernetesObject;
  expect(await ask("DELETE", `${CONFIG_MAPS}/one`, background)).toMatchObject({
    status: 200,
    object: { kind: "Status", status: "Success" },
  });
  expect(await ask("GET", `${CONFIG_MAPS}/one`)).toMatchObject({
    status: 404,
    type: PROTOBUF,
    object: { kind: "Status", message: 'configmaps "one" not found', code: 404 },
  });
});

test("what protobuf created is the same as what JSON would have created", async () => {
  const { ask, send, clock } = await openBench();
  const service = {
    kind: "Service",
    apiVersion: "v1",
    metadata: { name: "web" },
    spec: { selector: { a: "b" }, ports: [{ port: 80, targetPort: "http" }] },
  } as KubernetesObject;
  const path = "/api/v1/namespaces/default/services";
  await ask("POST", path, service);
  const answer = await send({ path: `${path}/web`, headers: { accept: "application/json" } });
  const json = JSON.parse(Buffer.from(await clock.runUntil(wholeOf(answer))).toString());
  expect(json).toMatchObject({
    spec: { type: "ClusterIP", ports: [{ protocol: "TCP", port: 80, targetPort: "http" }] },
    status: { loadBalancer: {} },
  });
  expect(json.metadata.managedFields[0].fieldsV1["f:spec"]).toHaveProperty("f:ports");
});

test("a watch by protobuf tells frames, each behind its length", async () => {
  const { send, ask, clock } = await openBench();
  const answer = await send({ path: CONFIG_MAPS, query: { watch: "1" } });
  if (answer.kind !== "byte-stream") throw new Error("expected a stream");
  expect(answer.headers?.["content-type"]).toBe(`${PROTOBUF};stream=watch`);
  await ask("POST", CONFIG_MAPS, configMap("one"));
  await ask("DELETE", `${CONFIG_MAPS}/one`);
  const told: string[] = [];
  await clock.runUntil(
    (async () => {
      for await (const chunk of answer.chunks) {
        told.push(...framesOf(Buffer.from(chunk)));
        if (told.length >= 2 && told.at(-1)!.startsWith("DELETED")) break;
      }
    })(),
  );
  expect(told.slice(-2)).toEqual(["ADDED ConfigMap one", "DELETED ConfigMap one"]);
});

function framesOf(chunk: Buffer): string[] {
  const told: string[] = [];
  for (let at = 0; at < chunk.length; ) {
    const end = at + 4 + chunk.readUInt32BE(at);
    const frame = chunk.subarray(at + 4, end);
    const type = frame.toString("utf8", 2, 2 + frame[1]!);
    const object = decodeObject(frame.subarray(frame.indexOf("k8s\0")), {
      kind: "",
      apiVersion: "",
    });
    const { kind, metadata } = object as KubernetesObject;
    told.push(`${type} ${kind} ${metadata?.name}`);
    at = end;
  }
  return told;
}

test("a long list is one message, and others have their turn while it is made", async () => {
  const { ask, send, clock } = await openBench();
  for (let index = 0; index < 1050; index++) await ask("POST", CONFIG_MAPS, configMap(`c${index}`));
  const answer = await send({ path: CONFIG_MAPS });
  expect(answer.kind).toBe("byte-stream");
  const list = decodeObject(await clock.runUntil(wholeOf(answer)), { kind: "", apiVersion: "" });
  expect(list["items"]).toHaveLength(1050);
});

test("metadata alone is in protobuf what it is in JSON", async () => {
  const { ask, send, clock } = await openBench();
  for (const name of ["one", "two"]) {
    const labels = { "10": "x", app: name };
    await ask("POST", CONFIG_MAPS, { ...configMap(name), metadata: { name, labels } });
  }
  const form = "as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
  const asked = async (media: string): Promise<Uint8Array> => {
    const answer = await send({ path: CONFIG_MAPS, headers: { accept: `${media};${form}` } });
    return clock.runUntil(wholeOf(answer));
  };
  const json = decodeJson(await asked("application/json")) as JsonObject & { items: JsonObject[] };
  const { items, ...frame } = json;
  const list = decodeObject(await asked(PROTOBUF), { kind: "", apiVersion: "" });
  expect(list).toEqual({
    ...frame,
    items: items.map(({ metadata }) => ({ metadata })),
  });
  expect(items).toHaveLength(2);
});

test("scales, evictions and reviews are read from protobuf", async () => {
  const { ask } = await openBench();
  const labels = { app: "web" };
  const deployment = {
    kind: "Deployment",
    apiVersion: "apps/v1",
    metadata: { name: "web" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  } as KubernetesObject;
  const path = "/apis/apps/v1/namespaces/default/deployments";
  expect(await ask("POST", path, deployment)).toMatchObject({ status: 201 });
  const { object: scale } = await ask("GET", `${path}/web/scale`);
  expect(scale).toMatchObject({
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    spec: { replicas: 1 },
  });
  const wanted = { ...scale, spec: { replicas: 3 } } as KubernetesObject;
  expect((await ask("PUT", `${path}/web/scale`, wanted)).object).toMatchObject({
    spec: { replicas: 3 },
  });
  const eviction = {
    kind: "Eviction",
    apiVersion: "policy/v1",
    metadata: { name: "none" },
  } as KubernetesObject;
  expect(
    await ask("POST", "/api/v1/namespaces/default/pods/none/eviction", eviction),
  ).toMatchObject({ status: 404, object: { message: 'pods "none" not found' } });
  const review = {
    kind: "SubjectAccessReview",
    apiVersion: "authorization.k8s.io/v1",
    spec: {
      user: "u",
      groups: ["system:masters"],
      extra: { k: ["v"] },
      resourceAttributes: { verb: "get", resource: "pods" },
    },
  } as KubernetesObject;
  expect(
    await ask("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", review),
  ).toMatchObject({
    status: 201,
    object: { spec: { extra: { k: ["v"] } }, status: { allowed: true } },
  });
});

test("bytes that are no object are refused with what could be read", async () => {
  const { ask } = await openBench();
  const refused = async (text: string): Promise<unknown> =>
    (await ask("POST", CONFIG_MAPS, Buffer.from(text, "latin1"))).object["message"];
  expect(await refused("hello")).toBe(
    "the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (68656c6c6f)",
  );
  expect(await refused("k8s\0\n\x0f\n\x02v1\x12\x09ConfigMap\x12\x02\n\x7f")).toBe(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: unexpected EOF',
  );
  expect(await refused("k8s\0\n\x09\n\x02v1\x12\x03Pod\x12\0")).toBe(
    'Pod in version "v1" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap): unknown conversion',
  );
  const junk = await ask("DELETE", `${CONFIG_MAPS}/one`, Buffer.from("junk"));
  expect(junk).toMatchObject({
    status: 400,
    object: {
      message:
        "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
    },
  });
});

test("custom resources are not read from protobuf, but deleted with its options", async () => {
  const { ask, send, clock } = await openBench();
  const definition = {
    kind: "CustomResourceDefinition",
    apiVersion: "apiextensions.k8s.io/v1",
    metadata: { name: "tests.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "tests", kind: "Test" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        },
      ],
    },
  } as KubernetesObject;
  const made = await ask(
    "POST",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    definition,
  );
  expect(made).toMatchObject({ status: 201 });
  await clock.advance(1_000);
  const path = "/apis/example.com/v1/namespaces/default/tests";
  const body = { kind: "bytes", bytes: Buffer.from("k8s\0") } as const;
  const headers = { accept: "application/json" };
  const answer = await send({ method: "POST", path, headers, body });
  expect(answer.status).toBe(415);
  expect(Buffer.from(await clock.runUntil(wholeOf(answer))).toString()).toContain(
    'accepted media types include: application/json, application/yaml"',
  );
  expect(await ask("GET", path)).toMatchObject({
    status: 406,
    type: PROTOBUF,
    object: {
      message:
        "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    },
  });
  const value = { kind: "Test", apiVersion: "example.com/v1", metadata: { name: "one" } };
  const created = await send({
    method: "POST",
    path,
    headers: { ...headers, "content-type": "application/json" },
    body: { kind: "value", value },
  });
  expect(created.status).toBe(201);
  const options = { kind: "DeleteOptions", apiVersion: "v1", dryRun: ["All"] } as KubernetesObject;
  const deleted = await send({
    method: "DELETE",
    path: `${path}/one`,
    headers: { accept: "application/json" },
    body: { kind: "bytes", bytes: bytesOf(options) },
  });
  expect(deleted.status).toBe(200);
  const partial = `${PROTOBUF};as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`;
  const named = await send({ path, headers: { accept: partial } });
  const list = decodeObject(await clock.runUntil(wholeOf(named)), { kind: "", apiVersion: "" });
  expect(list).toMatchObject({ kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1" });
});

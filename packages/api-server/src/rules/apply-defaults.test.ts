import { readdirSync, readFileSync } from "node:fs";
import {
  cloneJson,
  findSchemaOfKind,
  groupVersionKindOf,
  type JsonObject,
  type JsonValue,
  listSchemaNames,
  type ObjectSchema,
  ownKey,
  type SchemaField,
  schemaOf,
} from "@homeostat/object-model";
import { describe, expect, test } from "vitest";
import { applyDefaults } from "./apply-defaults.ts";
import { findTypeRules, listRuledTypes } from "./builtin-rules.ts";

/**
 * A create (in `status.json`: a status update) as kube-apiserver 1.36.3 answered it with all admission
 * plugins but NamespaceLifecycle off. Answers are without what its strategies set (uids, times,
 * addresses, selectors of jobs) and without what Go prints of absent fields.
 */
interface RecordedAnswer {
  readonly title: string;
  readonly body: JsonObject;
  readonly answer: JsonObject;
}

const FIXTURES = new URL("fixtures/", import.meta.url);
const TABLE_OF_IMAGES = "image-pull-policy.json";
const fixtureNames = readdirSync(FIXTURES).filter((name) => name !== TABLE_OF_IMAGES);

describe.each(fixtureNames)("as kube-apiserver does: %s", (name) => {
  test.each(readAnswers(name))("$title", ({ body, answer }) => {
    expect(defaulted(body)).toEqual(answer);
  });
});

test("defaults of an object that has them change nothing", () => {
  const answers = fixtureNames.flatMap(readAnswers).map(({ answer }) => answer);
  expect(answers.length).toBeGreaterThan(150);
  for (const answer of answers) expect(defaulted(answer)).toEqual(answer);
});

test("every type with rules exists, and so does every field they name", () => {
  for (const type of listRuledTypes()) {
    const { fields } = schemaOf(type);
    const { defaults = {}, resourceLists = [] } = findTypeRules(type) ?? {};
    for (const name of Object.keys(defaults))
      expect([type, fields.has(name)]).toEqual([type, true]);
    for (const name of resourceLists) {
      expect(fields.get(name)).toMatchObject({ shape: "map", schema: "resource.Quantity" });
    }
  }
});

test("every default that the schemas declare is applied", () => {
  let declared = 0;
  for (const type of listSchemaNames()) {
    const schema = schemaOf(type);
    const filled: JsonObject = {};
    applyDefaults(schema, filled);
    for (const field of schema.fields.values()) {
      if (!isRealDefault(field)) continue;
      declared += 1;
      expect([type, field.name, filled[field.name]]).toEqual([type, field.name, field.default]);
    }
  }
  expect(declared).toBe(22);
});

test("structs that Go always has are made where they hold defaults, others are not", () => {
  const deployment: JsonObject = {};
  applyDefaults(schemaOf("apps.v1.Deployment"), deployment);
  expect(deployment).toEqual({
    spec: {
      replicas: 1,
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      strategy: {
        type: "RollingUpdate",
        rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" },
      },
      template: {
        spec: {
          dnsPolicy: "ClusterFirst",
          restartPolicy: "Always",
          schedulerName: "default-scheduler",
          securityContext: {},
          terminationGracePeriodSeconds: 30,
        },
      },
    },
  });
  const controller: JsonObject = {};
  applyDefaults(schemaOf("core.v1.ReplicationController"), controller);
  expect(controller).toEqual({ spec: { replicas: 1 } });
  const configMap: JsonObject = {};
  applyDefaults(schemaOf("core.v1.ConfigMap"), configMap);
  expect(configMap).toEqual({});
});

test("a pod that validation will refuse is defaulted without complaint", () => {
  const pod: JsonObject = { spec: { containers: [{}], volumes: [{}] } };
  applyDefaults(schemaOf("core.v1.Pod"), pod);
  expect(pod["spec"]).toMatchObject({
    containers: [{ imagePullPolicy: "IfNotPresent" }],
    volumes: [{ emptyDir: {} }],
  });
});

test("lists are defaulted item by item", () => {
  const list: JsonObject = { items: [{ metadata: { name: "a" } }, { type: "x" }] };
  applyDefaults(schemaOf("core.v1.SecretList"), list);
  expect(list["items"]).toEqual([{ metadata: { name: "a" }, type: "Opaque" }, { type: "x" }]);
});

test("resource names are data even when they look like magic", () => {
  const pod = JSON.parse(
    '{"spec":{"containers":[{"resources":{"limits":{"__proto__":"1500u","constructor":"1"}}}]}}',
  ) as JsonObject;
  applyDefaults(schemaOf("core.v1.Pod"), pod);
  expect(JSON.stringify(pod)).toContain(
    '"limits":{"__proto__":"2m","constructor":"1"},"requests":{"__proto__":"2m","constructor":"1"}',
  );
});

test("labels taken from a template keep keys that look like magic", () => {
  const controller = JSON.parse(
    '{"spec":{"template":{"metadata":{"labels":{"__proto__":"a"}}}}}',
  ) as JsonObject;
  applyDefaults(schemaOf("core.v1.ReplicationController"), controller);
  const { labels } = controller["metadata"] as { labels: Record<string, string> };
  expect(ownKey(labels, "__proto__")).toBe("a");
});

test("text data of a secret ends in its data under any key", () => {
  const secret = JSON.parse('{"stringData":{"__proto__":"a","b":"ü"}}') as JsonObject;
  applyDefaults(schemaOf("core.v1.Secret"), secret);
  expect(JSON.stringify(secret)).toBe('{"type":"Opaque","data":{"__proto__":"YQ==","b":"w7w="}}');
});

test("what the strategy adds to the template's labels is on a job that took them", () => {
  const labels = { app: "x" };
  const job: JsonObject = { spec: { template: { metadata: { labels } } } };
  applyDefaults(schemaOf("batch.v1.Job"), job);
  Object.assign(labels, { "job-name": "j" });
  expect(job["metadata"]).toEqual({ labels: { app: "x", "job-name": "j" } });
});

test("a device taint without a time is as old as the request", () => {
  const taints = [{ key: "a" }, { key: "b", timeAdded: "2020-01-01T00:00:00Z" }];
  const slice: JsonObject = { spec: { devices: [{ name: "d", taints }] } };
  applyDefaults(schemaOf("resource.v1.ResourceSlice"), slice);
  expect(taints[0]).toEqual({ key: "a" });
  applyDefaults(schemaOf("resource.v1.ResourceSlice"), slice, 1_700_000_000_999);
  expect(taints.map((taint) => taint["timeAdded" as keyof typeof taint])).toEqual([
    "2023-11-14T22:13:20Z",
    "2020-01-01T00:00:00Z",
  ]);
});

test("a device's share of a node's resources is one for one", () => {
  const device: JsonObject = { nodeAllocatableResourceMappings: { cpu: {} } };
  applyDefaults(schemaOf("resource.v1.Device"), device);
  expect(device).toEqual({
    nodeAllocatableResourceMappings: { cpu: { allocationMultiplier: "1" } },
  });
});

test("a token lives an hour", () => {
  const request: JsonObject = {};
  applyDefaults(schemaOf("authentication.v1.TokenRequest"), request);
  expect(request).toEqual({ spec: { expirationSeconds: 3600 } });
});

test("a namespace whose name is not known yet gets no label", () => {
  const namespace: JsonObject = { metadata: { generateName: "x-" } };
  applyDefaults(schemaOf("core.v1.Namespace"), namespace);
  expect(namespace).toEqual({ metadata: { generateName: "x-" }, status: { phase: "Active" } });
});

function readAnswers(name: string): RecordedAnswer[] {
  return JSON.parse(readFileSync(new URL(name, FIXTURES), "utf8")) as RecordedAnswer[];
}

function defaulted(body: JsonObject): JsonValue {
  const object = cloneJson(body);
  const schema = findSchemaOfKind(groupVersionKindOf(object));
  if (schema === undefined) throw new Error(`no schema for ${JSON.stringify(body)}`);
  applyDefaults(schema, object);
  return withoutZeros(schema, object);
}

/** Without what Go does not tell from absent: zeros, empty lists and structs that are no pointers. */
function withoutZeros(schema: ObjectSchema, value: JsonValue): JsonValue {
  if (schema.form !== "object" || typeof value !== "object" || value === null) return value;
  const kept: JsonObject = {};
  for (const [name, given] of Object.entries(value)) {
    const field = schema.fields.get(name);
    const cleaned = field === undefined ? given : cleanField(field, given);
    if (field === undefined || field.pointer || !isZero(cleaned)) kept[name] = cleaned;
  }
  return kept;
}

function cleanField(field: SchemaField, value: JsonValue): JsonValue {
  if (field.schema === undefined || typeof value !== "object" || value === null) return value;
  const inner = schemaOf(field.schema);
  if (field.shape === "single") return withoutZeros(inner, value);
  if (Array.isArray(value)) return value.map((element) => withoutZeros(inner, element));
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, element]) => [key, withoutZeros(inner, element)]));
}

function isZero(value: JsonValue): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === null || value === "" || value === 0 || value === false;
}

function isRealDefault({ default: value, pointer }: SchemaField): boolean {
  if (value === undefined || typeof value === "object") return false;
  return pointer || !isZero(value);
}

/**
 * What kube-apiserver 1.36.3 answered to creates (`fixtures/creates.json`, dry run) and to merge
 * patches of objects it held (`fixtures/updates.json`), replayed through codec, defaults, rules
 * and strategies. Recorded with all admission plugins off.
 */
import { readFileSync } from "node:fs";
import { seededRandom } from "@homeostat/concurrency";
import {
  ApiError,
  applyMergePatch,
  type BuiltinResource,
  type FieldError,
  findBuiltinResource,
  type GroupResource,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  listBuiltinResources,
  schemaOf,
} from "@homeostat/object-model";
import { expect, test } from "vitest";
import { printObject } from "../codec/print-object.ts";
import { readObject } from "../codec/read-object.ts";
import type { WriteContext } from "../registry/strategy.ts";
import { applyDefaults } from "../rules/apply-defaults.ts";
import { validateChange, validateNew } from "../rules/validate-object.ts";
import { answersDeletedObject, strategyOf } from "./strategies.ts";

interface Recorded {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

interface Refusal {
  readonly message: string;
  readonly causes?: readonly JsonObject[];
}

interface RecordedCreate extends Recorded {
  readonly namespace?: string;
  readonly body: JsonObject;
  readonly refusal?: Refusal;
  readonly answer?: JsonObject;
  readonly warnings?: readonly string[];
}

interface RecordedUpdate {
  readonly patch: JsonObject;
  readonly subresource?: string;
  readonly refusal?: Refusal;
  readonly answer?: JsonObject;
}

interface RecordedUpdates extends Recorded {
  readonly object: JsonObject;
  readonly updates: readonly RecordedUpdate[];
}

const creates = load("creates") as readonly RecordedCreate[];
const updates = load("updates") as readonly RecordedUpdates[];

test.each(creates)("create $resource as kube-apiserver does: $body", (create) => {
  const table = tableOf(create);
  const strategy = strategyOf(create);
  const object = decode(table, withType(table, create.body));
  if (hasStatus(table) && create.resource !== "nodes") delete object["status"];
  const metadata = object["metadata"] as JsonObject;
  metadata["uid"] = "UID";
  metadata["creationTimestamp"] = "2026-01-01T00:00:00Z";
  if (create.namespace !== undefined) metadata["namespace"] = create.namespace;
  if (strategy.generation) metadata["generation"] = 1;
  const context = contextOf("create", "");
  strategy.prepareForCreate?.(object, context);
  const errors = [
    ...validateNew(schemaOf(table.schema), object, context),
    ...(strategy.validate?.(object, context) ?? []),
  ];
  const refused = errors.length > 0;
  applyDefaults(schemaOf(table.schema), object);
  expect({
    refusal: refused ? messageOf(table, object, errors) : undefined,
    answer: refused ? undefined : printed(table, object),
    warnings: refused ? undefined : (strategy.warnings?.(object, undefined) ?? []),
  }).toEqual({
    refusal: create.refusal?.message,
    answer: create.answer && withoutTimes(create.answer),
    warnings: create.warnings,
  });
});

const changes = updates.flatMap(({ updates: list, ...recorded }) =>
  list.map((update) => ({ recorded, subresource: "", ...update })),
);

test.each(changes)(
  "update $recorded.resource $subresource as kube-apiserver does: $patch",
  ({ recorded, patch, subresource, refusal, answer }) => {
    const table = tableOf(recorded);
    const strategy = strategyOf(recorded);
    const old = deepFreeze(recorded.object) as KubernetesObject & JsonObject;
    const context = contextOf("update", subresource);
    const object = decode(table, applyMergePatch(old, patch) as JsonObject);
    const rules = subresource === "" ? strategy : strategy.subresources?.[subresource];
    if (subresource === "" && hasStatus(table)) restore(object, old, "status");
    rules?.prepareForUpdate?.(object, old, context);
    const errors: FieldError[] = [];
    if (subresource === "") {
      errors.push(...(strategy.validateFixed?.(object, old, context) ?? []));
      errors.push(...(strategy.revalidate?.(object, old, context) ?? []));
      errors.push(...validateChange(schemaOf(table.schema), { value: object, old }, context));
    }
    errors.push(...(rules?.validateUpdate?.(object, old, context) ?? []));
    const refused = errors.length > 0;
    expect({
      refusal: refused ? messageOf(table, object, errors) : undefined,
      causes: errors.map(({ type, body, field }) => ({ reason: type, message: body, field })),
      answer: refused ? undefined : withoutVersions(printed(table, object)),
    }).toEqual({
      refusal: refusal?.message,
      causes: refusal?.causes ?? [],
      answer: answer && withoutVersions(withoutTimes(answer)),
    });
  },
);

test("the recorded answers cover refusals and acceptances", () => {
  const all = [...creates, ...updates.flatMap((recorded) => recorded.updates)];
  expect(all.filter(({ refusal }) => refusal !== undefined).length).toBeGreaterThan(80);
  expect(all.filter(({ answer }) => answer !== undefined).length).toBeGreaterThan(120);
});

test("kinds that refuse an update without a resource version are those of Kubernetes", () => {
  expect(resourcesWhere((resource) => strategyOf(resource).unconditionalUpdate === false)).toEqual(
    [
      "csidrivers",
      "csinodes",
      "csistoragecapacities",
      "customresourcedefinitions",
      "apiservices",
      "leases",
      "mutatingadmissionpolicies",
      "mutatingadmissionpolicybindings",
      "mutatingwebhookconfigurations",
      "poddisruptionbudgets",
      "runtimeclasses",
      "validatingadmissionpolicies",
      "validatingadmissionpolicybindings",
      "validatingwebhookconfigurations",
      "volumeattachments",
    ].sort(),
  );
});

test("kinds that an update creates are those of Kubernetes", () => {
  expect(resourcesWhere((resource) => strategyOf(resource).createOnUpdate === true)).toEqual(
    [
      "clusterrolebindings",
      "clusterroles",
      "endpoints",
      "events",
      "leases",
      "limitranges",
      "rolebindings",
      "roles",
      "runtimeclasses",
      "services",
    ].sort(),
  );
});

test("only jobs and replication controllers leave their dependents behind", () => {
  expect(resourcesWhere((resource) => strategyOf(resource).deletePropagation === "Orphan")).toEqual(
    ["jobs", "replicationcontrollers"],
  );
});

test("every kind with a status has a rule for updating it", () => {
  const missing = listBuiltinResources()
    .filter((table) => hasStatus(table))
    .filter((table) => {
      const { subresources } = strategyOf({ group: table.group, resource: table.plural });
      return subresources?.["status"] === undefined;
    });
  expect(missing.map(({ plural }) => plural)).toEqual([]);
});

test("a resource nobody knows has a strategy that does nothing", () => {
  expect(strategyOf({ group: "example.com", resource: "things" })).toEqual({});
});

test("deleting a pod answers the pod, deleting a config map a status", () => {
  expect(answersDeletedObject({ group: "", resource: "pods" })).toBe(true);
  expect(answersDeletedObject({ group: "", resource: "configmaps" })).toBe(false);
});

function load(name: string): unknown {
  const file = new URL(`fixtures/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}

function tableOf({ group, version, resource }: Recorded): BuiltinResource {
  return findBuiltinResource({ group, version, resource })!;
}

function withType(table: BuiltinResource, body: JsonObject): JsonObject {
  const apiVersion = table.group === "" ? table.version : `${table.group}/${table.version}`;
  return { apiVersion, kind: table.kind, ...body };
}

function hasStatus(table: BuiltinResource): boolean {
  return table.subresources.some(({ name }) => name === "status");
}

function decode(table: BuiltinResource, body: JsonObject): KubernetesObject & JsonObject {
  const schema = schemaOf(table.schema);
  const { object } = readObject(schema, structuredClone(body));
  applyDefaults(schema, object);
  return object;
}

function restore(object: JsonObject, old: JsonObject, member: string): void {
  if (old[member] === undefined) delete object[member];
  else object[member] = old[member];
}

function printed(table: BuiltinResource, object: JsonObject): JsonObject {
  return withoutTimes(printObject(schemaOf(table.schema), object));
}

/** Moments are those of the recording, and say nothing. */
function withoutTimes(object: JsonObject): JsonObject {
  const text = JSON.stringify(object).replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g, '"a time"');
  return JSON.parse(text) as JsonObject;
}

/** The registry numbers generations and revisions. */
function withoutVersions(object: JsonObject): JsonObject {
  const { resourceVersion: _, generation: __, ...metadata } = object["metadata"] as JsonObject;
  return { ...object, metadata };
}

function messageOf(
  { group, kind }: BuiltinResource,
  object: KubernetesObject,
  errors: NonNullable<Parameters<typeof ApiError.invalid>[2]>,
): string {
  return ApiError.invalid({ group, kind }, object.metadata?.name ?? "", errors).message;
}

function resourcesWhere(holds: (resource: GroupResource) => boolean): readonly string[] {
  const names = listBuiltinResources()
    .filter(({ group, plural }) => holds({ group, resource: plural }))
    .map(({ plural }) => plural);
  return [...new Set(names)].sort();
}

function contextOf(operation: WriteContext["operation"], subresource: string): WriteContext {
  return {
    operation,
    subresource,
    dryRun: false,
    now: 0,
    random: seededRandom(1),
    user: { username: "admin", groups: ["system:masters"] },
    reader: {
      get: () => undefined,
      list: () => [],
      isClaimed: () => false,
      namespacePhase: () => "Active",
    },
    breathe: async () => undefined,
    warn: () => undefined,
    settings: { serviceClusterIpRange: "10.0.0.0/24", serviceNodePortRange: [30000, 32767] },
  };
}

function deepFreeze(value: JsonValue): JsonValue {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}

import { realClock, seededRandom } from "@homeostat/concurrency";
import {
  type DoorAnswer,
  type DoorRequest,
  encodeJson,
  type JsonValue,
  listBuiltinResources,
  schemaOf,
} from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createApiServer } from "./api-server.ts";

const MASTER = { username: "admin", groups: ["system:masters"] };

/** Names that break careless code, beside ordinary ones. */
const word = fc.constantFrom(
  "a",
  "default",
  "kubernetes",
  "kube-system",
  "none",
  "__proto__",
  "constructor",
  "toString",
  "..",
  "%2e",
  "%zz",
  "%ff",
  "日本",
  "status",
  "scale",
  "finalize",
  "eviction",
  "binding",
  "approval",
  "",
);
const resources = listBuiltinResources();
const resourcePath = fc
  .tuple(
    fc.constantFrom(...resources),
    fc.oneof(
      fc.constantFrom([], ["a"], ["b"], ["a", "status"], ["a", "scale"]),
      fc.array(word, { maxLength: 2 }),
    ),
    fc.constantFrom("default", "default", "kube-system", "nowhere", ""),
  )
  .map(([{ group, version, plural, scope }, rest, given]) => {
    const namespace = scope === "Namespaced" ? given : "";
    const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const place = namespace === "" ? "" : `/namespaces/${namespace}`;
    return [`${root}${place}/${plural}`, ...rest].join("/");
  });
const anyPath = fc
  .array(
    fc.oneof(word, fc.constantFrom("api", "apis", "v1", "apps", "watch", "namespaces", "pods")),
    { maxLength: 6 },
  )
  .map((parts) => `/${parts.join("/")}`);
const given = fc.oneof(
  fc.constantFrom(
    "",
    "0",
    "1",
    "-1",
    "true",
    "All",
    "Strict",
    "Ignore",
    "Exact",
    "NotOlderThan",
    "Orphan",
    "Foreground",
    "x",
    "99999999999999999999",
  ),
  fc.constantFrom(
    "a=b",
    "a in (b,c)",
    "metadata.name=a",
    "constructor=x",
    "!a",
    "a,,b",
    "(",
    "%00",
    "eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ",
  ),
);
const parameter = fc.constantFrom(
  "limit",
  "continue",
  "resourceVersion",
  "resourceVersionMatch",
  "labelSelector",
  "fieldSelector",
  "dryRun",
  "fieldManager",
  "fieldValidation",
  "gracePeriodSeconds",
  "orphanDependents",
  "propagationPolicy",
  "pretty",
  "force",
  "__proto__",
);
const query = fc.dictionary(parameter, given, { maxKeys: 3 });
const mediaType = fc.constantFrom(
  "",
  "",
  "application/json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/json",
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
  "application/vnd.kubernetes.protobuf",
  "text/plain",
);
const leaf: fc.Arbitrary<JsonValue> = fc.constantFrom(
  null,
  true,
  0,
  -1,
  1.5,
  "",
  "a",
  "default",
  "v1",
  "Pod",
  "1Gi",
  "2026-01-01T00:00:00Z",
  9007199254740993n,
);
const field = fc.constantFrom(
  "kind",
  "apiVersion",
  "metadata",
  "name",
  "generateName",
  "namespace",
  "labels",
  "annotations",
  "finalizers",
  "ownerReferences",
  "uid",
  "resourceVersion",
  "managedFields",
  "deletionTimestamp",
  "spec",
  "status",
  "data",
  "template",
  "selector",
  "matchLabels",
  "containers",
  "ports",
  "port",
  "type",
  "clusterIP",
  "replicas",
  "rules",
  "conditions",
  "target",
  "op",
  "path",
  "value",
  "__proto__",
  "constructor",
  "$patch",
  "$retainKeys",
);
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc
      .array(fc.tuple(field, tie("value")), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value;
/** An object that gets past the first checks more often than chance would have it. */
const object = fc
  .tuple(
    fc.constantFrom("a", "b", "kubernetes", "default"),
    json,
    json,
    fc.dictionary(field, json, { maxKeys: 3 }),
  )
  .map(
    ([name, spec, status, rest]): JsonValue =>
      Object.assign(rest, { metadata: { name, labels: { a: "b" } }, spec, status }),
  );

const request = fc.record({
  method: fc.constantFrom<DoorRequest["method"]>(
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
  ),
  path: fc.oneof({ weight: 5, arbitrary: resourcePath }, anyPath),
  query,
  mediaType,
  accept: fc.constantFrom(
    "",
    "",
    "",
    "application/json",
    "*/*",
    "text/html",
    "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json",
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
  ),
  body: fc.option(fc.oneof(json, object, object), { nil: undefined }),
  asBytes: fc.boolean(),
});

/** That a range of addresses is full is the only failure of its own that kube-apiserver tells. */
function mistakeIn({ kind, ...answer }: DoorAnswer): string {
  if (kind !== "bytes" || !("bytes" in answer)) return "";
  const text = Buffer.from(answer.bytes).toString();
  const isMistake = text.includes("Internal error occurred") && !text.includes("range is full");
  return isMistake ? text : "";
}

test("whatever is asked gets an answer, and none tells of a mistake in the server", async () => {
  const store = openMemoryStore();
  const server = await createApiServer({ store, clock: realClock, random: seededRandom(1) });
  await fc.assert(
    fc.asyncProperty(
      request,
      async ({ query: asked, mediaType: type, accept, body, asBytes, ...place }) => {
        // Reads at versions to come wait for three seconds.
        const { resourceVersion: version = "", ...others } = asked;
        const answer = await server.door.send({
          ...place,
          query:
            version === "1" || version === "x" ? { ...others, resourceVersion: version } : others,
          headers: { "content-type": type, accept },
          ...(body === undefined ? {} : { body: bodyOf(body, asBytes) }),
          user: MASTER,
          want: "bytes",
        });
        expect(answer.status).toBeGreaterThanOrEqual(200);
        expect(mistakeIn(answer)).toBe("");
        if (answer.kind === "byte-stream") await answer.chunks[Symbol.asyncIterator]().return?.();
      },
    ),
    { numRuns: 1_000 },
  );
});

function bodyOf(value: JsonValue, asBytes: boolean): NonNullable<DoorRequest["body"]> {
  return asBytes
    ? { kind: "bytes", bytes: Buffer.from(encodeJson(value)) }
    : { kind: "value", value };
}

const random = seededRandom(20);

function pick<T>(...choices: readonly T[]): T {
  return choices[random.below(choices.length)]!;
}

const TEXTS = [
  "a",
  "b",
  "",
  "Always",
  "Never",
  "ClusterIP",
  "NodePort",
  "ExternalName",
  "None",
  "TCP",
  "RollingUpdate",
  "In",
  "Exists",
  "10.0.0.9",
  "10.0.0.0/24",
  "example.com/x",
  "*/5 * * * *",
  "Indexed",
  "IPv4",
  "x".repeat(70),
  "constructor",
];

function scalarOf(type: string): JsonValue {
  if (type === "bool") return pick(true, false);
  if (type === "bytes") return pick("", "aGVsbG8=");
  return type === "string" ? pick(...TEXTS) : pick(0, 1, 80, -1, 30_001);
}

/** Forms that are no objects. */
const FORMS: ReadonlyMap<string, readonly JsonValue[]> = new Map<string, readonly JsonValue[]>([
  ["any", [1, "a", { a: 1 }, [1]]],
  ["any-object", [{}, { kind: "X", apiVersion: "v1" }]],
  ["duration", ["1s", "5m0s"]],
  ["int-or-string", [1, 80, "25%", "http"]],
  ["micro-time", ["2026-01-01T00:00:00.000000Z"]],
  ["time", ["2026-01-01T00:00:00Z"]],
  ["quantity", ["1", "1Gi", "100m", "-1", 5]],
  ["schema-or-bool", [true, {}]],
  ["schema-or-list", [{}]],
  ["schema-or-strings", [["a"]]],
  ["string-list", [["a"]]],
]);

/** A value of the right form in every place that has one: what decoding lets pass, rules have to bear. */
function valueOf(schemaName: string, depth = 0): JsonValue {
  const { form, fields } = schemaOf(schemaName);
  const forms = FORMS.get(form);
  if (forms !== undefined) return pick(...forms);
  const made: Record<string, JsonValue> = {};
  for (const [name, { shape, schema, scalar, required }] of fields) {
    const share = depth <= 1 ? 0.9 : required ? 0.8 : 0.35;
    if (name === "kind" || name === "apiVersion" || depth > 7 || random.float() > share) continue;
    const one = (): JsonValue =>
      schema === undefined ? scalarOf(scalar!) : valueOf(schema, depth + 1);
    const several = Array.from({ length: random.below(3) }, one);
    const map = Object.fromEntries(
      several.map((each) => [pick("a", "cpu", "storage", "constructor"), each]),
    );
    made[name] = shape === "single" ? one() : shape === "list" ? several : map;
  }
  return made;
}

function objectOf(schema: string): Record<string, JsonValue> {
  return { ...(valueOf(schema) as Record<string, JsonValue>), metadata: { name: pick("a", "b") } };
}

test("no object of the right form finds a mistake in the rules of its kind", async () => {
  const store = openMemoryStore();
  const server = await createApiServer({ store, clock: realClock, random });
  const mistakes: string[] = [];
  const ask = async (
    method: DoorRequest["method"],
    path: string,
    value: JsonValue,
  ): Promise<void> => {
    const headers = { "content-type": method === "PATCH" ? "application/merge-patch+json" : "" };
    const sent = {
      method,
      path,
      headers,
      body: bodyOf(value, true),
      user: MASTER,
      want: "bytes",
    } as const;
    const mistake = mistakeIn(await server.door.send(sent));
    // A selector that cannot be read is the client's mistake, kept until it is used.
    if (mistake !== "" && !path.endsWith("/scale")) mistakes.push(mistake);
  };
  for (const { group, version, plural, scope, schema, verbs, subresources, kind } of resources) {
    if (!verbs.includes("update")) continue;
    const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const path = `${root}${scope === "Namespaced" ? "/namespaces/default" : ""}/${plural}`;
    for (let round = 0; round < 8; round++) {
      await ask("POST", path, objectOf(schema));
      await ask("PUT", `${path}/a`, { ...objectOf(schema), metadata: { name: "a" } });
      const { metadata: _, ...rest } = objectOf(schema);
      await ask("PATCH", `${path}/a`, rest);
      for (const { name, kind: own } of subresources) {
        await ask(
          "PUT",
          `${path}/a/${name}`,
          own === kind ? { ...objectOf(schema), metadata: { name: "a" } } : rest,
        );
      }
      await ask("DELETE", `${path}/${pick("a", "b")}`, {});
    }
  }
  expect(mistakes).toEqual([]);
});

import { realClock, seededRandom } from "@homeostat/concurrency";
import { type DoorRequest, encodeJson, type JsonValue, listBuiltinResources } from "@homeostat/object-model";
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
  .tuple(fc.constantFrom(...resources), fc.oneof(fc.constantFrom([], ["a"], ["b"], ["a", "status"], ["a", "scale"]), fc.array(word, { maxLength: 2 })), fc.constantFrom("default", "default", "kube-system", "nowhere", ""))
  .map(([{ group, version, plural, scope }, rest, given]) => {
    const namespace = scope === "Namespaced" ? given : "";
    const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const place = namespace === "" ? "" : `/namespaces/${namespace}`;
    return [`${root}${place}/${plural}`, ...rest].join("/");
  });
const anyPath = fc.array(fc.oneof(word, fc.constantFrom("api", "apis", "v1", "apps", "watch", "namespaces", "pods")), { maxLength: 6 }).map((parts) => `/${parts.join("/")}`);
const value = fc.oneof(
  fc.constantFrom("", "0", "1", "-1", "true", "All", "Strict", "Ignore", "Exact", "NotOlderThan", "Orphan", "Foreground", "x", "99999999999999999999"),
  fc.constantFrom("a=b", "a in (b,c)", "metadata.name=a", "constructor=x", "!a", "a,,b", "(", "%00", "eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ"),
);
const parameter = fc.constantFrom("limit", "continue", "resourceVersion", "resourceVersionMatch", "labelSelector", "fieldSelector", "dryRun", "fieldManager", "fieldValidation", "gracePeriodSeconds", "orphanDependents", "propagationPolicy", "pretty", "force", "__proto__");
const query = fc.dictionary(parameter, value, { maxKeys: 3 });
const mediaType = fc.constantFrom("", "", "application/json", "application/merge-patch+json", "application/strategic-merge-patch+json", "application/json", "application/json-patch+json", "application/merge-patch+json", "application/strategic-merge-patch+json", "application/apply-patch+yaml", "application/vnd.kubernetes.protobuf", "text/plain");
const leaf: fc.Arbitrary<JsonValue> = fc.constantFrom(null, true, 0, -1, 1.5, "", "a", "default", "v1", "Pod", "1Gi", "2026-01-01T00:00:00Z", 9007199254740993n);
const field = fc.constantFrom("kind", "apiVersion", "metadata", "name", "generateName", "namespace", "labels", "annotations", "finalizers", "ownerReferences", "uid", "resourceVersion", "managedFields", "deletionTimestamp", "spec", "status", "data", "template", "selector", "matchLabels", "containers", "ports", "port", "type", "clusterIP", "replicas", "rules", "conditions", "target", "op", "path", "value", "__proto__", "constructor", "$patch", "$retainKeys");
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(field, tie("value")), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;
/** An object that gets past the first checks more often than chance would have it. */
const object = fc
  .tuple(fc.constantFrom("a", "b", "kubernetes", "default"), json, json, fc.dictionary(field, json, { maxKeys: 3 }))
  .map(([name, spec, status, rest]): JsonValue => ({ ...rest, metadata: { name, labels: { a: "b" } }, spec, status }));

const request = fc.record({
  method: fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
  path: fc.oneof({ weight: 5, arbitrary: resourcePath }, anyPath),
  query,
  mediaType,
  accept: fc.constantFrom("", "application/json", "*/*", "", "", "text/html"),
  body: fc.option(fc.oneof(json, object, object), { nil: undefined }),
  asBytes: fc.boolean(),
});

/** That a range of addresses is full is the only failure of its own that kube-apiserver tells. */
function expectMeant(text: string): void {
  if (!text.includes("range is full")) expect(text).not.toContain("Internal error occurred");
}

test("whatever is asked gets an answer, and none tells of a mistake in the server", async () => {
  const store = openMemoryStore();
  const server = await createApiServer({ store, clock: realClock, random: seededRandom(1) });
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, query: asked, mediaType: type, accept, body, asBytes }) => {
      // Reads at versions to come wait for three seconds.
      const { resourceVersion: version = "", ...others } = asked;
      const sent: DoorRequest = {
        method: method,
        path,
        query: version === "1" || version === "x" ? { ...others, resourceVersion: version } : others,
        headers: { "content-type": type, accept },
        ...(body === undefined ? {} : { body: asBytes ? { kind: "bytes", bytes: Buffer.from(encodeJson(body)) } : { kind: "value", value: body } }),
        user: MASTER,
        want: "bytes",
      };
      const answer = await server.door.send(sent);
      expect(answer.status).toBeGreaterThanOrEqual(200);
      (globalThis as any).C ??= {}; (globalThis as any).C[method + answer.status] = ((globalThis as any).C[method + answer.status] ?? 0) + 1;
      if (answer.kind === "byte-stream") return void answer.chunks[Symbol.asyncIterator]().return?.();
      if (answer.kind === "bytes") expectMeant(Buffer.from(answer.bytes).toString());
      return undefined;
    }),
    { numRuns: Number(process.env["FUZZ_RUNS"] ?? 400) },
  );
  console.log((globalThis as any).C);
  await server.close();
  await store.close();
});

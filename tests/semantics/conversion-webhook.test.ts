/** Semantic 57 where versions differ by more than their name: a real webhook converts. */
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import { expect, onTestFinished, test } from "vitest";
import {
  type ConversionWebhook,
  converted,
  openConversionWebhook,
  type Review,
} from "./conversion-webhook.ts";
import { define, redefine, version, WIDGETS, widget, widgetsIn } from "./definition.ts";
import { openInProcessPlane } from "./in-process-plane.ts";
import { openFor } from "./open-for.ts";
import type { Shown } from "./plane-under-test.ts";
import { patchType, type Requests, refusalIn } from "./requests.ts";

const sized = (name: string): JsonObject => ({
  properties: { spec: { type: "object", properties: { [name]: { type: "integer" } } } },
});

/** v1 calls `size` what v2 calls `length`. */
const versions = (storage: "v1" | "v2") => [
  version(sized("size"), { storage: storage === "v1" }),
  version(sized("length"), { name: "v2", storage: storage === "v2" }),
];

const rename: Review = (request) =>
  converted(
    request,
    request.objects.map((object) => {
      const { size, length } = object["spec"] as JsonObject;
      const value: JsonValue = size ?? length ?? 0;
      const isSecond = request.desiredAPIVersion.endsWith("/v2");
      return {
        ...object,
        apiVersion: request.desiredAPIVersion,
        spec: isSecond ? { length: value } : { size: value },
      };
    }),
  );

async function openWith(
  review: Review,
): Promise<{ requests: Requests; webhook: ConversionWebhook }> {
  const webhook = await openConversionWebhook(review);
  onTestFinished(() => webhook[Symbol.asyncDispose]());
  const { requests } = await openFor(openInProcessPlane);
  await define(requests, versions("v1"), { conversion: webhook.conversion });
  return { requests, webhook };
}

test("57: reads, lists and watches are converted, and writes come to rest in the storage version", async () => {
  const { requests, webhook } = await openWith(rename);
  const made = await requests.create(WIDGETS, widget("a", { spec: { size: 1 } }));
  expect(webhook.calls()).toBe(0);
  const seen = await requests.get(`${widgetsIn("v2")}/a`);
  expect(seen).toMatchObject({ apiVersion: "sem.example.com/v2", spec: { length: 1 } });
  expect(seen.metadata).toEqual(made.metadata);
  const watch = await requests.watch(widgetsIn("v2"), { resourceVersion: "0" });
  expect((await watch.next())!.object).toMatchObject({ spec: { length: 1 } });
  const changed = await requests.merge(`${widgetsIn("v2")}/a`, { spec: { length: 5 } });
  expect(changed).toMatchObject({ apiVersion: "sem.example.com/v2", spec: { length: 5 } });
  expect((await watch.next())!.object).toMatchObject({ spec: { length: 5 } });
  expect((await requests.get(`${WIDGETS}/a`)).spec).toEqual({ size: 5 });
  await requests.create(WIDGETS, widget("b", { spec: { size: 2 } }));
  expect((await watch.next())!.object.metadata?.name).toBe("b");
  const before = webhook.calls();
  const { items } = await requests.get(widgetsIn("v2"));
  expect(items.map(({ spec }) => spec)).toEqual([{ length: 5 }, { length: 2 }]);
  expect(webhook.calls()).toBe(before + 1);
});

test("57: what was stored in one version is read when another is the storage version", async () => {
  const { requests } = await openWith(rename);
  await requests.create(WIDGETS, widget("a", { spec: { size: 1 } }));
  await redefine(requests, versions("v2"));
  expect((await requests.get(`${widgetsIn("v2")}/a`)).spec).toEqual({ length: 1 });
  expect((await requests.get(`${WIDGETS}/a`)).spec).toEqual({ size: 1 });
  await requests.merge(`${WIDGETS}/a`, { spec: { size: 3 } });
  expect((await requests.get(`${widgetsIn("v2")}/a`)).spec).toEqual({ length: 3 });
});

test("57: a webhook may change labels and annotations, and nothing else of the metadata", async () => {
  const { requests } = await openWith((request) =>
    converted(
      request,
      request.objects.map((object) => ({
        ...object,
        apiVersion: request.desiredAPIVersion,
        metadata: {
          ...(object["metadata"] as JsonObject),
          labels: { by: "webhook" },
          finalizers: ["example.com/no"],
        },
      })),
    ),
  );
  await requests.create(WIDGETS, widget("a"));
  const seen = await requests.get(`${widgetsIn("v2")}/a`);
  expect(seen.metadata.labels).toEqual({ by: "webhook" });
  expect(seen.metadata.finalizers).toBeUndefined();
  expect(await requests.names(widgetsIn("v2"), { labelSelector: "by=webhook" })).toEqual(["a"]);
});

test("57, 34: who manages a field in another version is asked about in that version's words", async () => {
  const { requests } = await openWith(rename);
  const [first, second] = [`${WIDGETS}/a`, `${widgetsIn("v2")}/a`];
  const inSecond = (length: number): JsonObject => ({
    ...widget("a", { spec: { length } }),
    apiVersion: "sem.example.com/v2",
  });
  await requests.apply(first, widget("a", { spec: { size: 1 } }), { fieldManager: "one" });
  const refused = await requests.call("PATCH", second, {
    query: { fieldManager: "two" },
    body: inSecond(2),
    headers: patchType("apply"),
  });
  expect(refusalIn(refused)).toMatchObject({
    code: 409,
    message: 'Apply failed with 1 conflict: conflict with "one": .spec.size',
  });
  // The same value is no conflict: both have it, each by its name.
  await requests.apply(second, inSecond(1), { fieldManager: "two" });
  expect(fieldsOf(await requests.get(first))).toEqual({
    "one sem.example.com/v1": { "f:spec": { "f:size": {} } },
    "two sem.example.com/v2": { "f:spec": { "f:length": {} } },
  });
  await requests.merge(first, { spec: { size: 3 } }, { fieldManager: "three" });
  expect(fieldsOf(await requests.get(first))).toEqual({
    "three sem.example.com/v1": { "f:spec": { "f:size": {} } },
  });
  await requests.apply(second, inSecond(4), { fieldManager: "two", force: "true" });
  expect(fieldsOf(await requests.get(first))).toEqual({
    "two sem.example.com/v2": { "f:spec": { "f:length": {} } },
  });
});

test("57, 34: without its webhook an apply is refused, and an update forgets who manages what", async () => {
  let works = true;
  const { requests } = await openWith((request) =>
    works ? rename(request) : converted(request, []),
  );
  const place = `${WIDGETS}/a`;
  await requests.create(WIDGETS, widget("a", { spec: { size: 1 } }));
  await requests.merge(`${widgetsIn("v2")}/a`, { spec: { length: 2 } }, { fieldManager: "two" });
  works = false;
  const refused = await requests.call("PATCH", place, {
    query: { fieldManager: "one" },
    body: widget("a", { metadata: { labels: { by: "one" } } }),
    headers: patchType("apply"),
  });
  expect(refusalIn(refused)).toMatchObject({
    code: 500,
    message: `${about} returned 0 objects, expected 1`,
  });
  expect(Object.keys(fieldsOf(await requests.get(place)))).toContain("two sem.example.com/v2");
  const changed = await requests.merge(place, { spec: { size: 3 } });
  expect(changed.spec).toEqual({ size: 3 });
  expect(changed.metadata.managedFields).toBeUndefined();
});

/** Of each manager, by its name and version. */
function fieldsOf({ metadata }: Shown): Record<string, unknown> {
  return Object.fromEntries(
    (metadata.managedFields ?? []).map(({ manager, apiVersion, fieldsV1 }) => [
      `${manager} ${apiVersion}`,
      fieldsV1,
    ]),
  );
}

const about = "conversion webhook for sem.example.com/v1, Kind=Widget";

test.for<[string, Review, string]>([
  [
    "fails",
    ({ uid }) => ({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "ConversionReview",
      response: { uid, result: { status: "Failure", message: "not today" } },
    }),
    `${about} failed: not today`,
  ],
  [
    "answers another question",
    () => ({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "ConversionReview",
      response: { uid: "other", result: { status: "Success" } },
    }),
    `${about} failed: expected response.uid=`,
  ],
  [
    "forgets an object",
    (request) => converted(request, []),
    `${about} returned 0 objects, expected 1`,
  ],
  [
    "leaves the version",
    (request) => converted(request, request.objects),
    `${about} returned invalid object at index 0: invalid groupVersion (expected sem.example.com/v2, received sem.example.com/v1)`,
  ],
  [
    "renames the object",
    (request) =>
      converted(
        request,
        request.objects.map((object) => ({
          ...object,
          apiVersion: request.desiredAPIVersion,
          metadata: { ...(object["metadata"] as JsonObject), name: "other" },
        })),
      ),
    `${about} returned invalid object: must have the same name: a != other`,
  ],
  ["breaks", () => "broken", `${about} failed: `],
])("57: a webhook that %s is said to have failed", async ([, review, message]) => {
  const { requests } = await openWith(review);
  await requests.create(WIDGETS, widget("a"));
  const answer = await requests.call("GET", `${widgetsIn("v2")}/a`);
  const refusal = refusalIn(answer);
  expect(refusal.code).toBe(500);
  expect(refusal.message.slice(0, message.length)).toBe(message);
  // The storage version is read all the same.
  expect((await requests.get(`${WIDGETS}/a`)).metadata.name).toBe("a");
});

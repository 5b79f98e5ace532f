/**
 * Random schemas, and random writes by several managers through every way to write: managed fields,
 * generation and resource version stay lawful, and nothing is lost on the way through JSON.
 */
import { createApiServer } from "@homeostat/api-server";
import { ManualClock, seededRandom } from "@homeostat/concurrency";
import {
  decodeJson,
  encodeJson,
  equalJson,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
} from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { danglingPaths, ownsPath } from "./owned-paths.ts";
import { objectShape, type Shape } from "./random-schema.ts";

const user = { username: "test", groups: ["system:masters"] };
const managers = ["one", "two", "three"] as const;
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const WIDGETS = "/apis/prop.example.com/v1/namespaces/default/widgets";

interface Write {
  readonly way: "apply" | "force" | "json" | "merge" | "put";
  readonly manager: string;
  readonly spec: JsonValue;
}

interface Answer {
  readonly status: number;
  readonly object: JsonObject;
}

/** A plane with one custom resource of the schema. */
async function openPlane(schema: JsonObject): Promise<{
  send: (method: string, path: string, options?: SendOptions) => Promise<Answer>;
  close: () => Promise<void>;
}> {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  const server = await clock.runUntil(createApiServer({ store, clock, random: seededRandom(1) }));
  const send = async (
    method: string,
    path: string,
    { body, query = {}, type = "application/json" }: SendOptions = {},
  ): Promise<Answer> => {
    clock.step(1000);
    const answer = await clock.runUntil(
      server.door.send({
        method: method as "GET",
        path,
        query,
        user,
        want: "bytes",
        headers: { "content-type": type, accept: "application/json" },
        ...(body === undefined
          ? {}
          : {
              body: { kind: "bytes" as const, bytes: new TextEncoder().encode(encodeJson(body)) },
            }),
      }),
    );
    if (answer.kind !== "bytes") throw new Error(`an answer of kind ${answer.kind}`);
    // What is not served yet is answered with a text.
    const object = answer.status === 404 ? {} : (decodeJson(answer.bytes) as JsonObject);
    return { status: answer.status, object };
  };
  const openAPIV3Schema = { type: "object", properties: { spec: schema } };
  const made = await send("POST", CRDS, {
    body: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "widgets.prop.example.com" },
      spec: {
        group: "prop.example.com",
        names: { plural: "widgets", kind: "Widget" },
        scope: "Namespaced",
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    },
  });
  must(made.status === 201, encodeJson(made.object));
  while ((await send("GET", WIDGETS)).status === 404) await clock.runUntil(turn(clock));
  const close = async (): Promise<void> => {
    await server.close();
    await store.close();
  };
  return { send, close };
}

interface SendOptions {
  readonly body?: JsonValue;
  readonly query?: Readonly<Record<string, string>>;
  readonly type?: string;
}

function turn(clock: ManualClock): Promise<void> {
  return new Promise((resolve) => clock.endOfTurn(resolve));
}

const widget = (spec: JsonValue, more: JsonObject = {}): JsonObject => ({
  apiVersion: "prop.example.com/v1",
  kind: "Widget",
  metadata: { name: "w", ...more },
  spec,
});

/** The request that a write is, given what is there. */
function requestOf(
  { way, manager, spec }: Write,
  before: JsonObject | undefined,
): [string, string, SendOptions] {
  const path = `${WIDGETS}/w`;
  const query = { fieldManager: manager };
  if (way === "apply" || way === "force") {
    const force = way === "force" ? { force: "true" } : {};
    const type = "application/apply-patch+yaml";
    return ["PATCH", path, { body: widget(spec), query: { ...query, ...force }, type }];
  }
  if (before === undefined) return ["POST", WIDGETS, { body: widget(spec), query }];
  if (way === "put") {
    return ["PUT", path, { body: { ...before, spec }, query }];
  }
  const type = `application/${way}-patch+json`;
  const body: JsonValue = way === "json" ? [{ op: "add", path: "/spec", value: spec }] : { spec };
  return ["PATCH", path, { body, query, type }];
}

const metadataOf = (object: JsonObject | undefined): JsonObject =>
  (object?.["metadata"] ?? {}) as JsonObject;

function withoutMetadata({ metadata: _metadata, ...rest }: JsonObject): JsonObject {
  return rest;
}

function entriesOf(
  object: JsonObject,
): NonNullable<NonNullable<KubernetesObject["metadata"]>["managedFields"]> {
  return (object as KubernetesObject).metadata?.managedFields ?? [];
}

/** What a write may have done to what was there. */
function checkLaws(before: JsonObject | undefined, after: JsonObject): void {
  const was = metadataOf(before);
  const is = metadataOf(after);
  const same = before !== undefined && equalJson(before, after);
  must((is["resourceVersion"] === was["resourceVersion"]) === same, "a version without a change");
  if (before !== undefined) {
    must(Number(is["resourceVersion"]) >= Number(was["resourceVersion"]), "the version went back");
    const unchanged = equalJson(withoutMetadata(before), withoutMetadata(after));
    const grown = Number(is["generation"]) - Number(was["generation"]);
    must(grown === (unchanged ? 0 : 1), `the generation grew by ${grown}`);
    must(is["uid"] === was["uid"], "another uid");
  }
  const entries = entriesOf(after);
  const ids = entries.map(({ manager, operation, apiVersion, subresource }) =>
    [manager, operation, apiVersion, subresource].join(" "),
  );
  must(new Set(ids).size === ids.length, `entries twice: ${ids.join(", ")}`);
  for (const { fieldsV1, manager } of entries) {
    const dangling = danglingPaths(fieldsV1 as JsonValue, after);
    must(dangling.length === 0, `${manager} owns what is not there: ${dangling.join(" ")}`);
  }
}

function must(condition: boolean, why: string): void {
  if (!condition) throw new Error(why);
}

/** The top fields of a spec are owned by whoever applied them. */
function checkOwnership(write: Write, after: JsonObject): void {
  const applied = entriesOf(after).find(
    ({ manager, operation }) => manager === write.manager && operation === "Apply",
  );
  for (const name of Object.keys(write.spec as JsonObject)) {
    const path = ["f:spec", `f:${name}`];
    must(ownsPath((applied?.fieldsV1 ?? {}) as JsonValue, path), `${name} is not owned`);
  }
}

/**
 * The merge leaves null where the last field of a struct, or item of a list, that others made is applied
 * no more, which a schema then refuses; kube-apiserver does the same.
 */
function leavesNull({ message }: JsonObject): boolean {
  return (
    typeof message === "string" && /in body must be of type (?:object|array): "null"/.test(message)
  );
}

const writesOf = (shape: Shape): fc.Arbitrary<readonly Write[]> =>
  fc.array(
    fc.record({
      way: fc.constantFrom("apply", "apply", "force", "json", "merge", "put"),
      manager: fc.constantFrom(...managers),
      spec: shape.value,
    }),
    { minLength: 2, maxLength: 8 },
  );

const cases = objectShape(2).chain((shape) =>
  fc.record({ schema: fc.constant(shape.schema), writes: writesOf(shape) }),
);

test("whatever is written by whomever, managed fields, generation and version stay lawful", async () => {
  const laws = fc.assert(
    fc.asyncProperty(cases, async ({ schema, writes }) => {
      const { send, close } = await openPlane(schema);
      try {
        let before: JsonObject | undefined;
        for (const write of writes) {
          const request = requestOf(write, before);
          const { status, object: after } = await send(...request);
          const read = await send("GET", `${WIDGETS}/w`);
          if (status === 409 || leavesNull(after)) {
            must(
              before === undefined || equalJson(read.object, before),
              "a refusal changed something",
            );
            continue;
          }
          must(status < 300, encodeJson(after));
          must(equalJson(read.object, after), "what is read is not what was answered");
          must(equalJson(decodeJson(encodeJson(after)), after), "JSON loses something");
          checkLaws(before, after);
          if (write.way === "apply" || write.way === "force") {
            checkOwnership(write, after);
            const again = await send(...request);
            must(equalJson(again.object, after), "the same apply again changed something");
          }
          before = after;
        }
      } finally {
        await close();
      }
    }),
    { numRuns: 40 },
  );
  await expect(laws).resolves.toBeUndefined();
}, 300_000);

import type { DoorRequest, JsonObject, KubernetesObject } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { deepFreeze } from "../answers/freeze.ts";
import { createApiServer } from "../api-server.ts";

const user = { username: "admin", groups: ["system:masters"] };
const MAPS = "/api/v1/namespaces/default/configmaps";

async function openPlane() {
  const server = await createApiServer({ store: openMemoryStore() });
  const send = async (request: Pick<DoorRequest, "method" | "path"> & Partial<DoorRequest>) => {
    const answer = await server.door.send({ user, want: "object", ...request });
    if (answer.kind !== "object") throw new Error(`expected an object, got ${answer.kind}`);
    return { status: answer.status, object: answer.object as KubernetesObject & JsonObject };
  };
  const apply = (path: string, query: Record<string, string>, value: object) =>
    send({
      method: "PATCH",
      path,
      query,
      headers: { "content-type": "application/apply-patch+yaml" },
      body: { kind: "value", value },
    });
  return { send, apply, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function configMap(data: JsonObject): object {
  return deepFreeze({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data });
}

test("an applied value is not changed, and the same value again is no write", async () => {
  await using plane = await openPlane();
  const value = configMap({ a: "1", constructor: "c" });
  const made = await plane.apply(`${MAPS}/a`, { fieldManager: "one" }, value);
  expect(made.status).toBe(201);
  expect(made.object["data"]).toEqual({ a: "1", constructor: "c" });
  const again = await plane.apply(`${MAPS}/a`, { fieldManager: "one" }, value);
  expect(again.status).toBe(200);
  expect(again.object.metadata).toEqual(made.object.metadata);
});

test("two managers, a conflict and its resolution", async () => {
  await using plane = await openPlane();
  await plane.apply(`${MAPS}/a`, { fieldManager: "one" }, configMap({ a: "1", b: "1" }));
  const refused = await plane.apply(`${MAPS}/a`, { fieldManager: "two" }, configMap({ a: "2" }));
  expect(refused).toMatchObject({
    status: 409,
    object: {
      reason: "Conflict",
      message: 'Apply failed with 1 conflict: conflict with "one": .data.a',
      details: {
        causes: [
          { reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".data.a" },
        ],
      },
    },
  });
  const query = { fieldManager: "two", force: "true" };
  await plane.apply(`${MAPS}/a`, query, configMap({ a: "2" }));
  const last = await plane.apply(`${MAPS}/a`, { fieldManager: "one" }, configMap({ b: "1" }));
  expect(last.object["data"]).toEqual({ a: "2", b: "1" });
});

test("writes go down under the name of the client, where they name no manager", async () => {
  await using plane = await openPlane();
  const { object } = await plane.send({
    method: "POST",
    path: MAPS,
    headers: { "content-type": "application/json", "user-agent": "tester/1.0" },
    body: { kind: "value", value: configMap({ a: "1" }) },
  });
  expect(object.metadata?.managedFields?.map(({ manager }) => manager)).toEqual(["tester"]);
});

test.each([
  ["application/apply-patch+cbor", 415],
  ["application/apply-patch+json", 415],
  ["application/apply-patch+yaml; charset=utf-8", 201],
])("%s is answered %i", async (type, status) => {
  await using plane = await openPlane();
  const answer = await plane.send({
    method: "PATCH",
    path: `${MAPS}/a`,
    query: { fieldManager: "one" },
    headers: { "content-type": type },
    body: { kind: "value", value: configMap({ a: "1" }) },
  });
  expect(answer.status).toBe(status);
});

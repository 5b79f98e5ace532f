import { schemaOf } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";
import { printObject } from "../codec/print-object.ts";
import { decodeStored } from "../registry/stored-object.ts";

const SCHEMAS: Readonly<Record<string, string>> = {
  Namespace: "core.v1.Namespace",
  Service: "core.v1.Service",
  IPAddress: "networking.v1.IPAddress",
  ServiceCIDR: "networking.v1.ServiceCIDR",
  PriorityClass: "scheduling.v1.PriorityClass",
};

test("bootstrap objects are kept exactly as their kinds print them", async () => {
  const store = openMemoryStore();
  await using _server = await createApiServer({ store });
  const { items } = store.list({ prefix: "/registry/" });
  expect(items.length).toBe(9);
  for (const { value } of items) {
    const object = decodeStored(value, 0);
    const printed = printObject(schemaOf(SCHEMAS[object.kind!]!), object as never);
    expect(JSON.stringify(object)).toBe(JSON.stringify(printed));
  }
});

test("a second start adds nothing, and what was deleted comes back", async () => {
  const store = openMemoryStore();
  await createApiServer({ store });
  const before = store.revision;
  await createApiServer({ store });
  expect(store.revision).toBe(before);
  await store.delete("/registry/namespaces/kube-public");
  await createApiServer({ store });
  expect(store.get("/registry/namespaces/kube-public")).toBeDefined();
});

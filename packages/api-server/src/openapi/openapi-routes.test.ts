import { realClock } from "@homeostat/concurrency";
import type { DoorRequest, JsonObject } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { type ApiServer, createApiServer } from "../api-server.ts";

const admin = { username: "admin", groups: ["system:masters"] };

const widgets: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.openapi.example.com" },
  spec: {
    group: "openapi.example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { color: { type: "string" } } },
            },
          },
        },
      },
    ],
  },
};
const SPEC_PROPERTIES = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";

interface Served {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly bytes: Uint8Array;
  readonly json: () => JsonObject;
}

async function ask(
  server: ApiServer,
  path: string,
  { headers = {}, query = {} }: Pick<DoorRequest, "headers" | "query"> = {},
): Promise<Served> {
  const answer = await server.door.send({
    method: "GET",
    path,
    headers,
    query,
    user: admin,
    want: "bytes",
  });
  if (answer.kind !== "bytes") throw new Error(`expected bytes, got ${answer.kind}`);
  const { status, bytes } = answer;
  const json = (): JsonObject => JSON.parse(Buffer.from(bytes).toString()) as JsonObject;
  return { status, headers: answer.headers, bytes, json };
}

async function addresses(server: ApiServer): Promise<Record<string, string>> {
  const { paths } = (await ask(server, "/openapi/v3")).json() as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  return Object.fromEntries(
    Object.entries(paths).map(([name, { serverRelativeURL }]) => [name, serverRelativeURL]),
  );
}

async function define(server: ApiServer, definition: JsonObject, version = ""): Promise<void> {
  const base = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const { status } = await server.door.send({
    method: version === "" ? "POST" : "PATCH",
    path: version === "" ? base : `${base}/widgets.openapi.example.com`,
    headers: { "content-type": version === "" ? "application/json" : version },
    body: { kind: "value", value: definition },
    user: admin,
    want: "object",
  });
  expect(status).toBe(version === "" ? 201 : 200);
  // It is served once its names are accepted.
  for (let turns = 0; turns < 100; turns++) {
    await new Promise<void>((resolve) => realClock.endOfTurn(resolve));
    if ((await ask(server, "/apis/openapi.example.com/v1")).status === 200) return;
  }
}

test("every document of the list is found at its address, for good", async () => {
  await using server = await createApiServer({ store: openMemoryStore() });
  const listed = await addresses(server);
  expect(Object.keys(listed)).toContain("apis/apps/v1");
  for (const [name, address] of Object.entries(listed)) {
    const hash = address.slice(address.indexOf("=") + 1);
    const found = await ask(server, `/openapi/v3/${name}`, { query: { hash } });
    expect(found.status).toBe(200);
    expect(found.headers["etag"]).toBe(`"${hash}"`);
    expect(found.headers["cache-control"]).toBe("public, immutable");
    expect(found.json()["openapi"]).toBe("3.0.0");
  }
});

test("an old hash leads to the new one, and who holds the document is told so", async () => {
  await using server = await createApiServer({ store: openMemoryStore() });
  const { "apis/apps/v1": address } = await addresses(server);
  const old = await ask(server, "/openapi/v3/apis/apps/v1", { query: { hash: "0" } });
  expect(old.status).toBe(301);
  expect(old.headers["location"]).toBe(address);
  const held = await ask(server, "/openapi/v3/apis/apps/v1", {
    headers: { "if-none-match": String(old.headers["etag"]) },
  });
  expect(held.status).toBe(304);
  expect(held.bytes.length).toBe(0);
  expect(held.headers["content-type"]).toBeUndefined();
});

test("what nobody serves is not found, and other forms are refused", async () => {
  await using server = await createApiServer({ store: openMemoryStore() });
  for (const name of ["apis/nothing/v1", "", "constructor", "__proto__"]) {
    expect((await ask(server, `/openapi/v3/${name}`)).status).toBe(404);
  }
  const headers = { accept: "application/yaml" };
  expect((await ask(server, "/openapi/v3/api/v1", { headers })).status).toBe(406);
  expect((await ask(server, "/openapi/v2", { headers })).status).toBe(406);
});

test("a definition changes the document of its group-version only", async () => {
  await using server = await createApiServer({ store: openMemoryStore() });
  const before = await addresses(server);
  await define(server, widgets);
  const defined = await addresses(server);
  const added = Object.keys(defined).filter((name) => defined[name] !== before[name]);
  expect(added).toEqual(["apis/openapi.example.com/v1"]);
  await define(server, { spec: { names: { shortNames: ["wd"] } } }, "application/merge-patch+json");
  expect(await addresses(server)).toEqual(defined);
  const field = { op: "add", path: `${SPEC_PROPERTIES}/more`, value: { type: "string" } };
  await define(server, [field] as unknown as JsonObject, "application/json-patch+json");
  const changed = await addresses(server);
  expect(Object.keys(changed).filter((name) => changed[name] !== defined[name])).toEqual(added);
  const document = await ask(server, "/openapi/v3/apis/openapi.example.com/v1");
  expect(JSON.stringify(document.json())).toContain('"more":{"type":"string"}');
});

test("the one document of OpenAPI 2 holds custom resources, as JSON and as protobuf", async () => {
  await using server = await createApiServer({ store: openMemoryStore() });
  const first = await ask(server, "/openapi/v2");
  await define(server, widgets);
  const second = await ask(server, "/openapi/v2");
  expect(second.headers["etag"]).not.toBe(first.headers["etag"]);
  const { definitions } = second.json() as { definitions: Record<string, JsonObject> };
  expect(definitions["com.example.openapi.v1.Widget"]!["type"]).toBe("object");
  const encoded = await ask(server, "/openapi/v2", {
    headers: { accept: "application/com.github.proto-openapi.spec.v2@v1.0+protobuf" },
  });
  expect(encoded.headers["etag"]).toBe(second.headers["etag"]);
  expect(Buffer.from(encoded.bytes).includes("com.example.openapi.v1.Widget")).toBe(true);
});

test("metadata is described for people, of built-in and of custom resources", async () => {
  await using server = await createApiServer({ store: openMemoryStore() });
  await define(server, widgets);
  for (const path of ["/openapi/v3/api/v1", "/openapi/v3/apis/openapi.example.com/v1"]) {
    const { components } = (await ask(server, path)).json() as {
      components: { schemas: Record<string, { properties: Record<string, JsonObject> }> };
    };
    const metadata = components.schemas["io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"];
    const fields = Object.entries(metadata!.properties);
    expect(fields.filter(([, { description }]) => description === undefined)).toEqual([]);
    expect(metadata!.properties["creationTimestamp"]!["description"]).toMatch(
      /^CreationTimestamp is a timestamp/,
    );
  }
});

import { realClock } from "@homeostat/concurrency";
import type { DoorRequest, JsonObject } from "@homeostat/object-model";
import type { APIGroupDiscoveryList } from "@homeostat/object-model/apidiscovery-v2";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { type ApiServer, createApiServer } from "../api-server.ts";

const user = { username: "admin", groups: ["system:masters"] };
const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const gadgets: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gadgets.discovery.example.com" },
  spec: {
    group: "discovery.example.com",
    scope: "Cluster",
    names: { plural: "gadgets", kind: "Gadget", shortNames: ["gd"] },
    versions: ["v1beta1", "v1"].map((name) => ({
      name,
      served: true,
      storage: name === "v1",
      schema: { openAPIV3Schema: { type: "object" } },
    })),
  },
};

async function send(
  server: ApiServer,
  request: Pick<DoorRequest, "method" | "path"> & Partial<DoorRequest>,
) {
  const answer = await server.door.send({ user, want: "bytes", ...request });
  if (answer.kind !== "bytes") throw new Error(`expected bytes, got ${answer.kind}`);
  return { ...answer, text: Buffer.from(answer.bytes).toString() };
}

async function groupsOf(server: ApiServer): Promise<APIGroupDiscoveryList["items"]> {
  const { text } = await send(server, { method: "GET", path: "/apis", headers: { accept } });
  return (JSON.parse(text) as APIGroupDiscoveryList).items;
}

/** Definitions take effect a few turns later. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let turns = 0; turns < 100 && !(await isSo()); turns++) {
    await new Promise<void>((resolve) => realClock.endOfTurn(resolve));
  }
}

test("everything comes in one document, and not again to whoever holds it", async () => {
  await using server = await createApiServer({ store: openMemoryStore() });
  for (const path of ["/api", "/apis"]) {
    const { status, headers } = await send(server, { method: "GET", path, headers: { accept } });
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe(accept);
    expect(headers["cache-control"]).toBe("public");
    const held = await send(server, {
      method: "GET",
      path,
      headers: { accept, "if-none-match": String(headers["etag"]) },
    });
    expect([held.status, held.bytes.length, held.headers["content-type"]]).toEqual([
      304,
      0,
      undefined,
    ]);
  }
});

test("the list of groups stays for those who do not ask for more", async () => {
  await using server = await createApiServer({ store: openMemoryStore() });
  const kindOf = async (wanted: string): Promise<unknown> => {
    const { text } = await send(server, {
      method: "GET",
      path: "/apis",
      headers: { accept: wanted },
    });
    return (JSON.parse(text) as JsonObject)["kind"];
  };
  expect(await kindOf("application/json")).toBe("APIGroupList");
  expect(await kindOf(`${accept.replace("v2", "v9")},application/json`)).toBe("APIGroupList");
  expect(await kindOf(`application/json,${accept}`)).toBe("APIGroupDiscoveryList");
});

test("custom resources appear with their versions, and disappear with their definition", async () => {
  await using server = await createApiServer({ store: openMemoryStore() });
  const find = async () =>
    (await groupsOf(server)).find(({ metadata }) => metadata?.name === "discovery.example.com");
  expect(await find()).toBeUndefined();
  const headers = { "content-type": "application/json" };
  const body = { kind: "value", value: gadgets } as const;
  await send(server, { method: "POST", path: definitions, headers, body });
  await until(async () => (await find()) !== undefined);
  const found = (await find())!;
  expect(found.versions!.map(({ version }) => version)).toEqual(["v1", "v1beta1"]);
  expect(found.versions![0]!.resources![0]).toEqual({
    resource: "gadgets",
    responseKind: { group: "discovery.example.com", version: "v1", kind: "Gadget" },
    scope: "Cluster",
    singularResource: "gadget",
    verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
    shortNames: ["gd"],
  });
  await send(server, { method: "DELETE", path: `${definitions}/gadgets.discovery.example.com` });
  await until(async () => (await find()) === undefined);
  expect(await find()).toBeUndefined();
});

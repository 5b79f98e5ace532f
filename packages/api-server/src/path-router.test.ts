import { openMemoryStore } from "@homeostat/store";
import { afterAll, expect, test } from "vitest";
import { createApiServer } from "./api-server.ts";

const server = await createApiServer({ store: openMemoryStore() });
afterAll(() => server.close());

const admin = { username: "admin", groups: ["system:masters"] };

async function get(path: string, user = admin): Promise<{ status: number; text: string }> {
  const answer = await server.door.send({ method: "GET", path, user, want: "bytes" });
  if (answer.kind !== "bytes") throw new Error(`expected bytes, got ${answer.kind}`);
  return { status: answer.status, text: Buffer.from(answer.bytes).toString() };
}

test("the root lists every path that is no object's, each of which answers", async () => {
  const { paths } = JSON.parse((await get("/")).text) as { paths: string[] };
  expect(paths).toContain("/apis/apps/v1");
  expect(paths).toContain("/readyz/etcd");
  expect(paths).toContain("/openapi/v3");
  const silent = await Promise.all(
    paths.map(async (path) => ((await get(path)).status === 200 ? [] : [path])),
  );
  // Below it are documents, and one without a name is none.
  expect(silent.flat()).toEqual(["/openapi/v3/"]);
  expect(paths).not.toContain("/debug/api_priority_and_fairness/dump_queues");
  expect((await get("/index.html")).text).toBe((await get("/")).text);
});

test("a health endpoint has no slash at its end, discovery may", async () => {
  expect((await get("/healthz/")).status).toBe(404);
  expect((await get("/apis/apps/")).status).toBe(200);
});

test("below the version there is nothing", async () => {
  const below = await get("/version/x");
  expect(below.status).toBe(404);
  expect(below.text).toContain("the server could not find the requested resource");
  expect((await get("/version/")).status).toBe(200);
});

test("a route without a prefix is one path", async () => {
  expect((await get("/openapi/v2/")).status).toBe(404);
  expect((await get("/openapi")).status).toBe(404);
});

test("beyond a subresource is nothing, which only those are told who may have it", async () => {
  const path = "/api/v1/namespaces/default/configmaps/a/b/c/d";
  const found = await get(path);
  expect(found.status).toBe(404);
  expect(found.text).toContain("the server could not find the requested resource");
  const refused = await get(path, { username: "eve", groups: ["system:authenticated"] });
  expect(refused.status).toBe(403);
  expect(JSON.parse(refused.text)).toMatchObject({
    message:
      'configmaps "a" is forbidden: User "eve" cannot get resource "configmaps/b" in API group "" in the namespace "default"',
    details: { name: "a", kind: "configmaps" },
  });
  expect((await get("/apis/nope.example/v1/things/a/b/c")).text).toBe("404 page not found\n");
});

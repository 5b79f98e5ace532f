/** Patches that make much of little: operations, copied bytes, depth and results are all limited. */
import { beforeAll, expect, test } from "vitest";
import { defineKinds } from "./attack-objects.ts";
import { attackedServer, type HostileAnswer } from "./server-under-attack.ts";

const server = attackedServer();
const GROUP = "patch.example.com";
const FREE = `/apis/${GROUP}/v1/namespaces/default/frees`;
const MAP = "/api/v1/namespaces/default/configmaps/target";

beforeAll(async () => {
  await defineKinds(server(), GROUP, [{ plural: "frees", kind: "Free", scope: "Namespaced" }]);
  await server().expect(201, {
    method: "POST",
    path: FREE,
    body: {
      apiVersion: `${GROUP}/v1`,
      kind: "Free",
      metadata: { name: "target" },
      spec: { list: ["x".repeat(1000)], map: { a: "x".repeat(1000) } },
    },
  });
  await server().expect(201, {
    method: "POST",
    path: "/api/v1/namespaces/default/configmaps",
    body: { metadata: { name: "target" }, data: { a: "x".repeat(1000) } },
  });
});

function patch(path: string, kind: string, body: unknown): Promise<HostileAnswer> {
  const type = `application/${kind}`;
  return server().send({ method: "PATCH", path, type, body });
}

function doublings(count: number): object[] {
  return Array.from({ length: count }, () => ({
    op: "copy",
    from: "/spec/list",
    path: "/spec/list/-",
  }));
}

test.each([
  ["a list copied into itself 30 times", doublings(30)],
  ["a list copied into itself 9,999 times", doublings(9_999)],
  [
    "a map copied under itself 40 times",
    Array.from({ length: 40 }, (_, at) => ({
      op: "copy",
      from: "/spec/map",
      path: `/spec/map/c${at}`,
    })),
  ],
  [
    "the whole object copied into itself",
    Array.from({ length: 40 }, (_, at) => ({ op: "copy", from: "", path: `/spec/c${at}` })),
  ],
])("%s is cut off by the bytes it copies", async (_, operations) => {
  await server().during(async () => {
    const answer = await patch(`${FREE}/target`, "json-patch+json", operations);
    expect([413, 422]).toContain(answer.status);
    const { text } = await server().expect(200, { path: `${FREE}/target` });
    expect(text.length).toBeLessThan(5_000);
  });
});

test("more than 10,000 operations are refused before the first", async () => {
  await server().during(async () => {
    const operations = Array.from({ length: 10_001 }, () => ({
      op: "test",
      path: "/kind",
      value: "x",
    }));
    const { status, message } = await patch(MAP, "json-patch+json", operations);
    expect([status, message]).toEqual([
      413,
      "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
    ]);
  });
});

const at = (path: string): readonly object[] => [{ op: "add", path, value: 1 }];

test.each([
  ["an index far beyond the end", at("/spec/list/4294967295")],
  ["an index beyond 2^53", at("/spec/list/99999999999999999999")],
  ["an index before the first", at("/spec/list/-9")],
  ["an index with an exponent", at("/spec/list/1e9")],
  ["an index with leading zeros", at("/spec/list/007")],
  ["the length of a list", at("/spec/list/length")],
  ["a path of 100,000 steps", at("/a".repeat(100_000))],
  ["no path", [{ op: "add", value: 1 }]],
  ["a path that is no text", [{ op: "add", path: { length: 5 }, value: 1 }]],
  ["an unknown operation", [{ op: "constructor", path: "/spec" }]],
  ["a move into itself", [{ op: "move", from: "/spec", path: "/spec/map/a/b" }]],
  ["the removal of everything", [{ op: "remove", path: "" }]],
  ["a replacement of everything by nothing", [{ op: "replace", path: "", value: null }]],
  ["operations that are none", [null, 1, "x", []]],
  ["an object of operations", { op: "add", path: "/x", value: 1 }],
])("a JSON patch with %s is refused", async (_, operations) => {
  await server().during(async () => {
    const { status } = await patch(`${FREE}/target`, "json-patch+json", operations);
    expect([400, 422]).toContain(status);
    expect((await server().expect(200, { path: `${FREE}/target` })).text).toContain(
      '"spec":{"list":',
    );
  });
});

const deep = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

async function expectRefusedPatches(depth: number): Promise<void> {
  await server().during(async () => {
    for (const op of ["test", "add"]) {
      const body = `[{"op":"${op}","path":"/spec/deep","value":${deep(depth)}}]`;
      expect((await patch(`${FREE}/target`, "json-patch+json", body)).status).toBe(400);
    }
    const body = `{"spec":{"deep":${deep(depth)}}}`;
    expect((await patch(`${FREE}/target`, "merge-patch+json", body)).status).toBe(400);
    const strategic = `{"data":{"deep":${deep(depth)}}}`;
    expect((await patch(MAP, "strategic-merge-patch+json", strategic)).status).toBe(400);
  });
}

async function expectAppliedOrRefused(depth: number): Promise<void> {
  await server().during(async () => {
    const head = `"apiVersion":"${GROUP}/v1","kind":"Free","metadata":{"name":"deep"}`;
    const body = `{${head},"spec":{"deep":${deep(depth)}}}`;
    const path = `${FREE}/deep?fieldManager=deep&force=true`;
    expect([200, 201, 400, 413]).toContain((await patch(path, "apply-patch+yaml", body)).status);
    const { status } = await server().send({ method: "POST", path: FREE, body });
    expect([201, 400, 409]).toContain(status);
    await server().send({ method: "DELETE", path: `${FREE}/deep` });
  });
}

test.each([1_000, 50_000])("values %i deep in patches are refused", expectRefusedPatches);
test.each([1_000, 50_000])("values %i deep are applied or refused", expectAppliedOrRefused);

test("values 9,000 deep in patches are refused", async () => {
  await expect(expectRefusedPatches(9_000)).resolves.toBeUndefined();
});
test("values 9,000 deep are applied or refused", async () => {
  await expect(expectAppliedOrRefused(9_000)).resolves.toBeUndefined();
});

test("objects cannot be grown beyond their limit by many small patches", async () => {
  await server().during(async () => {
    let status = 200;
    for (let at2 = 0; at2 < 12 && status === 200; at2++) {
      const body = { data: { [`k${at2}`]: "x".repeat(200_000) } };
      ({ status } = await patch(MAP, "merge-patch+json", body));
    }
    expect(status).toBe(422);
    let grown = 200;
    for (let at2 = 0; at2 < 12 && grown === 200; at2++) {
      const body = { spec: { [`k${at2}`]: "x".repeat(400_000) } };
      ({ status: grown } = await patch(`${FREE}/target`, "merge-patch+json", body));
    }
    expect([413, 500]).toContain(grown);
  });
});

test.each([
  [
    "a strategic patch of directives only",
    { $patch: "replace", $retainKeys: [1], "$setElementOrder/x": {} },
  ],
  ["a deletion list of everything", { "$deleteFromPrimitiveList/finalizers": ["x".repeat(1000)] }],
  ["an unknown directive", { metadata: { $patch: "explode" } }],
  ["a directive in a map", { data: { $patch: "delete" } }],
])("%s cannot break the object", async (_, body) => {
  await server().during(async () => {
    const { status } = await patch(MAP, "strategic-merge-patch+json", body);
    expect([200, 400, 422, 500]).toContain(status);
    expect((await server().expect(200, { path: MAP })).text).toContain('"name":"target"');
  });
});

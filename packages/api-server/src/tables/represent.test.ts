import { type Clock, realClock } from "@homeostat/concurrency";
import type { DoorAnswer, DoorRequest, KubernetesObject } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
const PARTIAL = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
const PARTIAL_LIST = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
const MAPS = "/api/v1/namespaces/default/configmaps";
const ADMIN = { username: "admin", groups: ["system:masters"] };

async function open() {
  // It stands: an object that is read twice has the same age both times.
  let now = realClock.now();
  const clock: Clock = { ...realClock, now: () => now };
  const server = await createApiServer({ store: openMemoryStore(), clock });
  const later = (milliseconds: number): void => {
    now += milliseconds;
  };
  const send = (
    method: DoorRequest["method"],
    path: string,
    more: { accept?: string; body?: object; query?: Record<string, string>; want?: "bytes" } = {},
  ): Promise<DoorAnswer> =>
    server.door.send({
      method,
      path,
      user: ADMIN,
      headers: {
        ...(more.accept !== undefined && { accept: more.accept }),
        "content-type": "application/json",
      },
      ...(more.query && { query: more.query }),
      ...(more.body && { body: { kind: "value", value: more.body } }),
      want: more.want ?? "object",
    });
  const create = (name: string, data: object = {}) =>
    send("POST", MAPS, {
      body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels: { l: "1" } }, data },
    });
  return { later, send, create, [Symbol.asyncDispose]: () => server.close() };
}

async function objectOf(answer: DoorAnswer): Promise<Record<string, never>> {
  if (answer.kind !== "object") throw new Error(`expected an object, got ${answer.kind}`);
  return answer.object as unknown as Record<string, never>;
}

async function bytesOf(answer: DoorAnswer): Promise<unknown> {
  if (answer.kind === "bytes") return JSON.parse(Buffer.from(answer.bytes).toString());
  if (answer.kind !== "byte-stream") throw new Error(`expected bytes, got ${answer.kind}`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.chunks) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

test("bytes and frozen objects say the same in every form", async () => {
  await using bench = await open();
  await bench.create("a", { k: "v" });
  for (const [accept, path] of [
    [TABLE, MAPS],
    [TABLE, `${MAPS}/a`],
    [PARTIAL, `${MAPS}/a`],
    [PARTIAL_LIST, MAPS],
    [PARTIAL_LIST, "/api/v1/namespaces/default/secrets"],
    [TABLE, "/api/v1/namespaces/default/limitranges"],
  ] as const) {
    const object = await objectOf(await bench.send("GET", path, { accept }));
    expect(Object.isFrozen(object)).toBe(true);
    expect(await bytesOf(await bench.send("GET", path, { accept, want: "bytes" }))).toEqual(object);
  }
});

test("ages are of the plane's clock", async () => {
  await using bench = await open();
  await bench.create("a", { k: "v", l: "w" });
  bench.later(3 * 86_400_000);
  const table = await objectOf(await bench.send("GET", `${MAPS}/a`, { accept: TABLE }));
  expect(table["rows"]).toMatchObject([{ cells: ["a", 2, "3d"] }]);
});

test("a long table comes in pieces, all of them whole", async () => {
  await using bench = await open();
  const names = Array.from({ length: 600 }, (_, index) => `map-${String(index).padStart(3, "0")}`);
  const data = { text: "x" };
  for (const name of names) await bench.create(name, data);
  const query = { includeObject: "Object", labelSelector: "l" };
  const answer = await bench.send("GET", MAPS, { accept: TABLE, want: "bytes", query });
  const table = (await bytesOf(answer)) as { rows: { cells: unknown[] }[] };
  expect(table.rows.map(({ cells }) => cells[0])).toEqual(names);
});

test("whoever watches metadata or tables shares what is made, and plain watches stay plain", async () => {
  await using bench = await open();
  const query = { watch: "true", labelSelector: "l" };
  const iterate = async (accept?: string) => {
    const answer = await bench.send("GET", MAPS, { ...(accept && { accept }), query });
    if (answer.kind !== "watch") throw new Error(answer.kind);
    return answer.frames[Symbol.asyncIterator]();
  };
  const streams = await Promise.all([
    iterate(),
    iterate(PARTIAL),
    iterate(PARTIAL),
    iterate(TABLE),
  ]);
  const waiting = streams.map((stream) => stream.next());
  await bench.create("a", { k: "v" });
  const [plain, one, other, table] = (await Promise.all(waiting)).map(({ value }) => value.object);
  expect(plain).toMatchObject({ kind: "ConfigMap", data: { k: "v" } });
  expect(one).toMatchObject({ kind: "PartialObjectMetadata", metadata: { name: "a" } });
  expect(one).not.toHaveProperty("data");
  expect(other).toBe(one);
  expect(table.columnDefinitions).toHaveLength(3);
  const next = streams[3].next();
  await bench.create("b");
  expect((await next).value.object).toMatchObject({ columnDefinitions: null });
  for (const stream of streams) await stream.return?.();
});

test("a refusal is a Status in whichever form was asked for", async () => {
  await using bench = await open();
  const answer = await bench.send("GET", `${MAPS}/none`, { accept: TABLE });
  expect(answer.status).toBe(404);
  expect(await objectOf(answer)).toMatchObject({ kind: "Status", reason: "NotFound" });
});

test("special names are plain data in columns of definitions", async () => {
  await using bench = await open();
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
          additionalPrinterColumns: [
            { name: "P", type: "string", jsonPath: ".spec.__proto__" },
            { name: "C", type: "string", jsonPath: ".spec.constructor" },
            { name: "T", type: "string", jsonPath: ".spec.toString" },
          ],
        },
      ],
    },
  };
  const defined = await bench.send(
    "POST",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    {
      body: crd,
    },
  );
  expect(defined.status).toBe(201);
  const body = JSON.parse(
    '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"t"},"spec":{"__proto__":"p","constructor":"c"}}',
  ) as KubernetesObject;
  const path = "/apis/example.com/v1/things";
  for (let turn = 0; turn < 50 && (await bench.send("GET", path)).status === 404; turn++) {
    await new Promise<void>((resolve) => realClock.endOfTurn(resolve));
  }
  const made = await bench.send("POST", path, { body, accept: TABLE });
  expect(made.status).toBe(201);
  expect(await objectOf(made)).toMatchObject({ rows: [{ cells: ["t", "p", "c", null] }] });
});

import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type { DoorAnswer, DoorRequest } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { type ApiServer, type ApiServerOptions, createApiServer } from "../api-server.ts";

const MASTER = { username: "admin", groups: ["system:masters"] };
const EVE = { username: "eve", groups: ["system:authenticated"] };
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

interface Bench {
  readonly clock: ManualClock;
  readonly server: ApiServer;
  readonly send: (request: Partial<DoorRequest> & { readonly path: string }) => Promise<DoorAnswer>;
}

async function openBench(options: Partial<ApiServerOptions> = {}): Promise<Bench> {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  const random = seededRandom(5);
  const server = await clock.runUntil(createApiServer({ store, clock, random, ...options }));
  return {
    clock,
    server,
    send: (request) =>
      clock.runUntil(server.door.send({ method: "GET", user: MASTER, want: "bytes", ...request })),
  };
}

function textOf(answer: DoorAnswer): string {
  if (answer.kind !== "bytes") throw new Error(`expected bytes, got ${answer.kind}`);
  return Buffer.from(answer.bytes).toString();
}

test("a request keeps the name it comes with, and gets one of its own without", async () => {
  const bench = await openBench();
  const named = await bench.send({ path: CONFIG_MAPS, headers: { "audit-id": "mine" } });
  expect(named.headers["audit-id"]).toBe("mine");
  const [first, second] = [await bench.send({ path: "/nowhere" }), await bench.send({ path: "/" })];
  for (const { headers } of [first, second]) {
    expect(headers["audit-id"]).toMatch(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
  }
  expect(first.headers["audit-id"]).not.toBe(second.headers["audit-id"]);
});

test("what takes too long is answered in time", async () => {
  const bench = await openBench();
  const query = {
    resourceVersion: "999999",
    resourceVersionMatch: "NotOlderThan",
    timeout: "500ms",
  };
  const begun = bench.clock.monotonic();
  const answer = await bench.send({ path: CONFIG_MAPS, query });
  expect(bench.clock.monotonic() - begun).toBe(500);
  expect(answer.status).toBe(504);
  expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect(textOf(answer)).toBe(
    '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n',
  );
});

test("a time that is none is refused, before anybody asks who it is", async () => {
  const bench = await openBench({ authentication: { anonymous: false } });
  const answer = await bench.send({ path: CONFIG_MAPS, query: { timeout: "abc" }, want: "object" });
  expect(answer).toMatchObject({
    status: 400,
    object: {
      message: 'invalid timeout specified in the request URL - time: invalid duration "abc"',
    },
  });
});

test("a watch has no deadline, and holds no seat", async () => {
  const limits = { maxRequestsInflight: 30, maxMutatingRequestsInflight: 0 };
  const bench = await openBench({ limits, authorization: "AlwaysAllow" });
  const query = { watch: "1", timeout: "1s" };
  for (let at = 0; at < 20; at++) {
    const watch = await bench.send({ path: CONFIG_MAPS, query, user: EVE });
    expect(watch).toMatchObject({ kind: "byte-stream", status: 200 });
  }
  await bench.clock.advance("2m");
  expect((await bench.send({ path: CONFIG_MAPS, user: EVE })).status).toBe(200);
});

test("without flow control the limits hold for reads and for writes, but not for masters", async () => {
  const limits = {
    maxRequestsInflight: 1,
    maxMutatingRequestsInflight: 1,
    priorityAndFairness: false,
  };
  const bench = await openBench({ limits, authorization: "AlwaysAllow" });
  const waiting = { resourceVersion: "999999", resourceVersionMatch: "NotOlderThan" };
  const { door } = bench.server;
  const read = { method: "GET", path: CONFIG_MAPS, user: EVE, want: "bytes" } as const;
  const slow = door.send({ ...read, query: waiting });
  const refused = await bench.send(read);
  expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
  expect(refused.headers["x-kubernetes-pf-flowschema-uid"]).toBeUndefined();
  expect((await bench.send({ ...read, user: MASTER })).status).toBe(200);
  const body = { kind: "value", value: { metadata: { name: "c" } } } as const;
  expect((await bench.send({ ...read, method: "POST", body })).status).toBe(201);
  await bench.clock.runUntil(slow);
  expect((await bench.send(read)).status).toBe(200);
});

test("a request whose client goes gives back its seat", async () => {
  const limits = { maxRequestsInflight: 1, priorityAndFairness: false };
  const bench = await openBench({ limits, authorization: "AlwaysAllow" });
  const gone = new AbortController();
  const waiting = { resourceVersion: "999999", resourceVersionMatch: "NotOlderThan" };
  const read = { method: "GET", path: CONFIG_MAPS, user: EVE, want: "bytes" } as const;
  const slow = bench.server.door.send({ ...read, query: waiting, signal: gone.signal });
  const ended = slow.catch((error: unknown) => error);
  await bench.clock.settle();
  gone.abort(new Error("gone"));
  expect(await ended).toMatchObject({ message: "gone" });
  expect((await bench.send(read)).status).toBe(200);
});

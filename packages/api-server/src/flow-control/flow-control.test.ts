import { ManualClock, seededRandom, sleep } from "@homeostat/concurrency";
import type { DoorAnswer, DoorRequest } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { type ApiServer, createApiServer } from "../api-server.ts";
import type { AccessAttributes } from "../authorization/authorizer.ts";
import type { RequestLimits } from "../filters/request-limits.ts";
import { Query } from "../http/query.ts";
import { ResourceTable } from "../registry/resource-table.ts";
import { FlowControl, type FlowTicket } from "./flow-control.ts";
import { ObjectCounts } from "./object-counts.ts";
import { TooManyRequestsError } from "./too-many-requests.ts";

const ADMIN = { username: "admin", groups: ["system:masters"] };
const EVE = { username: "eve", groups: ["system:authenticated"] };
const ALICE = { username: "alice", groups: ["system:authenticated"] };
const FLOW_SCHEMAS = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
const LEVELS = "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations";
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

interface Bench {
  readonly clock: ManualClock;
  readonly server: ApiServer;
  readonly flow: FlowControl;
  readonly send: (request: Partial<DoorRequest> & { readonly path: string }) => Promise<DoorAnswer>;
  admit(user: typeof EVE, verb?: string): FlowTicket | Promise<FlowTicket>;
}

async function openBench(limits: Partial<RequestLimits> = {}): Promise<Bench> {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  const server = await clock.runUntil(
    createApiServer({
      store,
      clock,
      random: seededRandom(3),
      authorization: "AlwaysAllow",
      limits,
    }),
  );
  const table = new ResourceTable();
  const counts = new ObjectCounts(store);
  const flow = new FlowControl({ store, table, clock }, { seats: 60, counts });
  return {
    clock,
    server,
    flow,
    send: (request) => server.door.send({ method: "GET", user: ADMIN, want: "bytes", ...request }),
    admit(user, verb = "get") {
      const now = clock.monotonic();
      const asked: AccessAttributes = { ...POD, verb };
      return flow.admit({
        user,
        asked,
        query: Query.empty,
        now,
        patience: 5_000,
        signal: undefined,
      });
    },
  };
}

const POD = {
  kind: "resource",
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "",
  namespace: "default",
  name: "p",
} as const;

/** Takes every seat of the level until somebody would have to wait; that one waits. */
function fill(bench: Bench): { tickets: FlowTicket[]; waiting: Promise<FlowTicket> } {
  const tickets: FlowTicket[] = [];
  for (;;) {
    const ticket = bench.admit(EVE);
    if (ticket instanceof Promise) return { tickets, waiting: ticket };
    tickets.push(ticket);
  }
}

test("every answer says by the uids of which schema and level it was let in", async () => {
  const bench = await openBench();
  const read = async (path: string): Promise<string> => {
    const answer = await bench.clock.runUntil(bench.send({ path, want: "object" }));
    if (answer.kind !== "object") throw new Error("expected an object");
    return answer.object.metadata?.uid ?? "";
  };
  const schema = await read(`${FLOW_SCHEMAS}/global-default`);
  const level = await read(`${LEVELS}/global-default`);
  const answer = await bench.send({ path: `${CONFIG_MAPS}/none`, user: EVE });
  expect(answer).toMatchObject({
    status: 404,
    headers: {
      "x-kubernetes-pf-flowschema-uid": schema,
      "x-kubernetes-pf-prioritylevel-uid": level,
    },
  });
});

test("a seat that is given back goes to who waits", async () => {
  const bench = await openBench();
  const { tickets, waiting } = fill(bench);
  expect(bench.flow.figures.find(({ schema }) => schema === "global-default")).toMatchObject({
    executing: tickets.length,
    waiting: 1,
  });
  tickets[0]!.finish(bench.clock.monotonic());
  tickets[0]!.finish(bench.clock.monotonic());
  const seated = await bench.clock.runUntil(waiting);
  expect(seated.headers["x-kubernetes-pf-flowschema-uid"]).toMatch(/^[0-9a-f-]{36}$/);
});

test("who waits for too long is refused, and leaves the queue", async () => {
  const bench = await openBench();
  const { waiting } = fill(bench);
  const refused = waiting.catch((error: unknown) => error);
  await bench.clock.advance(5_000);
  expect(await refused).toBeInstanceOf(TooManyRequestsError);
  expect(await refused).toMatchObject({ reason: "time-out", retryAfter: 1 });
  expect(bench.flow.figures.find(({ schema }) => schema === "global-default")?.waiting).toBe(0);
});

test("masters, and what asks whether the server lives, are let in whatever is going on", async () => {
  const bench = await openBench();
  const { waiting } = fill(bench);
  void waiting.catch(() => undefined);
  expect(bench.admit(ADMIN)).not.toBeInstanceOf(Promise);
  const probe = bench.flow.admit({
    user: EVE,
    asked: { kind: "path", verb: "get", path: "/livez" },
    query: Query.empty,
    now: 0,
    patience: 1,
    signal: undefined,
  });
  expect(probe).not.toBeInstanceOf(Promise);
});

test("one flow has a few queues, and when these are full it is refused, and others are not", async () => {
  const bench = await openBench();
  fill(bench).waiting.catch(() => undefined);
  let refused = 0;
  for (let at = 0; at < 1000; at++) {
    try {
      const ticket = bench.admit(EVE);
      if (ticket instanceof Promise) void ticket.catch(() => undefined);
    } catch (error) {
      if (!(error instanceof TooManyRequestsError && error.reason === "queue-full")) throw error;
      refused++;
    }
  }
  // 50 wait in each of the 6 queues of a hand; one did before.
  expect(refused).toBe(1000 - (300 - 1));
  const other = bench.admit(ALICE);
  expect(other).toBeInstanceOf(Promise);
  void Promise.resolve(other).catch(() => undefined);
});

test("a schema that is written counts from the next request on", async () => {
  const bench = await openBench();
  const classOf = async (): Promise<unknown> => {
    const ticket = await bench.admit(ALICE);
    ticket.finish(bench.clock.monotonic());
    return ticket.headers["x-kubernetes-pf-prioritylevel-uid"];
  };
  const before = await classOf();
  const schema = {
    metadata: { name: "alice" },
    spec: {
      matchingPrecedence: 50,
      priorityLevelConfiguration: { name: "exempt" },
      rules: [
        {
          subjects: [{ kind: "User", user: { name: "alice" } }],
          resourceRules: [
            { verbs: ["get"], apiGroups: [""], resources: ["pods"], namespaces: ["default"] },
          ],
        },
      ],
    },
  };
  const body: DoorRequest["body"] = { kind: "value", value: schema };
  const made = bench.send({ method: "POST", path: FLOW_SCHEMAS, body });
  expect((await bench.clock.runUntil(made)).status).toBe(201);
  expect(await classOf()).not.toBe(before);
  const gone = bench.send({ method: "DELETE", path: `${FLOW_SCHEMAS}/alice` });
  expect((await bench.clock.runUntil(gone)).status).toBe(200);
  expect(await classOf()).toBe(before);
});

test("a level that has lent all its seats gets one back for who waits", async () => {
  const bench = await openBench({ maxRequestsInflight: 1, maxMutatingRequestsInflight: 0 });
  const begun = bench.clock.monotonic();
  const answer = await bench.clock.runUntil(bench.send({ path: CONFIG_MAPS, user: ALICE }));
  expect(answer.status).toBe(200);
  expect(bench.clock.monotonic() - begun).toBeLessThanOrEqual(10_000);
});

test("a level that has nothing to do lends to one that has much", async () => {
  const bench = await openBench();
  const limits = (): Record<string, number> =>
    Object.fromEntries(bench.flow.levels.map(({ name, queues }) => [name, queues.limit]));
  const { tickets, waiting } = fill(bench);
  void waiting.catch(() => undefined);
  const before = limits()["global-default"]!;
  expect(tickets).toHaveLength(before);
  await bench.clock.advance(10_000);
  void Promise.resolve(bench.admit(EVE)).catch(() => undefined);
  expect(limits()["global-default"]).toBeGreaterThan(before);
  const sum = Object.values(limits()).reduce((a, b) => a + b, 0);
  expect(sum).toBeLessThanOrEqual(60 + bench.flow.levels.length);
});

test("somebody who sends thousands of long lists does not keep others waiting", async () => {
  const bench = await openBench({ maxRequestsInflight: 40, maxMutatingRequestsInflight: 20 });
  const { clock, send } = bench;
  for (let at = 0; at < 30; at++) {
    const value = { metadata: { name: `c-${at}` }, data: { k: "x".repeat(20_000) } };
    const body: DoorRequest["body"] = { kind: "value", value };
    const made = await clock.runUntil(send({ method: "POST", path: CONFIG_MAPS, body }));
    expect(made.status).toBe(201);
  }
  let refused = 0;
  let listed = 0;
  /** A client that takes 20 ms for each piece of a list. */
  const list = async (): Promise<void> => {
    const answer = await send({ path: "/api/v1/configmaps", user: EVE });
    if (answer.status === 429) refused++;
    if (answer.kind !== "byte-stream") return;
    for await (const _chunk of answer.chunks) await sleep(clock, 20);
    listed++;
  };
  const lists = Array.from({ length: 2000 }, list);
  const times: number[] = [];
  const reads = async (): Promise<void> => {
    for (let at = 0; at < 20; at++) {
      const begun = clock.monotonic();
      const { status } = await send({ path: `${CONFIG_MAPS}/c-${at}`, user: ALICE });
      expect(status).toBe(200);
      times.push(clock.monotonic() - begun);
    }
  };
  await clock.runUntil(reads());
  const worst = Math.max(...times);
  // The lists are far from done, and each read waited for about one of them to end.
  expect(refused).toBeGreaterThan(1500);
  expect(listed).toBeLessThan(300);
  expect(worst).toBeLessThan(200);
  void Promise.all(lists);
});

test("a refusal is a text that says when to come back", async () => {
  const bench = await openBench({ maxRequestsInflight: 1, maxMutatingRequestsInflight: 0 });
  const level = {
    metadata: { name: "narrow" },
    spec: {
      type: "Limited",
      limited: { nominalConcurrencyShares: 1, limitResponse: { type: "Reject" } },
    },
  };
  const schema = {
    metadata: { name: "narrow" },
    spec: {
      matchingPrecedence: 5,
      priorityLevelConfiguration: { name: "narrow" },
      rules: [
        {
          subjects: [{ kind: "User", user: { name: "eve" } }],
          nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
        },
      ],
    },
  };
  for (const [path, value] of [
    [LEVELS, level],
    [FLOW_SCHEMAS, schema],
  ] as const) {
    const body: DoorRequest["body"] = { kind: "value", value };
    await bench.clock.runUntil(bench.send({ method: "POST", path, body }));
  }
  const limit = bench.flow.levels.find(({ name }) => name === "narrow")!.queues.limit;
  expect(limit).toBeGreaterThan(0);
  const asked: AccessAttributes = { kind: "path", verb: "get", path: "/version" };
  const request = { user: EVE, asked, query: Query.empty, now: 0, patience: 1, signal: undefined };
  for (let at = 0; at < limit; at++) void bench.flow.admit(request);
  let refusal: unknown;
  try {
    void bench.flow.admit(request);
  } catch (error) {
    refusal = error;
  }
  expect((refusal as TooManyRequestsError).toAnswer()).toMatchObject({
    status: 429,
    headers: { "retry-after": "1", "x-content-type-options": "nosniff" },
    payload: {
      contentType: "text/plain; charset=utf-8",
      text: "Too many requests, please try again later.\n",
    },
  });
});

test("a write that many watch keeps its seats for them after its answer", async () => {
  const bench = await openBench();
  const watched = { ...POD, verb: "watch", name: "" } as const;
  const ends = Array.from({ length: 40 }, () => bench.flow.watches.add(watched, Query.empty));
  const level = bench.flow.levels.find(({ name }) => name === "global-default")!;
  const ticket = bench.admit(EVE, "update") as FlowTicket;
  expect(level.queues.seatsInUse).toBe(level.mostSeats);
  ticket.finish(bench.clock.monotonic());
  expect(level.queues.seatsInUse).toBe(level.mostSeats);
  await bench.clock.advance((4 * 5) / level.mostSeats);
  expect(level.queues.seatsInUse).toBe(0);
  for (const end of ends) end();
  (bench.admit(EVE, "update") as FlowTicket).finish(bench.clock.monotonic());
  expect(level.queues.seatsInUse).toBe(0);
});

test("what is exempt has seats too, as many as it wants", async () => {
  const bench = await openBench();
  const exempt = bench.flow.levels.find(({ name }) => name === "exempt")!;
  const tickets = Array.from({ length: 20 }, () => bench.admit(ADMIN) as FlowTicket);
  expect(exempt.queues.seatsInUse).toBe(20);
  await bench.clock.advance(10_000);
  bench.flow.settle();
  expect(exempt.queues.limit).toBe(20);
  for (const ticket of tickets) ticket.finish(bench.clock.monotonic());
  expect(exempt.queues.seatsInUse).toBe(0);
});

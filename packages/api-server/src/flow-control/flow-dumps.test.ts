import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type { DoorRequest } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";

const ADMIN = { username: "admin", groups: ["system:masters"] };
const EVE = { username: "eve", groups: ["system:authenticated"] };

async function openBench() {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  const server = await clock.runUntil(
    createApiServer({ store, clock, random: seededRandom(3), authorization: "AlwaysAllow" }),
  );
  const send = (request: Partial<DoorRequest> & { readonly path: string }) =>
    server.door.send({ method: "GET", user: ADMIN, want: "bytes", ...request });
  const dump = async (name: string): Promise<readonly string[]> => {
    const sent = send({ path: "/debug/api_priority_and_fairness/" + name });
    const answer = await clock.runUntil(sent);
    if (answer.kind !== "bytes") throw new Error("expected bytes");
    return new TextDecoder().decode(answer.bytes).split("\n");
  };
  return { clock, send, dump };
}

test("levels are told with their requests, the exempt one among them", async () => {
  const { dump } = await openBench();
  const [head, catchAll, exempt] = await dump("dump_priority_levels");
  expect([head, catchAll, exempt]).toEqual([
    "PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests, DispatchedRequests, RejectedRequests, TimedoutRequests, CancelledRequests",
    "catch-all,         0,            true,   false,       0,               0,                 0,                  0,                0,                0",
    "exempt,            0,            false,  false,       0,               1,                 1,                  0,                0,                0",
  ]);
});

test("queues are told with what each of them has to do", async () => {
  const { dump } = await openBench();
  const lines = await dump("dump_queues");
  expect(lines[0]).toBe(
    "PriorityLevelName, Index,  PendingRequests, ExecutingRequests, SeatsInUse, NextDispatchR, InitialSeatsSum, MaxSeatsSum, TotalWorkSum",
  );
  expect(lines).toContain(
    "system,            63,     0,               0,                 0,          0.00000000ss,  0,               0,           0.00000000ss",
  );
  expect(lines.filter((line) => line.startsWith("exempt"))).toEqual([]);
});

test("requests are told one by one, in detail for who wants that", async () => {
  const { clock, send, dump } = await openBench();
  const gone = new AbortController();
  const waiting = { resourceVersion: "999999", resourceVersionMatch: "NotOlderThan" };
  const path = "/api/v1/namespaces/default/configmaps";
  const slow = send({ path, query: waiting, user: EVE, signal: gone.signal });
  const ended = slow.catch(() => undefined);
  await clock.settle();
  const [head, ...requests] = await dump("dump_requests");
  expect(head).toBe(
    "PriorityLevelName, FlowSchemaName, QueueIndex, RequestIndexInQueue, FlowDistingsher, ArriveTime,           InitialSeats, FinalSeats, AdditionalLatency, StartTime",
  );
  expect(requests[0]).toBe(
    "exempt,            exempt,         -1,         -1,                  ,                2026-01-01T00:00:00Z, 1,            0,          0s,                2026-01-01T00:00:00Z",
  );
  expect(requests[1]).toMatch(/^global-default, +global-default, +\d+, +-1, +eve, +2026/);
  gone.abort();
  await ended;
  expect((await dump("dump_requests")).join()).not.toContain("global-default");
});

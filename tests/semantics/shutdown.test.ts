/** How watches end: with the plane, or because their reader is too slow. */
import type { WatchFrame } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { endOfTurn } from "./hand-clock.ts";
import { Http1Wire } from "./http1-wire.ts";
import { Http2Wire } from "./http2-wire.ts";
import { type HttpsPlane, openHttpsPlane, watchOver } from "./https-plane.ts";
import { openPlane } from "./in-process-plane.ts";
import { Requests } from "./requests.ts";
import { bytesOf, type WireAnswer } from "./wire.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const admin = { username: "admin", groups: ["system:masters"] };

/** Writes through the door, which is quicker than through a socket. */
async function write(
  { server }: Pick<HttpsPlane, "server">,
  count: number,
  size = 10,
): Promise<void> {
  for (let at = 0; at < count; at++) {
    const value = { metadata: { name: `m${at}` }, data: { x: "x".repeat(size) } };
    const body = { kind: "value", value } as const;
    await server.door.send({ method: "POST", path: MAPS, body, user: admin, want: "bytes" });
  }
}

const versionsIn = (frames: readonly WatchFrame[]): number[] =>
  frames.map(({ object }) => Number(object.metadata?.resourceVersion));

/** The lines of a body that was left unread until now; fails on half a line. */
async function linesOf(answer: WireAnswer): Promise<readonly WatchFrame[]> {
  const text = (await bytesOf(answer)).toString();
  expect(text.endsWith("}\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as WatchFrame);
}

test("closing the plane ends every watch between lines and refuses what follows", async () => {
  await using plane = await openHttpsPlane("h2");
  await using one = new Http1Wire(plane.identity);
  await using two = new Http2Wire(plane.identity);
  const watches = [];
  for (const wire of [one, two]) {
    for (let at = 0; at < 5; at++) watches.push(await watchOver(wire, MAPS, {}));
  }
  const writing = write(plane, 300, 2000).catch(() => undefined);
  await watches[0]?.take(50);
  await plane.server.close();
  await writing;
  for (const watch of watches) {
    // A broken end or half a line would throw.
    const frames = await watch.rest();
    expect(frames.every(({ type }) => type === "ADDED")).toBe(true);
  }
  const closed = { method: "GET", path: MAPS, user: admin, want: "object" } as const;
  await expect(plane.server.door.send(closed)).rejects.toThrow("the control plane is closed");
  const late = await plane.send({ method: "GET", path: MAPS });
  expect([late.status, late.object.reason]).toEqual([503, "ServiceUnavailable"]);
});

test("closing the listener lets an answer under way finish", async () => {
  await using plane = await openHttpsPlane("h2");
  await write(plane, 200, 20_000);
  await using wire = new Http2Wire(plane.identity);
  const answer = await wire.send({ method: "GET", path: MAPS, headers: {} });
  const closing = plane.listener.close();
  const list = JSON.parse((await bytesOf(answer)).toString()) as {
    items: unknown[];
  };
  expect(list.items).toHaveLength(200);
  await closing;
});

test("E22: a slow watcher is cut without ERROR, others do not notice, and it can resume", async () => {
  await using plane = await openHttpsPlane("h2");
  const requests = new Requests(plane);
  const start = (await requests.get("configmaps")).metadata.resourceVersion;
  // Both on one connection: what one does not read must not hold up the other.
  await using wire = new Http2Wire({ ...plane.identity });
  const slow = await wire.send({
    method: "GET",
    path: `${MAPS}?watch=true&resourceVersion=${start}`,
    headers: {},
  });
  const quick = await watchOver(wire, MAPS, { resourceVersion: start });
  const count = 2500;
  await write(plane, count, 1500);
  const all = versionsIn(await quick.take(count));
  expect(all).toHaveLength(count);
  const seen = await linesOf(slow);
  expect(seen.length).toBeLessThan(count);
  expect(seen.every(({ type }) => type === "ADDED")).toBe(true);
  expect(versionsIn(seen)).toEqual(all.slice(0, seen.length));
  const resourceVersion = String(all[seen.length - 1]);
  const resumed = await watchOver(wire, MAPS, { resourceVersion });
  expect(versionsIn(await resumed.take(count - seen.length))).toEqual(all.slice(seen.length));
  await quick[Symbol.asyncDispose]();
  await resumed[Symbol.asyncDispose]();
});

test("E22: through the door too, a reader that does not read is cut without ERROR", async () => {
  await using undo = new AsyncDisposableStack();
  const plane = await openPlane(undo);
  const query = { watch: "true", resourceVersion: String(plane.store.revision) };
  const ask = { method: "GET", path: MAPS, query, user: admin, want: "object" } as const;
  const slow = await plane.server.door.send(ask);
  if (slow.kind !== "watch") throw new Error(`got ${slow.kind}`);
  await write(plane, 2000);
  const types = new Set<string>();
  let count = 0;
  for await (const { type } of slow.frames) {
    types.add(type);
    count += 1;
  }
  expect([...types].filter((type) => type !== "ADDED")).toEqual([]);
  expect(count).toBeLessThan(2000);
});

test("leaving a watch through the door gives the server's side free", async () => {
  await using undo = new AsyncDisposableStack();
  const plane = await openPlane(undo);
  await write(plane, 2);
  const ask = { method: "GET", path: MAPS, query: { watch: "true" }, user: admin } as const;
  const watch = await plane.server.door.send({ ...ask, want: "object" });
  if (watch.kind !== "watch") throw new Error(`got ${watch.kind}`);
  const frames = watch.frames[Symbol.asyncIterator]();
  for (const name of ["m0", "m1"]) {
    expect((await frames.next()).value).toMatchObject({ object: { metadata: { name } } });
  }
  const pending = frames.next();
  await endOfTurn();
  expect(plane.store.statistics().watchers).toBe(1);
  await frames.return?.();
  expect(await pending).toEqual({ done: true, value: undefined });
  expect(plane.store.statistics().watchers).toBe(0);
});

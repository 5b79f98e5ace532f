import type { WatchFrame } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { MASTER, RBAC, RolesBench, toUser, userNamed } from "./fixtures/roles-bench.ts";

const eve = userNamed("eve");
const watchMaps = { verbs: ["watch"], apiGroups: [""], resources: ["configmaps"] };
const MAPS = "/api/v1/namespaces/default/configmaps";

async function watch(bench: RolesBench, user = eve): Promise<AsyncIterator<WatchFrame>> {
  const answer = await bench.send(user, {
    path: MAPS,
    query: { watch: "1", resourceVersion: "1" },
  });
  if (answer.kind !== "watch") throw new Error(`expected a watch, got ${answer.status}`);
  return answer.frames[Symbol.asyncIterator]();
}

async function openWithEve(): Promise<RolesBench> {
  const bench = await RolesBench.open();
  await bench.grant("watcher", [watchMaps], { to: [toUser("eve")], namespace: "default" });
  return bench;
}

const OVER = { done: true, value: undefined };

test.for([
  ["its binding is deleted", `DELETE ${RBAC}/namespaces/default/rolebindings/watcher`],
  ["its role is deleted", `DELETE ${RBAC}/clusterroles/watcher`],
] as const)("a watch ends, without an error, when %s", async ([, asked]) => {
  const bench = await openWithEve();
  const frames = await watch(bench);
  const next = frames.next();
  expect((await bench.ask(MASTER, asked)).status).toBe(200);
  expect(await bench.clock.runUntil(next)).toEqual(OVER);
  expect(bench.store.statistics().watchers).toBe(0);
});

test("a watch ends when its verb is taken out of the role", async () => {
  const bench = await openWithEve();
  const next = (await watch(bench)).next();
  await bench.ask(MASTER, `PATCH ${RBAC}/clusterroles/watcher`, {
    rules: [{ ...watchMaps, verbs: ["list"] }],
  });
  expect(await bench.clock.runUntil(next)).toEqual(OVER);
});

test("nothing that was committed with the end of the right, or after it, is told", async () => {
  const bench = await openWithEve();
  const frames = await watch(bench);
  const { door } = bench.server;
  const master = { user: MASTER, want: "object" } as const;
  const value = { metadata: { name: "secret" } };
  const answers = Promise.all([
    door.send({ method: "DELETE", path: `${RBAC}/clusterroles/watcher`, ...master }),
    door.send({ method: "POST", path: MAPS, body: { kind: "value", value }, ...master }),
  ]);
  const next = frames.next();
  const [deleted, created] = await bench.clock.runUntil(answers);
  expect([deleted.status, created.status]).toEqual([200, 201]);
  expect(await bench.clock.runUntil(next)).toEqual(OVER);
});

test("changes of roles that leave the right alone leave the watch alone", async () => {
  const bench = await openWithEve();
  const frames = await watch(bench);
  const next = frames.next();
  await bench.grant("other", [watchMaps], { to: [toUser("bob")] });
  await bench.bind("watcher", { to: [toUser("eve")] });
  await bench.ask(MASTER, `DELETE ${RBAC}/namespaces/default/rolebindings/watcher`);
  await bench.make(MAPS, { metadata: { name: "a" } });
  expect(await bench.clock.runUntil(next)).toMatchObject({ value: { type: "ADDED" } });
});

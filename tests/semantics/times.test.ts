/** Time that is not what it should be: a wall clock that steps back, a zone other than UTC. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { openHttpsPlane } from "./https-plane.ts";
import { openInProcessPlane } from "./in-process-plane.ts";
import type { PlaneUnderTest } from "./plane-under-test.ts";
import { Requests, versionOf } from "./requests.ts";

const HOUR = 3_600_000;
const event = {
  involvedObject: { kind: "Pod", namespace: "default", name: "p" },
  reason: "Tested",
};

test.each([
  ["over HTTPS", (): Promise<PlaneUnderTest> => openHttpsPlane("h2")],
  ["in process", openInProcessPlane],
] as const)("%s, a wall clock that steps back an hour harms nothing", async (_where, open) => {
  await using plane = await open();
  const requests = new Requests(plane);
  await plane.clock.advance("2h");
  const before = await requests.map("before");
  expect(before.metadata.creationTimestamp).toBe("2026-01-01T02:00:00Z");
  await requests.create("events", { metadata: { name: "old" }, ...event });
  const { resourceVersion } = before.metadata;
  const query = { resourceVersion, allowWatchBookmarks: "true", timeoutSeconds: "600" };
  const watch = await requests.watch("configmaps", query);

  plane.clock.step(-HOUR);

  const after = await requests.map("after");
  expect(after.metadata.creationTimestamp).toBe("2026-01-01T01:00:00Z");
  expect(versionOf(after)).toBeGreaterThan(versionOf(before));
  expect(await watch.changes(1)).toEqual(["ADDED after"]);
  // Bookmarks and the end of the watch go by time that passes, not by the wall.
  await plane.clock.advance("1m");
  expect(await watch.changes(1)).toEqual(["BOOKMARK"]);
  await plane.clock.advance("9m");
  expect((await watch.rest()).every(({ type }) => type === "BOOKMARK")).toBe(true);

  await requests.create("events", { metadata: { name: "new" }, ...event });
  await plane.clock.advance("59m");
  expect(await requests.names("events")).toEqual(["new", "old"]);
  await plane.clock.advance("2m");
  expect(await requests.names("events")).toEqual(["old"]);
  await plane.clock.advance("1h");
  expect(await requests.names("events")).toEqual([]);
});

test("a process in another time zone prints times in UTC", async () => {
  const here = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
  const program = `
    import { openInProcessPlane } from ${here("./in-process-plane.ts")};
    const plane = await openInProcessPlane();
    await plane.clock.advance("90m");
    const send = async (method, path, body) => (await plane.send({ method, path, body })).object;
    const maps = "/api/v1/namespaces/default/configmaps";
    const metadata = { name: "a", finalizers: ["example.com/hold"] };
    const made = await send("POST", maps, { metadata });
    await plane.clock.advance("1s");
    const going = await send("DELETE", maps + "/a");
    const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    const spec = { renewTime: "2020-01-02T03:04:05.000006+05:45" };
    const lease = await send("POST", leases, { metadata: { name: "l" }, spec });
    console.log(JSON.stringify({
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      created: made.metadata.creationTimestamp,
      deleted: going.metadata.deletionTimestamp,
      renewed: lease.spec.renewTime,
    }));
    await plane[Symbol.asyncDispose]();
  `;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--conditions=@homeostat/source", "--input-type=module", "--eval", program],
    { env: { ...process.env, TZ: "Asia/Kathmandu", NODE_OPTIONS: "" } },
  );
  expect(JSON.parse(stdout)).toEqual({
    // Node prints the name by its older spelling.
    zone: expect.stringMatching(/^Asia\/Kath?mandu$/) as string,
    created: "2026-01-01T01:30:00Z",
    deleted: "2026-01-01T01:30:01Z",
    renewed: "2020-01-01T21:19:05.000006Z",
  });
});

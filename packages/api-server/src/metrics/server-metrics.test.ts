import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type { DoorAnswer, DoorRequest } from "@homeostat/object-model";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";

const MASTER = { username: "admin", groups: ["system:masters"] };
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

interface Bench {
  readonly clock: ManualClock;
  readonly send: (request: Partial<DoorRequest> & { readonly path: string }) => Promise<DoorAnswer>;
  /** The lines of a family, without comments. */
  readonly lines: (family: string) => Promise<readonly string[]>;
  readonly text: () => Promise<string>;
}

async function openBench(): Promise<Bench> {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock });
  const processFigures = (): { name: string; type: "gauge"; help: string; value: number }[] => [
    { name: "process_resident_memory_bytes", type: "gauge", help: "Memory.", value: 2.5e8 },
  ];
  const server = await clock.runUntil(
    createApiServer({ store, clock, random: seededRandom(1), processFigures }),
  );
  const send: Bench["send"] = (request) =>
    clock.runUntil(server.door.send({ method: "GET", user: MASTER, want: "bytes", ...request }));
  const text = async (): Promise<string> => {
    // Loading a module takes more than turns of the clock.
    const asked = { method: "GET", path: "/metrics", user: MASTER, want: "bytes" } as const;
    const answer = await server.door.send(asked);
    if (answer.kind !== "bytes") throw new Error(`expected bytes, got ${answer.kind}`);
    expect(answer.headers["content-type"]).toMatch(/^text\/plain; version=0\.0\.4/);
    return Buffer.from(answer.bytes).toString();
  };
  return {
    clock,
    send,
    text,
    lines: async (family) =>
      (await text())
        .split("\n")
        .filter((line) => line.startsWith(`${family}{`) || line.startsWith(`${family} `)),
  };
}

test("every request for what is served is counted by what it asked and what it got", async () => {
  const { send, lines } = await openBench();
  const body = { kind: "value", value: { metadata: { name: "c" } } } as const;
  await send({ method: "POST", path: CONFIG_MAPS, body });
  await send({ method: "POST", path: CONFIG_MAPS, body, query: { dryRun: "All" } });
  await send({ path: `${CONFIG_MAPS}/c` });
  await send({ path: `${CONFIG_MAPS}/c` });
  await send({ path: `${CONFIG_MAPS}/none` });
  await send({ path: "/api/v1/configmaps" });
  await send({ path: "/livez" });
  expect(await lines("apiserver_request_total")).toEqual([
    'apiserver_request_total{code="201",component="apiserver",dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="POST",version="v1"} 1',
    'apiserver_request_total{code="409",component="apiserver",dry_run="All",group="",resource="configmaps",scope="resource",subresource="",verb="POST",version="v1"} 1',
    'apiserver_request_total{code="200",component="apiserver",dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="GET",version="v1"} 2',
    'apiserver_request_total{code="404",component="apiserver",dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="GET",version="v1"} 1',
    'apiserver_request_total{code="200",component="apiserver",dry_run="",group="",resource="configmaps",scope="cluster",subresource="",verb="LIST",version="v1"} 1',
    'apiserver_request_total{code="200",component="",dry_run="",group="",resource="",scope="",subresource="/livez",verb="GET",version=""} 1',
  ]);
});

test("what somebody makes up is no label", async () => {
  const { send, text } = await openBench();
  for (const path of [
    "/api/v1/madeup",
    "/apis/made.up/v1/x",
    `${CONFIG_MAPS}/c/madeup`,
    "/madeup",
  ]) {
    await send({ path });
  }
  await send({ path: `${CONFIG_MAPS}/c`, query: { dryRun: "madeup" } });
  expect(await text()).not.toContain("madeup");
});

test("a watch is open until it ends, and its events are counted", async () => {
  const { send, lines, clock } = await openBench();
  const watch = await send({ path: CONFIG_MAPS, query: { watch: "1", timeoutSeconds: "5" } });
  if (watch.kind !== "byte-stream") throw new Error("expected a stream");
  const [open] = await lines("apiserver_longrunning_requests");
  expect(open).toBe(
    'apiserver_longrunning_requests{component="apiserver",group="",resource="configmaps",scope="namespace",subresource="",verb="WATCH",version="v1"} 1',
  );
  const body = { kind: "value", value: { metadata: { name: "c" } } } as const;
  await send({ method: "POST", path: CONFIG_MAPS, body });
  const reading = (async () => {
    for await (const _chunk of watch.chunks);
  })();
  await clock.runUntil(reading);
  expect((await lines("apiserver_longrunning_requests"))[0]).toMatch(/ 0$/);
  expect(await lines("apiserver_watch_events_total")).toEqual([
    'apiserver_watch_events_total{group="",resource="configmaps",version="v1"} 1',
  ]);
});

test("durations and sizes are told in buckets that add up", async () => {
  const { send, lines } = await openBench();
  await send({ path: "/api/v1/namespaces" });
  const buckets = await lines("apiserver_request_duration_seconds_bucket");
  expect(buckets).toHaveLength(24);
  expect(buckets.at(-1)).toMatch(/,le="\+Inf"\} 1$/);
  expect((await lines("apiserver_request_duration_seconds_count"))[0]).toMatch(/ 1$/);
  const sizes = await lines("apiserver_response_sizes_bucket");
  expect(sizes.map((line) => /le="(.*)"/.exec(line)![1])).toEqual([
    "1000",
    "10000",
    "100000",
    "1e+06",
    "1e+07",
    "1e+08",
    "1e+09",
    "+Inf",
  ]);
});

test("levels, objects and the process are told", async () => {
  const { lines } = await openBench();
  expect(await lines("apiserver_flowcontrol_nominal_limit_seats")).toContain(
    'apiserver_flowcontrol_nominal_limit_seats{priority_level="workload-low"} 245',
  );
  expect(await lines("apiserver_storage_objects")).toContain(
    'apiserver_storage_objects{resource="prioritylevelconfigurations.flowcontrol.apiserver.k8s.io"} 8',
  );
  expect(await lines("process_resident_memory_bytes")).toEqual([
    "process_resident_memory_bytes 2.5e+08",
  ]);
});

test("who may not read the path may not read metrics", async () => {
  const { send } = await openBench();
  const user = { username: "eve", groups: ["system:authenticated"] };
  expect((await send({ path: "/metrics", user })).status).toBe(403);
});

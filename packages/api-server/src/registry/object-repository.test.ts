import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type { DoorRequest, KubernetesObject } from "@homeostat/object-model";
import { openMemoryStore, type Store } from "@homeostat/store";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";

const MASTER = { username: "admin", groups: ["system:masters"] };
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const SERVICES = "/api/v1/namespaces/default/services";
const MERGE = { "content-type": "application/merge-patch+json" };

interface Asked {
  readonly status: number;
  readonly object: KubernetesObject & { readonly reason?: string; readonly message?: string };
}

interface Bench {
  readonly store: Store;
  readonly clock: ManualClock;
  /** Several that are not waited for race. `target` may end in a query; patches are merge patches. */
  start(method: DoorRequest["method"], target: string, value?: unknown): Promise<Asked>;
  all<T>(promises: readonly Promise<T>[]): Promise<T[]>;
}

async function openBench(): Promise<Bench> {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock, compaction: { maxAge: 0 } });
  const settings = {
    serviceClusterIpRange: "10.0.0.0/28",
    serviceNodePortRange: [30_000, 30_003] as const,
  };
  const server = await clock.runUntil(
    createApiServer({ store, clock, random: seededRandom(11), settings }),
  );
  return {
    store,
    clock,
    async start(method, target, value) {
      const [path = "", search = ""] = target.split("?");
      const body: Pick<DoorRequest, "body"> =
        value === undefined ? {} : { body: { kind: "value", value } };
      const answer = await server.door.send({
        method,
        path,
        query: Object.fromEntries(new URLSearchParams(search)),
        headers: method === "PATCH" ? MERGE : {},
        ...body,
        user: MASTER,
        want: "object",
      });
      if (answer.kind !== "object") throw new Error(`expected an object, got ${answer.kind}`);
      return { status: answer.status, object: answer.object };
    },
    all: (promises) => clock.runUntil(Promise.all(promises)),
  };
}

function statusesOf(answers: readonly Asked[]): number[] {
  return answers.map(({ status }) => status).toSorted((a, b) => a - b);
}

test("of creates of one name at once, one creates and the rest are told that it exists", async () => {
  const bench = await openBench();
  const answers = await bench.all(
    [1, 2, 3].map(() => bench.start("POST", CONFIG_MAPS, { metadata: { name: "c" } })),
  );
  expect(statusesOf(answers)).toEqual([201, 409, 409]);
  expect(answers.filter(({ object }) => object.reason === "AlreadyExists")).toHaveLength(2);
});

test("of updates of one version at once, one is written and the rest are told of the conflict", async () => {
  const bench = await openBench();
  const [created] = await bench.all([
    bench.start("POST", CONFIG_MAPS, { metadata: { name: "c" } }),
  ]);
  const { metadata } = created!.object;
  const answers = await bench.all(
    ["a", "b", "c"].map((at) => bench.start("PUT", `${CONFIG_MAPS}/c`, { metadata, data: { at } })),
  );
  expect(statusesOf(answers)).toEqual([200, 409, 409]);
  expect(answers.filter(({ object }) => object.reason === "Conflict")).toHaveLength(2);
});

test("of deletions at once, one deletes and the rest find nothing", async () => {
  const bench = await openBench();
  await bench.all([bench.start("POST", CONFIG_MAPS, { metadata: { name: "c" } })]);
  const answers = await bench.all([1, 2, 3].map(() => bench.start("DELETE", `${CONFIG_MAPS}/c`)));
  expect(statusesOf(answers)).toEqual([200, 404, 404]);
});

test("deletion and changes at once end, and nothing is left", async () => {
  const bench = await openBench();
  await bench.all([
    bench.start("POST", CONFIG_MAPS, { metadata: { name: "c", finalizers: ["a/b"] } }),
  ]);
  await bench.all([
    bench.start("DELETE", `${CONFIG_MAPS}/c`),
    bench.start("PATCH", `${CONFIG_MAPS}/c`, { data: { a: "1" } }),
    bench.start("DELETE", `${CONFIG_MAPS}/c`),
    bench.start("PATCH", `${CONFIG_MAPS}/c`, { metadata: { finalizers: null } }),
    bench.start("DELETE", CONFIG_MAPS),
  ]);
  const [found] = await bench.all([bench.start("GET", `${CONFIG_MAPS}/c`)]);
  expect(found!.status).toBe(404);
});

test("services made at once never share an address or a port, and a full range is refused", async () => {
  const bench = await openBench();
  const service = (name: string): unknown => ({
    metadata: { name },
    spec: { type: "NodePort", ports: [{ port: 80 }] },
  });
  const answers = await bench.all(
    Array.from({ length: 6 }, (_, at) => bench.start("POST", SERVICES, service(`s${at}`))),
  );
  const made = answers
    .filter(({ status }) => status === 201)
    .map(({ object }) => object as { spec?: { clusterIP: string; ports: { nodePort: number }[] } });
  expect(made).toHaveLength(4);
  expect(new Set(made.map(({ spec }) => spec!.clusterIP)).size).toBe(4);
  expect(new Set(made.map(({ spec }) => spec!.ports[0]!.nodePort)).size).toBe(4);
  expect(answers.find(({ status }) => status !== 201)!.object.message).toContain("range is full");
  // What failed holds nothing, and what goes gives back.
  await bench.all([
    bench.start("DELETE", `${SERVICES}/${(made[0] as KubernetesObject).metadata!.name!}`),
  ]);
  const [again] = await bench.all([bench.start("POST", SERVICES, service("again"))]);
  expect(again!.status).toBe(201);
});

test("a service that asks for an address or port that is taken is refused, not tried for ever", async () => {
  const bench = await openBench();
  const taken = {
    metadata: { name: "a" },
    spec: { type: "NodePort", clusterIP: "10.0.0.9", ports: [{ port: 80, nodePort: 30_001 }] },
  };
  const other = (spec: object): unknown => ({
    metadata: { name: "b" },
    spec: { type: "NodePort", ...spec },
  });
  const answers = await bench.all([
    bench.start("POST", SERVICES, taken),
    bench.start("POST", SERVICES, other({ clusterIP: "10.0.0.9", ports: [{ port: 80 }] })),
    bench.start("POST", SERVICES, other({ ports: [{ port: 80, nodePort: 30_001 }] })),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([201, 422, 422]);
});

test("the old object is not changed by what a client sends", async () => {
  const bench = await openBench();
  const path = "/api/v1/namespaces/default/pods";
  const pod = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
  const [created] = await bench.all([bench.start("POST", path, pod)]);
  const before = structuredClone(created!.object);
  const patch = { spec: { containers: null }, status: { phase: "Failed" } };
  const [refused] = await bench.all([bench.start("PATCH", `${path}/p`, patch)]);
  expect(refused!.status).toBe(422);
  const [after] = await bench.all([bench.start("GET", `${path}/p`)]);
  expect(after!.object).toEqual(before);
});

test("less than no grace is a second, and a client cannot shorten grace by an update", async () => {
  const bench = await openBench();
  const path = "/api/v1/namespaces/default/pods";
  const pod = {
    metadata: { name: "p" },
    spec: { nodeName: "n", containers: [{ name: "c", image: "i" }] },
  };
  await bench.all([bench.start("POST", path, pod)]);
  const [marked] = await bench.all([bench.start("DELETE", `${path}/p`)]);
  expect(marked!.object.metadata!.deletionGracePeriodSeconds).toBe(30);
  const shortened = structuredClone(marked!.object);
  shortened.metadata!.deletionGracePeriodSeconds = 0;
  const [refused] = await bench.all([bench.start("PUT", `${path}/p`, shortened)]);
  expect(refused!.object.message).toBe(
    'Pod "p" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: 0: field is immutable',
  );
  const [second] = await bench.all([bench.start("DELETE", `${path}/p?gracePeriodSeconds=-1`)]);
  expect(second!.object.metadata!.deletionGracePeriodSeconds).toBe(1);
});

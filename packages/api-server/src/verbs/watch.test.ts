import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type {
  DoorRequest,
  KubernetesList,
  KubernetesObject,
  WatchFrame,
} from "@homeostat/object-model";
import { openMemoryStore, type Store } from "@homeostat/store";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";

const MASTER = { username: "admin", groups: ["system:masters"] };
const PATH = "/api/v1/namespaces/default/configmaps";

interface Bench {
  readonly store: Store;
  readonly clock: ManualClock;
  start(method: DoorRequest["method"], path: string, value?: unknown): Promise<KubernetesObject>;
  list(query: DoorRequest["query"]): Promise<KubernetesList<KubernetesObject>>;
  watch(query: DoorRequest["query"]): Promise<AsyncIterable<WatchFrame>>;
}

async function openBench(): Promise<Bench> {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock, compaction: { maxAge: 0 } });
  const server = await clock.runUntil(createApiServer({ store, clock, random: seededRandom(5) }));
  const start: Bench["start"] = async (method, path, value) => {
    const body: Pick<DoorRequest, "body"> =
      value === undefined ? {} : { body: { kind: "value", value } };
    const answer = await server.door.send({ method, path, ...body, user: MASTER, want: "object" });
    if (answer.kind !== "object") throw new Error(`expected an object, got ${answer.kind}`);
    return answer.object;
  };
  return {
    store,
    clock,
    start,
    async list(query = {}) {
      const answer = await clock.runUntil(
        server.door.send({ method: "GET", path: PATH, query, user: MASTER, want: "object" }),
      );
      if (answer.kind !== "object") throw new Error(`expected an object, got ${answer.kind}`);
      return answer.object as unknown as KubernetesList<KubernetesObject>;
    },
    async watch(query = {}) {
      const answer = await server.door.send({
        method: "GET",
        path: PATH,
        query: { watch: "true", ...query },
        user: MASTER,
        want: "object",
      });
      if (answer.kind !== "watch") throw new Error(`expected a watch, got ${answer.kind}`);
      return answer.frames;
    },
  };
}

/** What a client knows that applies what it is told, and complains where that makes no sense. */
class Follower {
  readonly known = new Map<string, string>();
  readonly problems: string[] = [];
  last = 0;

  seed(items: readonly KubernetesObject[]): void {
    for (const { metadata } of items) this.known.set(metadata!.name!, metadata!.resourceVersion!);
  }

  hear({ type, object }: WatchFrame): void {
    const { name = "", resourceVersion = "" } = object.metadata ?? {};
    const told = `${type} ${name}@${resourceVersion}`;
    if (type === "BOOKMARK") return;
    const isKnown = this.known.has(name);
    if ((type === "ADDED") === isKnown)
      this.problems.push(`${told} although ${isKnown ? "known" : "unknown"}`);
    if (Number(resourceVersion) <= Number(this.known.get(name) ?? 0))
      this.problems.push(`${told} is not newer`);
    if (type === "DELETED") this.known.delete(name);
    else if (type === "ADDED" || type === "MODIFIED") this.known.set(name, resourceVersion);
    else this.problems.push(told);
  }
}

type Step =
  | { readonly do: "write"; readonly name: string; readonly app: string | undefined }
  | { readonly do: "wait" }
  | {
      readonly do: "follow";
      readonly how: "list" | "initial" | "plain";
      readonly selector: string;
    };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      name: fc.constantFrom("a", "b", "c"),
      app: fc.option(fc.constantFrom("x", "y"), { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: "wait" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("follow" as const),
      how: fc.constantFrom("list" as const, "initial" as const, "plain" as const),
      selector: fc.constantFrom("", "app=x", "app!=x", "!app"),
    }),
  },
);

async function write(bench: Bench, name: string, app: string | undefined): Promise<void> {
  if (app === undefined) {
    await bench.start("DELETE", `${PATH}/${name}`);
    return;
  }
  const value = { metadata: { name, labels: { app } }, data: { at: String(bench.store.revision) } };
  const put = await bench.start("PUT", `${PATH}/${name}`, value);
  if ((put as { code?: number }).code === 404) await bench.start("POST", PATH, value);
}

async function follow(
  bench: Bench,
  { how, selector }: Extract<Step, { do: "follow" }>,
  follower: Follower,
): Promise<void> {
  const labelSelector = selector === "" ? {} : { labelSelector: selector };
  const initial = {
    sendInitialEvents: "true",
    resourceVersionMatch: "NotOlderThan",
    allowWatchBookmarks: "true",
  };
  let query: DoorRequest["query"] = how === "initial" ? initial : {};
  if (how === "list") {
    const { items, metadata } = await bench.list(labelSelector);
    follower.seed(items);
    query = { resourceVersion: metadata!.resourceVersion! };
  }
  const opened = bench.watch({ ...query, ...labelSelector });
  void opened.then(async (frames) => {
    for await (const frame of frames) follower.hear(frame);
  });
}

test("whoever follows a list or an initial state knows in the end what there is, and hears nothing twice", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const bench = await openBench();
      const followers: [string, Follower][] = [];
      const writes: Promise<void>[] = [];
      for (const each of steps) {
        if (each.do === "write") writes.push(write(bench, each.name, each.app));
        else if (each.do === "wait") await bench.clock.settle();
        else {
          const follower = new Follower();
          followers.push([each.selector, follower]);
          await follow(bench, each, follower);
        }
      }
      await bench.clock.runUntil(Promise.all(writes));
      await bench.clock.settle();
      for (const [selector, { known, problems }] of followers) {
        const { items } = await bench.list(selector === "" ? {} : { labelSelector: selector });
        const expected = items.map(({ metadata }): [string, string] => [
          metadata!.name!,
          metadata!.resourceVersion!,
        ]);
        expect(problems).toEqual([]);
        expect(known).toEqual(new Map(expected));
      }
      // The store, and one timer for each follower at least: nobody was cut.
      expect(bench.store.statistics().watchers).toBe(followers.length);
    }),
    { numRuns: 60 },
  );
});

test("the end of the initial state is told once, after all of it", async () => {
  const bench = await openBench();
  await bench.clock.runUntil(Promise.all(["a", "b"].map((name) => write(bench, name, "x"))));
  const query = {
    sendInitialEvents: "true",
    resourceVersionMatch: "NotOlderThan",
    allowWatchBookmarks: "true",
    timeoutSeconds: "1",
  };
  const frames = await bench.clock.runUntil(bench.watch(query));
  const told: string[] = [];
  const reading = (async () => {
    for await (const { type, object } of frames)
      told.push(
        `${type} ${object.metadata?.name ?? JSON.stringify(object.metadata?.annotations ?? {})}`,
      );
  })();
  await bench.clock.runUntil(write(bench, "c", "x"));
  await bench.clock.runUntil(reading);
  expect(told).toEqual([
    "ADDED a",
    "ADDED b",
    'BOOKMARK {"k8s.io/initial-events-end":"true"}',
    "ADDED c",
  ]);
});

test("both versions of a kind hear the same changes in their own form", async () => {
  const bench = await openBench();
  const path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
  const value = {
    metadata: { name: "h" },
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
    },
  };
  await bench.clock.runUntil(bench.start("POST", path, value));
  const { metadata } = await bench.clock.runUntil(bench.start("GET", `${path}/h`));
  const old = await bench.clock.runUntil(bench.start("GET", `${path.replace("v2", "v1")}/h`));
  expect(old).toMatchObject({
    apiVersion: "autoscaling/v1",
    metadata: { uid: metadata!.uid, resourceVersion: metadata!.resourceVersion },
  });
});

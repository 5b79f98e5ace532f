import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type {
  DoorAnswer,
  DoorRequest,
  KubernetesObject,
  WatchFrame,
} from "@homeostat/object-model";
import { openMemoryStore, type Store } from "@homeostat/store";
import { expect, test } from "vitest";
import { type ApiServer, createApiServer } from "./api-server.ts";

const MASTER = { username: "admin", groups: ["system:masters"] };
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const ROLES = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";

interface Bench {
  readonly store: Store;
  readonly clock: ManualClock;
  readonly server: ApiServer;
  send(request: Partial<DoorRequest> & { readonly path: string }): Promise<DoorAnswer>;
  /** `target` may end in a query. */
  ask(method: DoorRequest["method"], target: string, value?: unknown): Promise<Asked>;
}

interface Asked {
  readonly status: number;
  // Answers are looked into freely.
  readonly object: KubernetesObject & {
    readonly message?: string;
    readonly items?: readonly KubernetesObject[];
  };
}

async function openBench(): Promise<Bench> {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock, compaction: { maxAge: 0 } });
  const server = await clock.runUntil(createApiServer({ store, clock, random: seededRandom(7) }));
  const send: Bench["send"] = (request) =>
    clock.runUntil(server.door.send({ method: "GET", user: MASTER, want: "object", ...request }));
  return {
    store,
    clock,
    server,
    send,
    async ask(method, target, value) {
      const [path = "", search = ""] = target.split("?");
      const query = Object.fromEntries(new URLSearchParams(search));
      const body: Pick<DoorRequest, "body"> =
        value === undefined ? {} : { body: { kind: "value", value } };
      const answer = await send({ method, path, query, ...body });
      if (answer.kind !== "object") throw new Error(`expected an object, got ${answer.kind}`);
      return { status: answer.status, object: answer.object };
    },
  };
}

const deployment = {
  metadata: { name: "d" },
  spec: {
    selector: { matchLabels: { a: "b" } },
    template: {
      metadata: { labels: { a: "b" } },
      spec: { containers: [{ name: "c", image: "i" }] },
    },
  },
};

test.for([
  "/api/v1/constructor",
  "/api/v1/__proto__",
  "/api/v1/namespaces/default/constructor/x",
  "/api/v1/namespaces/default/pods/a/constructor",
  "/api/v1/namespaces/default/services/kubernetes/__proto__",
  "/api/v1/namespaces/default/toString",
  "/apis/apps/constructor/deployments",
])("%s is not found", async (path) => {
  const bench = await openBench();
  for (const method of ["GET", "PUT", "PATCH", "DELETE"] as const) {
    const { status, object } = await bench.ask(method, path, {});
    expect(status).toBe(404);
    expect(object.message).toBe("the server could not find the requested resource");
  }
});

test.for(["constructor", "__proto__", "toString", "hasOwnProperty"])(
  "%s is no field that events can be selected by, in either group",
  async (field) => {
    const bench = await openBench();
    for (const path of ["/api/v1/events", "/apis/events.k8s.io/v1/events"]) {
      const { status, object } = await bench.ask("GET", `${path}?fieldSelector=${field}%3Dx`);
      expect(status).toBe(400);
      expect(object.message).toContain(field);
      expect(object.message).not.toContain("native code");
    }
  },
);

test("labels, annotations and data keep keys that every object seems to have", async () => {
  const bench = await openBench();
  const keys = ["__proto__", "constructor", "toString"];
  const bytes = Buffer.from(
    '{"metadata":{"name":"k","annotations":{"constructor":"1","toString":"2"},"labels":{"constructor":"a"}},"data":{"__proto__":"x","constructor":"y","toString":"z"}}',
  );
  const body = { kind: "bytes", bytes } as const;
  const created = await bench.send({
    method: "POST",
    path: CONFIG_MAPS,
    body,
    headers: { "content-type": "application/json" },
  });
  expect(created.status).toBe(201);
  const merge = { "content-type": "application/merge-patch+json" };
  const patch = { kind: "bytes", bytes: Buffer.from('{"data":{"__proto__":"patched"}}') } as const;
  const path = `${CONFIG_MAPS}/k`;
  expect((await bench.send({ method: "PATCH", path, body: patch, headers: merge })).status).toBe(
    200,
  );
  const { object } = await bench.ask("GET", path);
  const { data } = object as { data?: Record<string, string> };
  expect(Object.keys(data!).toSorted()).toEqual(keys.toSorted());
  expect(Object.getOwnPropertyDescriptor(data, "__proto__")?.value).toBe("patched");
  expect(Object.entries(object.metadata!.annotations!)).toEqual([
    ["constructor", "1"],
    ["toString", "2"],
  ]);
  for (const [labelSelector, count] of [
    ["constructor=a", 1],
    ["toString=a", 0],
    ["constructor", 1],
    ["!toString", 1],
  ] as const) {
    // Twice: without an index, then from it.
    const target = `${CONFIG_MAPS}?labelSelector=${encodeURIComponent(labelSelector)}`;
    await bench.ask("GET", target);
    const { object: list } = await bench.ask("GET", target);
    expect(list.items).toHaveLength(count);
  }
  expect(({} as Record<string, unknown>)["patched"]).toBeUndefined();
});

test("what a client got may be sent back as it is, frozen, and changes nothing", async () => {
  const bench = await openBench();
  const objects = [
    [DEPLOYMENTS, deployment],
    [
      "/api/v1/namespaces/default/services",
      { metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } },
    ],
    [
      "/api/v1/namespaces/default/pods",
      { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } },
    ],
    [
      "/apis/batch/v1/namespaces/default/jobs",
      {
        metadata: { name: "j" },
        spec: {
          template: { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } },
        },
      },
    ],
    [
      "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers",
      {
        metadata: { name: "h" },
        spec: {
          maxReplicas: 3,
          scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
        },
      },
    ],
  ] as const;
  for (const [path, object] of objects) {
    const created = await bench.ask("POST", path, object);
    expect(created).toMatchObject({ status: 201 });
    expect(Object.isFrozen(created.object.metadata)).toBe(true);
    const at = `${path}/${created.object.metadata!.name!}`;
    const { object: got } = await bench.ask("GET", at);
    const put = await bench.ask("PUT", at, got);
    expect(put).toEqual({ status: 200, object: got });
  }
});

test.for([
  ["empty lists", { env: [] }, {}],
  ["empty maps", {}, { annotations: {} }],
  ["nulls", { env: null, command: null }, { creationTimestamp: null, annotations: null }],
] as const)(
  "an update that only says nothing in other words is none: %s",
  async ([, container, metadata]) => {
    const bench = await openBench();
    await bench.ask("POST", DEPLOYMENTS, deployment);
    const { object } = await bench.ask("GET", `${DEPLOYMENTS}/d`);
    const changed = structuredClone(object) as typeof object & typeof deployment;
    Object.assign(changed.spec.template.spec.containers[0]!, container);
    Object.assign(changed.spec.template.metadata, metadata);
    const { revision } = bench.store;
    const put = await bench.ask("PUT", `${DEPLOYMENTS}/d`, changed);
    expect(put.object.metadata!.generation).toBe(1);
    expect(put.object.metadata!.resourceVersion).toBe(object.metadata!.resourceVersion);
    expect(bench.store.revision).toBe(revision);
  },
);

test("the deepest object that is accepted does not break reading the others as objects", async () => {
  const bench = await openBench();
  const path = "/apis/apps/v1/namespaces/default/controllerrevisions";
  const levels = 9_995;
  const text = `{"metadata":{"name":"deep"},"revision":1,"data":${'{"a":'.repeat(levels)}1${"}".repeat(levels)}}`;
  const body = { kind: "bytes", bytes: Buffer.from(text) } as const;
  expect((await bench.send({ method: "POST", path, body, want: "bytes" })).status).toBe(201);
  expect((await bench.ask("GET", `${path}/deep`)).status).toBe(200);
  expect((await bench.ask("GET", path)).object.items).toHaveLength(1);
  const answer = await bench.send({ path, query: { watch: "1" } });
  if (answer.kind !== "watch") throw new Error(`expected a watch, got ${answer.kind}`);
  const { value } = await bench.clock.runUntil(answer.frames[Symbol.asyncIterator]().next());
  expect((value as WatchFrame).object.metadata!.name).toBe("deep");
});

test("a dry run answers what would be and leaves everything as it was", async () => {
  const bench = await openBench();
  const service = { metadata: { name: "s" }, spec: { type: "NodePort", ports: [{ port: 80 }] } };
  await bench.ask("POST", CONFIG_MAPS, { metadata: { name: "c", finalizers: ["a/b"] } });
  await bench.ask("POST", CONFIG_MAPS, { metadata: { name: "free" } });
  const { revision } = bench.store;
  const { keys } = bench.store.statistics();
  const requests: readonly [DoorRequest["method"], string, unknown?][] = [
    ["POST", CONFIG_MAPS, { metadata: { generateName: "g-" } }],
    ["POST", "/api/v1/namespaces/default/services", service],
    ["PUT", `${CONFIG_MAPS}/c`, { metadata: { name: "c" }, data: { a: "b" } }],
    ["PUT", `${ROLES}/new`, { metadata: { name: "new" } }],
    ["DELETE", `${CONFIG_MAPS}/c`],
    ["DELETE", `${CONFIG_MAPS}/free`],
    ["DELETE", CONFIG_MAPS],
    ["DELETE", "/api/v1/namespaces/default/services/kubernetes"],
    ["POST", "/api/v1/namespaces", { metadata: { name: "n" } }],
  ];
  for (const [method, path, value] of requests) {
    const { status, object } = await bench.ask(method, `${path}?dryRun=All`, value);
    expect(status, `${method} ${path} ${object.message}`).toBeLessThan(300);
    expect(bench.store.revision, `${method} ${path}`).toBe(revision);
  }
  expect(bench.store.statistics().keys).toBe(keys);
});

test("of clients that create the same by PUT at once, one creates and the others update", async () => {
  const bench = await openBench();
  const sent = ["a", "b", "c"].map((group) => {
    const rules = [{ apiGroups: [group], resources: ["x"], verbs: ["get"] }];
    return bench.server.door.send({
      method: "PUT",
      path: `${ROLES}/r`,
      body: { kind: "value", value: { metadata: { name: "r" }, rules } },
      user: MASTER,
      want: "object",
    });
  });
  const answers = await bench.clock.runUntil(Promise.all(sent));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
});

test("of clients that change the same object at once by PATCH none is lost", async () => {
  const bench = await openBench();
  await bench.ask("POST", CONFIG_MAPS, { metadata: { name: "c" } });
  const names = Array.from({ length: 30 }, (_, index) => `k${index}`);
  const sent = names.map((name) =>
    bench.server.door.send({
      method: "PATCH",
      path: `${CONFIG_MAPS}/c`,
      headers: { "content-type": "application/merge-patch+json" },
      body: { kind: "value", value: { data: { [name]: "1" } } },
      user: MASTER,
      want: "object",
    }),
  );
  const answers = await bench.clock.runUntil(Promise.all(sent));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const { object } = await bench.ask("GET", `${CONFIG_MAPS}/c`);
  expect(Object.keys((object as { data?: object }).data!).toSorted()).toEqual(names.toSorted());
});

test("a version too large for a number is refused as any that is to come", async () => {
  const bench = await openBench();
  const version = "18446744073709551615";
  const message = `Timeout: Too large resource version: ${version}, current: ${bench.store.revision}`;
  for (const target of [
    "/api/v1/configmaps?resourceVersionMatch=Exact&",
    "/api/v1/configmaps?limit=1&",
    "/api/v1/configmaps?",
    "/api/v1/namespaces/default?",
  ]) {
    const { status, object } = await bench.ask("GET", `${target}resourceVersion=${version}`);
    expect({ status, message: object.message }).toEqual({ status: 504, message });
  }
  expect(bench.clock.pending).toBe(0);
});

async function framesOf(
  bench: Bench,
  query: DoorRequest["query"],
  signal?: AbortSignal,
): Promise<AsyncIterator<WatchFrame>> {
  const more = signal === undefined ? {} : { signal };
  const answer = await bench.send({
    path: "/api/v1/namespaces/default/configmaps",
    query: { watch: "1", ...query },
    ...more,
  });
  if (answer.kind !== "watch") throw new Error(`expected a watch, got ${answer.kind}`);
  return answer.frames[Symbol.asyncIterator]();
}

test("an aborted watch throws the signal's reason to its reader and leaves nothing behind", async () => {
  const bench = await openBench();
  const controller = new AbortController();
  const frames = await framesOf(bench, { allowWatchBookmarks: "true" }, controller.signal);
  const next = frames.next();
  await bench.clock.settle();
  controller.abort(new Error("enough"));
  await expect(next).rejects.toThrow("enough");
  expect(bench.store.statistics().watchers).toBe(0);
  expect(bench.clock.pending).toBe(0);
});

test("a watch that nobody reads goes with its signal", async () => {
  const bench = await openBench();
  const controller = new AbortController();
  await framesOf(bench, { resourceVersion: "1" }, controller.signal);
  expect(bench.store.statistics().watchers).toBe(1);
  controller.abort();
  expect(bench.store.statistics().watchers).toBe(0);
  expect(bench.clock.pending).toBe(0);
});

test("a watch that is left early leaves nothing behind", async () => {
  const bench = await openBench();
  const frames = await framesOf(bench, { resourceVersion: "1" });
  await frames.return!();
  expect(await frames.next()).toEqual({ done: true, value: undefined });
  expect(bench.store.statistics().watchers).toBe(0);
});

test("a watch whose initial states were forgotten before they were read ends", async () => {
  const bench = await openBench();
  await bench.ask("POST", CONFIG_MAPS, { metadata: { name: "c" } });
  const frames = await framesOf(bench, {});
  await bench.ask("DELETE", `${CONFIG_MAPS}/c`);
  await bench.clock.runUntil(bench.store.compact(bench.store.revision));
  await expect(bench.clock.runUntil(frames.next())).rejects.toThrow("compacted");
  expect(await frames.next()).toEqual({ done: true, value: undefined });
  expect(bench.store.statistics().watchers).toBe(0);
  expect(bench.clock.pending).toBe(0);
});

test("closing ends the watches that are open and those that are only beginning", async () => {
  const bench = await openBench();
  const open = await framesOf(bench, { resourceVersion: "1" });
  // Waits for a version that the store has not reached yet.
  const beginning = bench.server.door.send({
    method: "GET",
    path: "/api/v1/configmaps",
    query: {
      watch: "1",
      resourceVersion: "2",
      sendInitialEvents: "true",
      resourceVersionMatch: "NotOlderThan",
    },
    user: MASTER,
    want: "object",
  });
  await bench.clock.settle();
  await bench.server.close();
  await bench.clock.runUntil(bench.store.create("/elsewhere", new Uint8Array(1)));
  expect(await open.next()).toEqual({ done: true, value: undefined });
  const answer = await bench.clock.runUntil(beginning);
  if (answer.kind !== "watch") throw new Error(`expected a watch, got ${answer.kind}`);
  const begun = answer.frames[Symbol.asyncIterator]();
  expect(await bench.clock.runUntil(begun.next())).toEqual({ done: true, value: undefined });
  expect(bench.store.statistics().watchers).toBe(0);
  expect(bench.clock.pending).toBe(0);
  await expect(
    bench.server.door.send({ method: "GET", path: "/healthz", want: "object" }),
  ).rejects.toMatchObject({
    code: "request-door-closed",
  });
});

test("refusals come in the form that was asked for", async () => {
  const bench = await openBench();
  // Loads a library, which is more than a manual clock waits for.
  const yaml = await bench.server.door.send({
    method: "GET",
    path: "/api/v1/namespaces/none",
    headers: { accept: "application/yaml" },
    user: MASTER,
    want: "bytes",
  });
  expect(yaml.headers["content-type"]).toBe("application/yaml");
  expect(yaml.kind === "bytes" && Buffer.from(yaml.bytes).toString()).toContain("kind: Status\n");
  const watch = {
    path: "/api/v1/configmaps",
    query: { watch: "1" },
    headers: { accept: "application/yaml" },
  };
  expect((await bench.send({ ...watch, want: "bytes" })).status).toBe(406);
  expect(bench.store.statistics().watchers).toBe(0);
});

test("the same question gets the same answer as bytes and as an object", async () => {
  const bench = await openBench();
  await bench.ask("POST", CONFIG_MAPS, {
    metadata: { name: "c", labels: { a: "b" } },
    data: { k: "日本\u0000" },
  });
  for (const path of [
    `${CONFIG_MAPS}/c`,
    CONFIG_MAPS,
    "/api/v1/namespaces",
    "/api/v1/services",
    "/apis",
    "/api/v1",
    "/api/v1/namespaces/none",
    "/apis/apps/v1",
  ]) {
    const headers = { "audit-id": "the-same" };
    const object = await bench.send({ path, headers });
    const bytes = await bench.send({ path, headers, want: "bytes" });
    expect(bytes.status).toBe(object.status);
    expect(bytes.headers).toEqual(object.headers);
    expect(JSON.parse(Buffer.from(bytes.kind === "bytes" ? bytes.bytes : []).toString())).toEqual(
      object.kind === "object" ? object.object : undefined,
    );
  }
});

test("nobody but masters may read or write, and everybody may ask whether it lives", async () => {
  const bench = await openBench();
  const user = { username: "eve", groups: ["system:authenticated"] };
  const read = await bench.send({ path: "/api/v1/secrets", user });
  expect(read).toMatchObject({ status: 403, object: { reason: "Forbidden" } });
  expect((await bench.send({ path: "/livez", user })).status).toBe(200);
  const { status } = await bench.send({ path: "/livez/../api/v1/secrets", user });
  expect([403, 404]).toContain(status);
});

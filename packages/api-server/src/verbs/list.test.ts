import { ManualClock, seededRandom } from "@homeostat/concurrency";
import type { DoorRequest, KubernetesList, KubernetesObject } from "@homeostat/object-model";
import { openMemoryStore, type Store } from "@homeostat/store";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createApiServer } from "../api-server.ts";

const MASTER = { username: "admin", groups: ["system:masters"] };

type Listed = KubernetesList<KubernetesObject> & {
  readonly code?: number;
  readonly message?: string;
};

interface Bench {
  readonly store: Store;
  readonly clock: ManualClock;
  ask(
    method: DoorRequest["method"],
    path: string,
    more?: { value?: unknown; query?: DoorRequest["query"] },
  ): Promise<Listed>;
  list(query?: DoorRequest["query"], path?: string): Promise<Listed>;
}

async function openBench(): Promise<Bench> {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock, compaction: { maxAge: 0 } });
  const server = await clock.runUntil(createApiServer({ store, clock, random: seededRandom(3) }));
  const ask: Bench["ask"] = async (method, path, { value, query = {} } = {}) => {
    const body: Pick<DoorRequest, "body"> =
      value === undefined ? {} : { body: { kind: "value", value } };
    const request: DoorRequest = { method, path, query, ...body, user: MASTER, want: "object" };
    const answer = await clock.runUntil(server.door.send(request));
    if (answer.kind !== "object") throw new Error(`expected an object, got ${answer.kind}`);
    return answer.object as unknown as Listed;
  };
  return {
    store,
    clock,
    ask,
    list: (query = {}, path = "/api/v1/secrets") => ask("GET", path, { query }),
  };
}

interface Change {
  readonly namespace: string;
  readonly name: string;
  readonly app: string | undefined;
}

async function apply(bench: Bench, { namespace, name, app }: Change): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/secrets`;
  if (app === undefined) {
    await bench.ask("DELETE", `${path}/${name}`);
    return;
  }
  const value = { metadata: { name, labels: { app } } };
  const put = await bench.ask("PUT", `${path}/${name}`, { value });
  if (put.code === 404) await bench.ask("POST", path, { value });
}

const change = fc.record({
  namespace: fc.constantFrom("default", "kube-system"),
  name: fc.constantFrom("a", "b", "b-c", "b.c", "d", "e"),
  app: fc.option(fc.constantFrom("x", "y"), { nil: undefined }),
});
const changes = fc.array(change, { maxLength: 12 });

function idsOf({ items }: Listed): string[] {
  return items.map(
    ({ metadata }) => `${metadata!.namespace}/${metadata!.name}@${metadata!.resourceVersion}`,
  );
}

const PLACES = ["/api/v1/secrets", "/api/v1/namespaces/default/secrets"];
const SELECTORS = [
  {},
  { labelSelector: "app=x" },
  { labelSelector: "app!=x" },
  { fieldSelector: "metadata.name=b" },
];

test("pages of any size are together the whole list at the first page's version, whatever happens between", async () => {
  await fc.assert(
    fc.asyncProperty(
      changes,
      fc.array(changes, { minLength: 1, maxLength: 3 }),
      fc.record({
        limit: fc.integer({ min: 1, max: 4 }),
        path: fc.constantFrom(...PLACES),
        selector: fc.constantFrom(...SELECTORS),
      }),
      async (before, between, { limit, path, selector }) => {
        const bench = await openBench();
        for (const each of before) await apply(bench, each);
        const whole = await bench.list(selector, path);
        const seen: string[] = [];
        let token: string | undefined = "";
        for (let page = 0; token !== undefined; page++) {
          const listed: Listed = await bench.list(
            { ...selector, limit: String(limit), continue: token },
            path,
          );
          expect(listed.metadata!.resourceVersion).toBe(whole.metadata!.resourceVersion);
          expect(listed.items.length).toBeLessThanOrEqual(limit);
          seen.push(...idsOf(listed));
          const left = whole.items.length - seen.length;
          expect(listed.metadata!.remainingItemCount ?? left).toBe(left);
          token = listed.metadata!.continue;
          for (const each of between[page] ?? []) await apply(bench, each);
        }
        expect(seen).toEqual(idsOf(whole));
      },
    ),
    { numRuns: 40 },
  );
});

test("a list at an older version is what the list was then", async () => {
  await fc.assert(
    fc.asyncProperty(
      changes,
      changes,
      fc.constantFrom(...SELECTORS),
      async (before, after, selector) => {
        const bench = await openBench();
        for (const each of before) await apply(bench, each);
        const then = await bench.list(selector);
        for (const each of after) await apply(bench, each);
        const { resourceVersion = "" } = then.metadata!;
        const exact = { ...selector, resourceVersion, resourceVersionMatch: "Exact" };
        expect(await bench.list(exact)).toEqual(then);
      },
    ),
    { numRuns: 30 },
  );
});

test("an index and a look at everything list the same", async () => {
  await fc.assert(
    fc.asyncProperty(changes, changes, async (before, after) => {
      const bench = await openBench();
      await bench.list({ labelSelector: "app=x" });
      for (const each of [...before, ...after]) await apply(bench, each);
      const everything = await bench.list();
      const expected = everything.items.filter(({ metadata }) => metadata!.labels?.["app"] === "x");
      for (const labelSelector of [
        "app=x",
        "app==x",
        "app in (x,x)",
        "app in (x,z)",
        "app=x,app!=y",
      ]) {
        expect(idsOf(await bench.list({ labelSelector }))).toEqual(
          idsOf({ ...everything, items: expected }),
        );
      }
      const indexed = await bench.list({ labelSelector: "app in (x,y)" });
      expect(idsOf(indexed)).toEqual(idsOf(everything));
    }),
    { numRuns: 30 },
  );
});

test("a page whose version was compacted away is Expired, with a token that goes on from now", async () => {
  const bench = await openBench();
  for (const name of ["a", "b", "c"]) await apply(bench, { namespace: "default", name, app: "x" });
  const first = await bench.list({ limit: "1" });
  await apply(bench, { namespace: "default", name: "d", app: "x" });
  await bench.clock.runUntil(bench.store.compact(bench.store.revision));
  const expired = await bench.list({ limit: "1", continue: first.metadata!.continue! });
  expect(expired).toMatchObject({ kind: "Status", code: 410, reason: "Expired" });
  const rest = await bench.list({ continue: expired.metadata!.continue! });
  expect(rest.items.map(({ metadata }) => metadata!.name)).toEqual(
    ["b", "c", "d"].filter((name) => name !== "a"),
  );
  const old = await bench.list({ resourceVersion: "2", resourceVersionMatch: "Exact" });
  expect(old).toMatchObject({ code: 410, reason: "Expired" });
});

test("a list that takes several turns is of one version although others write meanwhile", async () => {
  const bench = await openBench();
  const { store, clock } = bench;
  await bench.ask("POST", "/api/v1/namespaces/default/secrets", {
    value: { metadata: { name: "t" } },
  });
  // Copied, because asking the server 4,500 times would say nothing more.
  const bytes = Buffer.from(store.get("/registry/secrets/default/t")!.value);
  const names = Array.from({ length: 4_500 }, (_, index) => `n${String(index).padStart(5, "0")}`);
  await clock.runUntil(
    Promise.all(names.map((name) => store.create(`/registry/secrets/default/${name}`, bytes))),
  );
  const { revision } = store;
  const listing = bench.list();
  const wrote = store.delete("/registry/secrets/default/n04499");
  const listed = await listing;
  await wrote;
  expect(listed.items).toHaveLength(4_501);
  expect(listed.metadata!.resourceVersion).toBe(String(revision));
});

test.for([
  [
    { resourceVersionMatch: "Exact" },
    "resourceVersionMatch is forbidden unless resourceVersion is provided",
  ],
  [
    { resourceVersion: "0", resourceVersionMatch: "Exact" },
    'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
  ],
  [
    { resourceVersion: "1", resourceVersionMatch: "constructor" },
    'supported values: "Exact", "NotOlderThan", ""',
  ],
  [{ sendInitialEvents: "true" }, "sendInitialEvents is forbidden for list"],
  [{ resourceVersion: "x" }, 'strconv.ParseUint: parsing "x": invalid syntax'],
  [{ resourceVersion: "99999999999999999999" }, "value out of range"],
  [{ limit: "x" }, 'strconv.ParseInt: parsing "x": invalid syntax'],
  [{ labelSelector: "a in" }, "unable to parse requirement"],
  [{ fieldSelector: "spec.x=y" }, "spec.x"],
  [{ continue: "!" }, "continue key is not valid"],
] as const)("a list with %o is refused", async ([query, why]) => {
  const bench = await openBench();
  const refused = await bench.list(query);
  expect(refused.code).toBeGreaterThanOrEqual(400);
  expect(refused.message).toContain(why);
});

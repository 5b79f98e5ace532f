import { ManualClock } from "@homeostat/concurrency";
import { type KubernetesObject, ownKey } from "@homeostat/object-model";
import { openMemoryStore, type Store } from "@homeostat/store";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { encodeFor } from "./companion-commit.ts";
import { ResourceTable } from "./resource-table.ts";
import { SelectionIndexes, type Subject } from "./selection-index.ts";
import { objectKeyIn } from "./storage-key.ts";
import { storedFields, storedLabels } from "./stored-object.ts";

const table = new ResourceTable();
const kind = table.find("", "v1", "pods")!.stored;

interface Bench {
  readonly clock: ManualClock;
  readonly store: Store;
  readonly indexes: SelectionIndexes;
}

function openBench(): Bench {
  const clock = new ManualClock();
  const store = openMemoryStore({ clock, compaction: { maxAge: 0 } });
  return { clock, store, indexes: new SelectionIndexes(kind, { clock, store }) };
}

interface Write {
  readonly name: number;
  /** Undefined removes the object. */
  readonly state: { readonly app?: string; readonly node: string } | undefined;
}

function write({ store }: Bench, { name, state }: Write): Promise<unknown> {
  const key = objectKeyIn(kind, "n", `p${name}`);
  if (state === undefined) return store.delete(key);
  const labels = state.app === undefined ? {} : { labels: { app: state.app } };
  const metadata = { name: `p${name}`, namespace: "n", uid: "1", ...labels };
  const value = encodeFor(kind, { metadata, spec: { nodeName: state.node } } as KubernetesObject);
  return store.get(key) === undefined ? store.create(key, value) : store.update(key, value);
}

/** What a look at every object finds. */
function scan({ store }: Bench, subject: Subject, values: readonly string[]): string[] {
  const at = "field" in subject ? kind.fieldNames.indexOf(subject.field) : -1;
  return store
    .list({ prefix: kind.prefix })
    .items.filter(({ value }) => {
      const has =
        "label" in subject ? ownKey(storedLabels(value), subject.label) : storedFields(value)[at];
      return has !== undefined && values.includes(has);
    })
    .map(({ key }) => key);
}

const APP: Subject = { label: "app" };
const NODE: Subject = { field: "spec.nodeName" };
const writes = fc.array(
  fc.record({
    name: fc.nat(6),
    state: fc.option(
      fc.record(
        { app: fc.constantFrom("a", "b", "", "constructor"), node: fc.constantFrom("", "n1") },
        { requiredKeys: ["node"] },
      ),
      { nil: undefined },
    ),
  }),
  { maxLength: 40 },
);

test("after any commits an index finds what a look at every object finds", async () => {
  await fc.assert(
    fc.asyncProperty(writes, fc.nat(40), async (all, beginAt) => {
      const bench = openBench();
      for (const [index, each] of all.entries()) {
        if (index >= beginAt) bench.indexes.keysOf(APP, []);
        await bench.clock.runUntil(write(bench, each));
      }
      for (const [subject, values] of [
        [APP, ["a", "b"]],
        [APP, [""]],
        [APP, ["constructor"]],
        [NODE, ["n1"]],
        [NODE, [""]],
      ] as const) {
        expect([...bench.indexes.keysOf(subject, values)!].toSorted()).toEqual(
          scan(bench, subject, values),
        );
      }
    }),
    { numRuns: 60 },
  );
});

test("commits while an index is being built are not lost and not undone by older states", async () => {
  const bench = openBench();
  const many = Array.from({ length: 4_100 }, (_, name) =>
    write(bench, { name, state: { app: "a", node: "" } }),
  );
  await bench.clock.runUntil(Promise.all(many));
  expect(bench.indexes.keysOf(APP, ["a"])).toBeUndefined();
  const changes = [
    // Behind the builder, before it and far before it; changed, removed, removed and made again.
    write(bench, { name: 0, state: { app: "b", node: "" } }),
    write(bench, { name: 1, state: undefined }),
    write(bench, { name: 4_000, state: { node: "" } }),
    write(bench, { name: 999, state: { app: "b", node: "" } }),
    write(bench, { name: 998, state: undefined }),
    write(bench, { name: 5_000, state: { app: "a", node: "" } }),
  ];
  await bench.clock.runUntil(Promise.all(changes));
  await bench.clock.settle();
  await bench.clock.runUntil(write(bench, { name: 998, state: { app: "b", node: "" } }));
  for (const value of ["a", "b"]) {
    expect([...bench.indexes.keysOf(APP, [value])!].toSorted()).toEqual(scan(bench, APP, [value]));
  }
});

test("an index whose beginning was compacted away begins again", async () => {
  const bench = openBench();
  const many = Array.from({ length: 2_100 }, (_, name) =>
    write(bench, { name, state: { app: "a", node: "" } }),
  );
  await bench.clock.runUntil(Promise.all(many));
  expect(bench.indexes.keysOf(APP, ["a"])).toBeUndefined();
  const change = write(bench, { name: 0, state: { app: "b", node: "" } });
  const compacted = change.then(() => bench.store.compact(bench.store.revision));
  await bench.clock.runUntil(compacted);
  await bench.clock.settle();
  bench.indexes.keysOf(APP, ["a"]);
  await bench.clock.settle();
  expect([...bench.indexes.keysOf(APP, ["a"])!].toSorted()).toEqual(scan(bench, APP, ["a"]));
});

test("selecting by ever other labels keeps only so many indexes, and each still answers right", async () => {
  const bench = openBench();
  await bench.clock.runUntil(write(bench, { name: 0, state: { app: "a", node: "" } }));
  for (let index = 0; index < 500; index++) {
    expect(bench.indexes.keysOf({ label: `l${index}` }, ["x"])).toEqual([]);
  }
  expect(bench.indexes.size).toBeLessThanOrEqual(32);
  expect(bench.indexes.keysOf(APP, ["a"])).toHaveLength(1);
  await bench.clock.runUntil(write(bench, { name: 1, state: { app: "a", node: "" } }));
  expect(bench.indexes.keysOf(APP, ["a"])).toHaveLength(2);
});

test("labels that every object seems to have are nobody's", async () => {
  const bench = openBench();
  await bench.clock.runUntil(write(bench, { name: 0, state: { app: "a", node: "" } }));
  for (const label of ["__proto__", "constructor", "toString"]) {
    expect(bench.indexes.keysOf({ label }, ["x"])).toEqual([]);
  }
});

test("disposed, indexes hear nothing any more", async () => {
  const bench = openBench();
  bench.indexes.keysOf(APP, ["a"]);
  bench.indexes[Symbol.dispose]();
  await bench.clock.runUntil(write(bench, { name: 0, state: { app: "a", node: "" } }));
  expect(bench.indexes.size).toBe(0);
});

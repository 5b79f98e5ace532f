import { expect, test } from "vitest";
import { Oracle } from "./oracle.ts";
import type { IssuedOperation, Observation, SeenEvent, SeenKey } from "./report.ts";
import { WatcherRecord } from "./watcher-record.ts";

// What is found is written down by hand: a store that keeps its promises, then each way not to.

const a1: SeenKey = { key: "a", revision: 1, createRevision: 1, version: 1, hash: "h1" };
const a2: SeenKey = { key: "a", revision: 2, createRevision: 1, version: 2, hash: "h2" };
const b3: SeenKey = { key: "b", revision: 3, createRevision: 3, version: 1, hash: "h3" };
const addedA: SeenEvent = {
  type: "added",
  key: "a",
  revision: 1,
  current: a1,
  previous: undefined,
};
const modifiedA: SeenEvent = { type: "modified", key: "a", revision: 2, current: a2, previous: a1 };
const addedB: SeenEvent = {
  type: "added",
  key: "b",
  revision: 3,
  current: b3,
  previous: undefined,
};

function found(part: Partial<Observation>): Observation {
  const empty = { revision: 0, compactRevision: 0, oldest: [], events: [], current: [] };
  return { ...empty, commitMode: "loop", ...part };
}

const everything = found({
  revision: 3,
  events: [addedA, modifiedA, addedB],
  current: [a2, b3],
});

/** An oracle that heard of three writes; the first two were acknowledged. */
function oracleOf(options: { watchers?: WatcherRecord[] } = {}): Oracle {
  const oracle = new Oracle(options.watchers);
  issue(oracle, "w1", { type: "create", key: "a", hash: "h1" });
  issue(oracle, "w2", { type: "update", key: "a", hash: "h2", expectedRevision: 1 });
  issue(oracle, "w3", { type: "create", key: "b", hash: "h3" });
  oracle.hear({ type: "answered", id: "w1", outcome: "created", revision: 1 });
  oracle.hear({ type: "answered", id: "w2", outcome: "updated", revision: 2 });
  return oracle;
}

function issue(oracle: Oracle, id: string, ...operations: IssuedOperation[]): void {
  oracle.hear({ type: "issued", id, operations });
}

function kinds(oracle: Oracle, observation: Observation): string[] {
  return [...new Set(oracle.check(observation).map(({ kind }) => kind))];
}

test("acknowledged writes must be there, unanswered ones may", () => {
  const withoutLast = found({ revision: 2, events: [addedA, modifiedA], current: [a2] });
  expect(oracleOf().check(everything)).toEqual([]);
  expect(oracleOf().check(withoutLast)).toEqual([]);
});

test("a lost acknowledged write is named with its revision", () => {
  const violations = oracleOf().check(found({ revision: 1, events: [addedA], current: [a1] }));
  expect(violations).toContainEqual({
    kind: "acknowledged-write-lost",
    detail: "write w2 (update a = h2) was acknowledged with revision 2, but the store is at 1",
  });
});

test("a write that nobody issued, or that failed, must not be there", () => {
  const stranger = { ...b3, hash: "unknown" };
  const event = { ...addedB, current: stranger };
  const foreign = { ...everything, events: [addedA, modifiedA, event], current: [a2, stranger] };
  expect(kinds(oracleOf(), foreign)).toEqual(["write-never-issued"]);
  const oracle = oracleOf();
  oracle.hear({ type: "failed", id: "w3", code: "store-disk-full", message: "" });
  expect(kinds(oracle, everything)).toEqual(["failed-write-is-there"]);
});

test("a write of the process before last cannot appear any more", () => {
  const oracle = oracleOf();
  const withoutLast = found({ revision: 2, events: [addedA, modifiedA], current: [a2] });
  expect(oracle.hear({ type: "opened", found: withoutLast })).toEqual([]);
  expect(kinds(oracle, everything)).toEqual(["write-never-issued"]);
});

test("wrong bytes, wrong versions and missing keys are seen", () => {
  const damaged = { ...a2, hash: "other" };
  expect(kinds(oracleOf(), { ...everything, current: [damaged, b3] })).toEqual(["wrong-state"]);
  expect(kinds(oracleOf(), { ...everything, current: [{ ...a2, version: 3 }, b3] })).toEqual([
    "wrong-state",
  ]);
  expect(kinds(oracleOf(), { ...everything, current: [b3] })).toEqual(["wrong-state"]);
});

test("history must show every change as it was", () => {
  const gap = { ...everything, events: [addedA, addedB] };
  const wrongPrevious = {
    ...everything,
    events: [addedA, { ...modifiedA, previous: undefined }, addedB],
  };
  expect(kinds(oracleOf(), gap)).toEqual(["wrong-history"]);
  expect(kinds(oracleOf(), wrongPrevious)).toEqual(["wrong-history"]);
});

test("a verified history must not change later", () => {
  const oracle = oracleOf();
  expect(oracle.hear({ type: "opened", found: everything })).toEqual([]);
  expect(oracle.check(everything)).toEqual([]);
  expect(kinds(oracle, { ...everything, events: [addedA, addedB] })).toEqual(["wrong-history"]);
  expect(kinds(oracle, found({ revision: 2, events: [addedA, modifiedA], current: [a2] }))).toEqual(
    ["revision-went-back"],
  );
});

test("the state at the compact revision is compared too, and compaction is not undone", () => {
  const compacted = { ...everything, compactRevision: 2, oldest: [a2], events: [addedB] };
  const oracle = oracleOf();
  oracle.hear({ type: "compacted", revision: 2 });
  expect(oracle.check(compacted)).toEqual([]);
  expect(kinds(oracle, everything)).toEqual(["compaction-undone"]);
  expect(kinds(oracle, { ...compacted, oldest: [a1] })).toEqual(["wrong-state"]);
});

test("a write that its comparison forbids is impossible", () => {
  const oracle = new Oracle();
  issue(oracle, "w1", { type: "create", key: "a", hash: "h1" });
  issue(oracle, "w2", { type: "update", key: "a", hash: "h2", expectedRevision: 7 });
  oracle.hear({ type: "answered", id: "w1", outcome: "created", revision: 1 });
  oracle.hear({ type: "answered", id: "w2", outcome: "updated", revision: 2 });
  const state = found({ revision: 2, events: [addedA, modifiedA], current: [a2] });
  expect(kinds(oracle, state)).toContain("impossible-write");
});

test("a revision is given once", () => {
  const oracle = oracleOf();
  expect(oracle.hear({ type: "answered", id: "w3", outcome: "created", revision: 2 })).toEqual([
    {
      kind: "wrong-answer",
      detail: "write w3 was answered with revision 2, which was that of write w2",
    },
  ]);
});

test("an answer that comes after its write was seen must agree", () => {
  const oracle = oracleOf();
  expect(oracle.hear({ type: "observed", found: everything })).toEqual([]);
  const late = { type: "answered", id: "w3", outcome: "created", revision: 3 } as const;
  expect(oracle.hear(late)).toEqual([]);
  const other = oracleOf();
  other.hear({ type: "observed", found: everything });
  expect(other.hear({ ...late, revision: 4 })).toMatchObject([{ kind: "wrong-answer" }]);
});

test("a watcher that missed an event, heard one twice or heard too much is a violation", () => {
  const heard = (events: readonly SeenEvent[], revision: number): string[] => {
    const watcher = new WatcherRecord({ name: "w", prefix: "a", isSlow: false });
    const oracle = oracleOf({ watchers: [watcher] });
    oracle.hear({ type: "watched", watcher: "w", events, revision });
    return kinds(oracle, everything);
  };
  expect(heard([addedA, modifiedA], 2)).toEqual([]);
  expect(heard([addedA, modifiedA], 3)).toEqual([]);
  expect(heard([addedA], 2)).toEqual(["watch-gap"]);
  expect(heard([addedA, addedA, modifiedA], 2)).toEqual(["watch-gap"]);
  expect(heard([addedA, modifiedA, addedB], 3)).toEqual(["watch-gap"]);
  expect(heard([addedA, modifiedA], 4)).toEqual(["revision-went-back"]);
});

test("a watcher goes on where it was, over restarts and cuts", () => {
  const watcher = new WatcherRecord({ name: "w", prefix: "", isSlow: false });
  const oracle = oracleOf({ watchers: [watcher] });
  oracle.hear({ type: "watched", watcher: "w", events: [addedA], revision: 1 });
  oracle.hear({ type: "opened", found: everything });
  expect(watcher.resume().after).toBe(1);
  oracle.hear({ type: "watched", watcher: "w", events: [modifiedA, addedB], revision: 3 });
  expect(oracle.check(everything)).toEqual([]);
  const cut = { type: "rewatched", watcher: "w", reason: "overflow" } as const;
  expect(oracle.hear({ ...cut, revision: 3 })).toEqual([]);
  expect(oracle.hear({ ...cut, revision: 2 })).toMatchObject([{ kind: "watch-gap" }]);
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { History } from "./history.ts";
import { KeyVersion } from "./key-version.ts";
import { SlabHeap } from "./slab-heap.ts";

const heap = new SlabHeap();

function change(revision: number, replacedBytes: number): KeyVersion {
  const state = { key: "k", createRevision: 1, version: 1, expiresAt: undefined };
  const version = new KeyVersion({ ...state, revision });
  if (replacedBytes > 0) {
    version.previous = new KeyVersion({ ...state, revision: revision - 1 });
    heap.place(version.previous, new Uint8Array(replacedBytes));
  }
  return version;
}

function revisionsAfter(history: History, revision: number): number[] {
  const seen: number[] = [];
  history.visitAfter(revision, (version) => seen.push(version.revision) > 0);
  return seen;
}

test("pushing, shifting and visiting agree with an array", () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ gap: fc.nat({ max: 2 }), bytes: fc.nat({ max: 9 }) }) },
    { weight: 2, arbitrary: fc.constant("shift" as const) },
  );
  fc.assert(
    fc.property(fc.array(step), fc.array(fc.nat({ max: 250 })), (steps, starts) => {
      const history = new History();
      const model: { revision: number; bytes: number }[] = [];
      let revision = 1;
      for (const each of steps) {
        if (each !== "shift") {
          revision += each.gap;
          history.push(change(revision, each.bytes));
          model.push({ revision, bytes: each.bytes });
        } else if (model.length > 0) {
          history.shift();
          model.shift();
        }
        expect(history.first()?.revision).toBe(model[0]?.revision);
      }
      expect(history.length).toBe(model.length);
      expect(history.bytes).toBe(model.reduce((sum, { bytes }) => sum + bytes, 0));
      for (const start of starts) {
        expect(revisionsAfter(history, start)).toEqual(
          model.map((each) => each.revision).filter((each) => each > start),
        );
      }
    }),
  );
});

test("a long history that loses its beginning keeps its end", () => {
  const history = new History();
  for (let revision = 1; revision <= 10_000; revision += 1) history.push(change(revision, 1));
  for (let shifted = 1; shifted <= 9_999; shifted += 1) {
    history.shift();
    if (shifted % 777 !== 0) continue;
    expect([history.length, history.bytes, history.first()?.revision]).toEqual([
      10_000 - shifted,
      10_000 - shifted,
      shifted + 1,
    ]);
    expect(revisionsAfter(history, 9_997)).toEqual([9_998, 9_999, 10_000]);
  }
  history.shift();
  expect([history.length, history.bytes, history.first()]).toEqual([0, 0, undefined]);
});

test("a visit stops when the visitor says so", () => {
  const history = new History();
  for (let revision = 1; revision <= 5; revision += 1) history.push(change(revision, 0));
  const seen: number[] = [];
  history.visitAfter(1, (version) => seen.push(version.revision) < 2);
  expect(seen).toEqual([2, 3]);
});

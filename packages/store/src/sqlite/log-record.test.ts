import * as fc from "fast-check";
import { expect, test } from "vitest";
import { KeyVersion } from "../key-version.ts";
import { SlabHeap } from "../slab-heap.ts";
import { type LogRecord, RowWriter, readRecords, recordBound } from "./log-record.ts";

interface Change {
  readonly key: string;
  readonly revision: number;
  readonly createRevision: number;
  readonly version: number;
  readonly expiresAt: number | undefined;
  readonly value: Uint8Array;
}

const revision = fc.maxSafeNat();
const changes: fc.Arbitrary<Change> = fc.record({
  key: fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
    fc.constantFrom("__proto__", "a\u0000b", "x".repeat(65_535), "日".repeat(21_845)),
  ),
  revision,
  createRevision: revision,
  version: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  expiresAt: fc.option(fc.double({ min: 0, max: 1e15, noNaN: true }), { nil: undefined }),
  value: fc.uint8Array({ maxLength: 200 }),
});

function versionOf(change: Change, heap: SlabHeap): KeyVersion {
  const version = new KeyVersion(change);
  heap.place(version, change.version === 0 ? new Uint8Array() : change.value);
  return version;
}

function written(list: readonly Change[]): Uint8Array {
  const heap = new SlabHeap();
  const versions = list.map((change) => versionOf(change, heap));
  const bound = versions.reduce((sum, version) => sum + recordBound(version), 0);
  const writer = new RowWriter(new ArrayBuffer(bound));
  for (const version of versions) writer.write(version);
  expect(writer.length).toBeLessThanOrEqual(bound);
  return writer.records();
}

function contentOf(record: LogRecord, row: Uint8Array): Change {
  const { key, createRevision, version, expiresAt } = record;
  const value = Uint8Array.from(row.subarray(record.valueStart, record.end));
  return { key, revision: record.revision, createRevision, version, expiresAt, value };
}

test("records are read back as they were written", () => {
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 10 }), (list) => {
      const row = written(list);
      const read = [...readRecords(row)].map((record) => contentOf(record, row));
      expect(read).toEqual(
        list.map((change) =>
          change.version === 0 ? { ...change, value: new Uint8Array() } : change,
        ),
      );
    }),
  );
});

test("a row tells its lowest and highest revision", () => {
  fc.assert(
    fc.property(fc.array(changes, { minLength: 1, maxLength: 10 }), (list) => {
      const heap = new SlabHeap();
      const writer = new RowWriter(new ArrayBuffer(2 ** 21));
      for (const change of list) writer.write(versionOf(change, heap));
      const revisions = list.map((change) => change.revision);
      expect(writer.revisions).toEqual({
        firstRevision: Math.min(...revisions),
        lastRevision: Math.max(...revisions),
      });
    }),
    { numRuns: 30 },
  );
});

test("copied records are the ones copied, and rows may lie anywhere in their memory", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(changes, fc.boolean()), { maxLength: 10 }), (list) => {
      const row = written(list.map(([change]) => change));
      const shifted = new Uint8Array(row.length + 7).subarray(7);
      shifted.set(row);
      const records = [...readRecords(shifted)];
      const writer = new RowWriter(new ArrayBuffer(row.length));
      for (const [index, record] of records.entries()) {
        if (list[index]![1]) writer.copy(shifted, record);
      }
      const copy = writer.records();
      expect([...readRecords(copy)].map((record) => contentOf(record, copy))).toEqual(
        records.filter((_, index) => list[index]![1]).map((record) => contentOf(record, shifted)),
      );
    }),
  );
});

test("a row that ends within a record is refused", () => {
  const row = written([
    { key: "a", revision: 1, createRevision: 1, version: 1, expiresAt: 5, value: Buffer.from("1") },
  ]);
  for (let length = 1; length < row.length; length += 1) {
    expect(() => [...readRecords(row.subarray(0, length))]).toThrow(RangeError);
  }
  expect([...readRecords(row.subarray(0, 0))]).toEqual([]);
});

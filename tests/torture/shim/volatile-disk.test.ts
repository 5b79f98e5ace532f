import { seededRandom } from "@homeostat/concurrency";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { TraceRecord } from "./trace.ts";
import { VolatileDisk } from "./volatile-disk.ts";

function create(inode: number, path: string): TraceRecord {
  return { kind: "create", inode, path };
}

function write(inode: number, offset: number, text: string): TraceRecord {
  return { kind: "write", inode, offset, data: Buffer.from(text) };
}

/** A sync of a file (by inode) or of a directory (by path), begun and ended. */
function sync(what: number | string, id = 1): TraceRecord[] {
  const isDirectory = typeof what === "string";
  const target = isDirectory ? { inode: 0, path: what } : { inode: what, path: "" };
  const common = { id, ...target, isDirectory, isDataOnly: false };
  return [
    { kind: "sync-begin", ...common },
    { kind: "sync-end", ...common },
  ];
}

function diskAfter(...records: TraceRecord[]): VolatileDisk {
  const disk = new VolatileDisk();
  for (const record of records) disk.apply(record);
  return disk;
}

/** Every state that many power losses leave of a file, as text; "absent" when its name is lost. */
function survivors(disk: VolatileDisk, path: string): Set<string> {
  const found = new Set<string>();
  for (let seed = 0; seed < 400; seed += 1) {
    found.add(disk.afterPowerLoss(seededRandom(seed)).get(path)?.toString() ?? "absent");
  }
  return found;
}

test("what was synced, name and data, survives every power loss", () => {
  const disk = diskAfter(create(1, "a"), write(1, 0, "safe"), ...sync(1), ...sync(""));
  expect(survivors(disk, "a")).toEqual(new Set(["safe"]));
});

test("an unsynced write is there or not", () => {
  const disk = diskAfter(create(1, "a"), ...sync(1), ...sync(""), write(1, 0, "new"));
  expect(survivors(disk, "a")).toEqual(new Set(["", "new", "\0\0\0"]));
});

test("a file whose directory was not synced may be gone, synced or not", () => {
  const disk = diskAfter(create(1, "a"), write(1, 0, "safe"), ...sync(1));
  expect(survivors(disk, "a")).toEqual(new Set(["safe", "absent"]));
});

test("a removal that was not synced may be undone", () => {
  const disk = diskAfter(create(1, "a"), write(1, 0, "old"), ...sync(1), ...sync(""), {
    kind: "unlink",
    path: "a",
  });
  expect(survivors(disk, "a")).toEqual(new Set(["old", "absent"]));
});

test("a file in a directory that was not synced into its parent may be gone", () => {
  const made: TraceRecord = { kind: "mkdir", path: "data" };
  const records = [made, create(1, "data/a"), write(1, 0, "x"), ...sync(1), ...sync("data")];
  expect(survivors(diskAfter(...records), "data/a")).toEqual(new Set(["x", "absent"]));
  expect(survivors(diskAfter(...records, ...sync("")), "data/a")).toEqual(new Set(["x"]));
});

test("a sync covers what was written before it began, not what came meanwhile", () => {
  const [begin, end] = sync(1, 7);
  const disk = diskAfter(
    create(1, "a"),
    ...sync(""),
    write(1, 0, "before"),
    begin!,
    write(1, 0, "during"),
    end!,
  );
  expect(survivors(disk, "a")).toEqual(new Set(["before", "during"]));
});

test("a sync that a killed process began counts for nothing", () => {
  const [begin] = sync(1, 7);
  const disk = diskAfter(create(1, "a"), ...sync(""), write(1, 0, "x"), begin!);
  disk.processEnded();
  expect(survivors(disk, "a")).toEqual(new Set(["", "x", "\0"]));
});

test("later writes survive without earlier ones, and a large write is torn", () => {
  const page = "p".repeat(4096);
  const disk = diskAfter(
    create(1, "a"),
    ...sync(""),
    write(1, 0, page),
    write(1, 4096, page),
    write(1, 8192, "end"),
  );
  const found = [...survivors(disk, "a")];
  const empty = "\0".repeat(4096);
  expect(found).toContain(empty + page);
  expect(found).toContain(`${empty}${empty}end`);
  expect(found.some((text) => text.startsWith("p".repeat(512) + "\0".repeat(512)))).toBe(true);
});

test("an unsynced truncation is there or not", () => {
  const disk = diskAfter(create(1, "a"), write(1, 0, "long"), ...sync(1), ...sync(""), {
    kind: "truncate",
    inode: 1,
    size: 1,
  });
  expect(survivors(disk, "a")).toEqual(new Set(["long", "l"]));
});

test("a renamed file has one of its names", () => {
  const disk = diskAfter(create(1, "a"), write(1, 0, "x"), ...sync(1), ...sync(""), {
    kind: "rename",
    from: "a",
    to: "b",
  });
  expect(survivors(disk, "a")).toEqual(new Set(["x", "absent"]));
  expect(disk.current()).toEqual(new Map([["b", Buffer.from("x")]]));
});

const changes = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant("write" as const),
      inode: fc.constant(1),
      offset: fc.nat(3_000),
      data: fc.uint8Array({ minLength: 1, maxLength: 3_000 }),
    }),
    fc.record({
      kind: fc.constant("truncate" as const),
      inode: fc.constant(1),
      size: fc.nat(5_000),
    }),
  ),
  { maxLength: 12 },
);

test("synced changes add up to what a file would hold", () => {
  fc.assert(
    fc.property(changes, changes, (synced, unsynced) => {
      const disk = diskAfter(create(1, "a"), ...synced, ...sync(1), ...sync(""));
      expect(disk.current().get("a")).toEqual(fileAfter(synced));
      expect(disk.afterPowerLoss(seededRandom(1)).get("a")).toEqual(fileAfter(synced));
      for (const change of unsynced) disk.apply(change);
      expect(disk.current().get("a")).toEqual(fileAfter([...synced, ...unsynced]));
    }),
  );
});

function fileAfter(records: readonly TraceRecord[]): Buffer {
  let bytes = Buffer.alloc(0);
  for (const record of records) {
    if (record.kind === "truncate") {
      const next = Buffer.alloc(record.size);
      bytes.copy(next);
      bytes = next;
    } else if (record.kind === "write") {
      const next = Buffer.alloc(Math.max(bytes.length, record.offset + record.data.length));
      bytes.copy(next);
      next.set(record.data, record.offset);
      bytes = next;
    }
  }
  return bytes;
}

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nowhere, type Resident, released, SlabHeap } from "./slab-heap.ts";

const slabSize = 1_024;

interface Placed extends Resident {
  readonly content: Buffer;
}

function place(heap: SlabHeap, content: Buffer): Placed {
  const resident: Placed = { slab: nowhere, offset: 0, length: 0, content };
  heap.place(resident, content);
  return resident;
}

function read({ slab, offset, length }: Resident): Buffer {
  return slab.bytes.subarray(offset, offset + length);
}

type Step =
  | { readonly type: "place"; readonly length: number }
  | { readonly type: "release"; readonly which: number }
  | { readonly type: "compact"; readonly budget: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("place" as const),
      length: fc.oneof(fc.nat({ max: 120 }), fc.nat({ max: 2 * slabSize }), fc.constant(slabSize)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("release" as const), which: fc.nat({ max: 999 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("compact" as const),
      budget: fc.constantFrom(0, 100, 5_000, Number.POSITIVE_INFINITY),
    }),
  },
);

test("contents are right after any placing, releasing and compacting, and kept views never lie", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const heap = new SlabHeap({ slabSize });
      const live: Placed[] = [];
      const views: { readonly view: Buffer; readonly content: Buffer }[] = [];
      for (const [number, each] of steps.entries()) {
        if (each.type === "place") {
          live.push(place(heap, Buffer.alloc(each.length, `<${number}>`)));
        } else if (each.type === "compact") {
          heap.compact(each.budget);
        } else if (live.length > 0) {
          const [gone] = live.splice(each.which % live.length, 1);
          views.push({ view: read(gone!), content: gone!.content });
          heap.release(gone!);
        }
        const newest = live.at(-1);
        if (newest !== undefined) views.push({ view: read(newest), content: newest.content });
      }
      for (const resident of live) expect(read(resident).equals(resident.content)).toBe(true);
      const readable = views.filter(({ view }) => view.length > 0);
      for (const { view, content } of readable) expect(view.equals(content)).toBe(true);
      const bytes = live.reduce((sum, { content }) => sum + content.length, 0);
      expect(heap.liveBytes).toBe(bytes);
      expect(heap.allocatedBytes).toBeGreaterThanOrEqual(bytes);
    }),
  );
});

test("a view into a slab that was used again has length 0", () => {
  const heap = new SlabHeap({ slabSize });
  const residents = Array.from({ length: 30 }, (_, index) => place(heap, Buffer.alloc(100, index)));
  const views = residents.map(read);
  for (const resident of residents.slice(0, 20)) heap.release(resident);
  expect(views.slice(0, 20).map(({ length }) => length)).toEqual(
    residents.slice(0, 20).map(() => 0),
  );
  expect(views.slice(20).map(({ length }) => length)).toEqual(residents.slice(20).map(() => 100));
});

test("compaction moves what is left of sparse slabs, and the views there end", () => {
  const heap = new SlabHeap({ slabSize });
  const residents = Array.from({ length: 60 }, (_, index) => place(heap, Buffer.alloc(100, index)));
  const kept = residents.filter((_, index) => index % 5 === 0);
  for (const resident of residents) if (!kept.includes(resident)) heap.release(resident);
  const before = heap.allocatedBytes;
  const views = kept.map(read);
  expect(heap.compact(Number.POSITIVE_INFINITY)).toBeGreaterThan(0);
  expect(heap.compact(Number.POSITIVE_INFINITY)).toBe(0);
  expect(kept.map((resident) => read(resident).equals(resident.content))).toEqual(
    kept.map(() => true),
  );
  expect(views[0]?.length).toBe(0);
  expect(heap.allocatedBytes).toBeLessThanOrEqual(before);
  expect(heap.liveBytes).toBe(1_200);
});

test("memory stays bounded under steady updates with compaction", () => {
  const heap = new SlabHeap({ slabSize });
  const live = new Map<number, Placed>();
  let largest = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const key = (round * 7_919) % 100;
    const length = 20 + ((round * 31) % 160);
    const old = live.get(key);
    live.set(key, place(heap, Buffer.alloc(length, round & 0xff)));
    if (old !== undefined) heap.release(old);
    heap.compact(length * 4);
    largest = Math.max(largest, heap.allocatedBytes);
  }
  expect(heap.liveBytes).toBeLessThan(20_000);
  expect(largest).toBeLessThan(heap.liveBytes * 1.5 + 8 * slabSize);
});

test("memory is given back when everything is released", () => {
  const heap = new SlabHeap({ slabSize });
  const residents = Array.from({ length: 1_000 }, () => place(heap, Buffer.alloc(200, 1)));
  for (const resident of residents) heap.release(resident);
  for (const resident of residents) heap.release(resident);
  expect(heap.liveBytes).toBe(0);
  expect(heap.allocatedBytes).toBeLessThanOrEqual(5 * slabSize);
});

test("a slab that empties while it is open is used again, without compaction", () => {
  const heap = new SlabHeap({ slabSize });
  for (let round = 0; round < 200; round += 1) {
    const resident = place(heap, Buffer.alloc(200, round));
    expect(read(resident).equals(resident.content)).toBe(true);
    heap.release(resident);
  }
  expect(heap.allocatedBytes).toBeLessThanOrEqual(2 * slabSize);
});

test("a value of more than a quarter slab has memory of its own, gone when released", () => {
  const heap = new SlabHeap({ slabSize });
  const small = place(heap, Buffer.from("small"));
  const large = place(heap, Buffer.alloc(10 * slabSize, "large "));
  expect(large.slab).not.toBe(small.slab);
  expect(heap.allocatedBytes).toBe(11 * slabSize);
  const view = read(large);
  heap.release(large);
  expect([view.length, heap.allocatedBytes]).toEqual([0, slabSize]);
});

test("empty values take no memory", () => {
  const heap = new SlabHeap({ slabSize });
  const empty = place(heap, Buffer.alloc(0));
  expect([read(empty).length, heap.allocatedBytes, empty.slab]).toEqual([0, 0, nowhere]);
  heap.release(empty);
  expect([heap.liveBytes, empty.slab]).toEqual([0, released]);
});

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dataDirectory } from "../conformance/data-directory.ts";
import { readWatermark, Watermark } from "./watermark.ts";

test("the last written revision is read back, over openings", () => {
  const file = join(dataDirectory(), "acknowledged");
  expect(readWatermark(file)).toBe(0);
  const revisions = [0, 1, 9, 10, 123_456, Number.MAX_SAFE_INTEGER, 3];
  for (const revision of revisions) {
    const watermark = new Watermark(file);
    expect(readWatermark(file)).toBe(revisions[revisions.indexOf(revision) - 1] ?? 0);
    watermark.write(revision);
    watermark.close();
    expect(readWatermark(file)).toBe(revision);
  }
});

test("a damaged watermark never tells a wrong revision", () => {
  const file = join(dataDirectory(), "acknowledged");
  const watermark = new Watermark(file);
  watermark.write(1_234);
  watermark.close();
  const written = readFileSync(file);
  fc.assert(
    fc.property(
      fc.nat({ max: written.length - 1 }),
      fc.integer({ min: 1, max: 255 }),
      fc.nat({ max: written.length }),
      (at, flip, length) => {
        const damaged = Buffer.from(written);
        damaged[at]! ^= flip;
        writeFileSync(file, damaged.subarray(0, length));
        expect([0, 1_234]).toContain(readWatermark(file));
      },
    ),
  );
});

test("a watermark that cannot be written does not fail the commit it follows", () => {
  const file = join(dataDirectory(), "acknowledged");
  const watermark = new Watermark(file);
  watermark.write(1);
  watermark.close();
  expect(() => watermark.write(2)).not.toThrow();
  expect(readWatermark(file)).toBe(1);
});

import { schemaOf } from "@homeostat/object-model";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { wirePlanOf } from "./wire-plan.ts";
import { WireReader } from "./wire-reader.ts";
import { WireWriter } from "./wire-writer.ts";

/** The bytes that are written, in a writer with hardly any room. */
function written(write: (writer: WireWriter) => void): Buffer {
  const writer = new WireWriter(1);
  write(writer);
  return writer.take();
}

test.for([
  [0, "00"],
  [127, "7f"],
  [128, "8001"],
  [16_383, "ff7f"],
  [16_384, "808001"],
  [2 ** 32, "8080808010"],
  [2 ** 53 - 1, "ffffffffffffff0f"],
  [-1, "ffffffffffffffffff01"],
  [2n ** 63n - 1n, "ffffffffffffffff7f"],
  [-(2n ** 63n), "80808080808080808001"],
] as const)("%s is written as protobuf writes it", ([value, hex]) => {
  expect(written((writer) => writer.integer(value)).toString("hex")).toBe(hex);
});

test("integers are read as they were written, as numbers where numbers are exact", () => {
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (value) => {
      const read = new WireReader(written((writer) => writer.integer(value))).int64();
      expect(BigInt(read)).toBe(value);
      expect(typeof read).toBe(value >= -(2n ** 53n) && value < 2n ** 53n ? "number" : "bigint");
    }),
  );
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      expect(new WireReader(written((writer) => writer.integer(value))).int64()).toBe(value);
    }),
  );
});

test("what is written last stands first, whatever it is", () => {
  const bytes = written((writer) => {
    writer.base64("AP8=");
    writer.text("é".repeat(50));
    writer.text("a");
    writer.double(1.5);
    writer.byte(1);
    writer.bytes(Uint8Array.of(8, 0));
  });
  const reader = new WireReader(bytes);
  reader.tag(wirePlanOf(schemaOf("meta.v1.Time")));
  expect([reader.number, reader.wireType]).toEqual([1, 0]);
  expect(reader.int32()).toBe(0);
  expect(reader.bool()).toBe(true);
  expect(reader.double()).toBe(1.5);
  expect(reader.text()).toBe("a");
  expect(reader.text()).toBe("é".repeat(50));
  expect(reader.slice()).toEqual(Buffer.of(0, 255));
  expect(reader.at).toBe(reader.end);
});

test("a writer that is used again begins with nothing", () => {
  const writer = new WireWriter(8);
  writer.bytes(new Uint8Array(1_000_000));
  writer.reset();
  expect(writer.size).toBe(0);
  writer.text("a");
  expect(writer.take().toString("hex")).toBe("0161");
});

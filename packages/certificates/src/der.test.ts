import { isIP } from "node:net";
import {
  array,
  assert,
  integer,
  ipV4,
  ipV6,
  oneof,
  property,
  string,
  stringMatching,
  tuple,
  uint8Array,
} from "fast-check";

import { expect, test } from "vitest";
import {
  DerError,
  encodeElement,
  encodeObjectIdentifier,
  encodeSequence,
  encodeUnsigned,
  readElements,
} from "./der.ts";
import { encodeTime } from "./der-time.ts";
import { ipAddressBytes } from "./ip-address-bytes.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

test("elements of any length read back as they were written", () => {
  assert(
    property(
      array(tuple(integer({ min: 1, max: 0xff }), uint8Array({ maxLength: 400 }))),
      (elements) => {
        const bytes = encodeSequence(
          ...elements.map(([tag, content]) => encodeElement(tag, content)),
        );
        const [sequence, ...rest] = readElements(bytes);
        expect(rest).toEqual([]);
        const read = readElements(sequence!.content);
        expect(read.map(({ tag, content }) => [tag, hex(content)])).toEqual(
          elements.map(([tag, content]) => [tag, hex(content)]),
        );
      },
    ),
  );
});

test("a length takes no byte more than it needs", () => {
  expect(hex(encodeElement(4, new Uint8Array(127)).subarray(0, 2))).toBe("047f");
  expect(hex(encodeElement(4, new Uint8Array(128)).subarray(0, 3))).toBe("048180");
  expect(hex(encodeElement(4, new Uint8Array(256)).subarray(0, 4))).toBe("04820100");
});

test("numbers are positive and minimal", () => {
  expect(hex(encodeUnsigned(Uint8Array.of(0, 0, 0x7f)))).toBe("02017f");
  expect(hex(encodeUnsigned(Uint8Array.of(0x80)))).toBe("02020080");
  expect(hex(encodeUnsigned(Uint8Array.of(0, 0)))).toBe("020100");
  expect(hex(encodeUnsigned(new Uint8Array()))).toBe("020100");
});

test("object identifiers with parts above 127 are encoded in base 128", () => {
  expect(hex(encodeObjectIdentifier("1.2.840.10045.4.3.2"))).toBe("06082a8648ce3d040302");
  expect(hex(encodeObjectIdentifier("2.5.29.17"))).toBe("0603551d11");
});

test("bytes cut off anywhere are refused", () => {
  const bytes = encodeSequence(encodeElement(4, new Uint8Array(300)));
  for (const length of [1, 2, 3, 4, 100, bytes.length - 1]) {
    expect(() => readElements(bytes.subarray(0, length))).toThrow(DerError);
  }
  expect(() => readElements(Uint8Array.of(0x30, 0x80, 0, 0))).toThrow("a length of 0 bytes");
});

const calendar = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "UTC",
  dateStyle: "short",
  timeStyle: "medium",
});

test("times are written as the calendar has them, with four digits of the year from 2050 on", () => {
  const lastOf9999 = 253_402_300_799_999;
  assert(
    property(integer({ min: 0, max: lastOf9999 }), (instant) => {
      const element = encodeTime(instant);
      const expected = `${calendar.format(instant).replaceAll(/[- :]/g, "")}Z`;
      const isShort = expected < "2050";
      expect(element[0]).toBe(isShort ? 0x17 : 0x18);
      expect(Buffer.from(element.subarray(2)).toString()).toBe(
        isShort ? expected.slice(2) : expected,
      );
    }),
  );
});

test.each([
  ["10.0.0.1", "0a000001"],
  ["::1", "00000000000000000000000000000001"],
  ["::", "00000000000000000000000000000000"],
  ["fe80::1:2", "fe800000000000000000000000010002"],
  ["2001:db8::", "20010db8000000000000000000000000"],
  ["1:2:3:4:5:6:7:8", "00010002000300040005000600070008"],
  ["::ffff:1.2.3.4", "00000000000000000000ffff01020304"],
])("the address %s has the bytes %s", (text, bytes) => {
  expect(hex(ipAddressBytes(text)!)).toBe(bytes);
});

test("what is an address is what Node says is one", () => {
  const texts = oneof(ipV4(), ipV6(), stringMatching(/^[0-9a-f:.]{0,20}$/), string());
  assert(
    property(texts, (text) => {
      expect(ipAddressBytes(text)?.length).toBe({ 0: undefined, 4: 4, 6: 16 }[isIP(text)]);
    }),
    { numRuns: 1000 },
  );
});

test("what is no address has no bytes", () => {
  for (const text of [
    "localhost",
    "1.2.3",
    "1.2.3.256",
    "01.2.3.4",
    "fe80::1%eth0",
    "",
    ":",
    ":::",
  ]) {
    expect(ipAddressBytes(text)).toBeUndefined();
  }
  for (const text of [
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1::2::3",
    "1.2.3.4::",
    "12345::",
    "1:2:3:4:5:6:7::8",
  ]) {
    expect(ipAddressBytes(text)).toBeUndefined();
    expect(isIP(text)).toBe(0);
  }
});

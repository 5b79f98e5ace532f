import * as fc from "fast-check";
import { expect, test } from "vitest";
import { encodeBytes, readBase64 } from "./base64.ts";

test("bytes survive printing and reading", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = encodeBytes([...bytes]);
      expect(text).toBe(Buffer.from(bytes).toString("base64"));
      expect(readBase64(text)).toBe(text);
    }),
  );
});

test("line breaks and lost bits are not printed again", () => {
  expect(readBase64("YW\r\nJj\n")).toBe("YWJj");
  expect(readBase64("YR==")).toBe("YQ==");
  expect(readBase64("YWJ=")).toBe("YWI=");
  expect(readBase64("YQ=\n=\n")).toBe("YQ==");
});

test.for([
  ["!!!", 0],
  ["Y", 0],
  ["YQ", 0],
  ["YWJjZ", 4],
  ["YWJj=", 4],
  ["YQ=", 3],
  ["YQ=a", 2],
  ["YQ==YQ==", 4],
  ["YQ==\nx", 5],
  ["YWJj\nZ!", 6],
  ["Y\n", 1],
  ["=", 0],
  ["YW-_", 2],
] as const)("Go refuses %j at byte %i", ([text, byte]) => {
  expect(readBase64(text)).toBe(byte);
});

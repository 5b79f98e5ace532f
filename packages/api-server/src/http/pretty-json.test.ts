import { assert, integer, jsonValue, property } from "fast-check";
import { expect, test } from "vitest";
import type { ObjectPayload } from "../answers/answer.ts";
import type { WatchLine } from "../answers/watch-line.ts";
import { encoderOf, type MediaEncoder } from "./media-encoder.ts";
import { indent, isForPeople } from "./pretty-json.ts";

test.for([
  [{ "user-agent": "curl/8.14.1" }, {}],
  [{ "user-agent": "Wget/1.25.0" }, {}],
  [{ "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" }, {}],
  [{ "user-agent": "kubectl/v1.36.3" }, { pretty: "1" }],
  [{}, { pretty: ["true", "false"] }],
  [{ accept: "application/json;pretty=1" }, { pretty: "0" }],
] as const)("%o with %o is for people", ([headers, query]) => {
  expect(isForPeople({ headers, query })).toBe(true);
});

test.for([
  [undefined, undefined],
  [{ "user-agent": "kubectl/v1.36.3" }, {}],
  [{ "user-agent": "my-curl/1" }, { pretty: "" }],
  [{ "user-agent": "curl/8.14.1" }, { pretty: "false" }],
  [{ "user-agent": "curl/8.14.1" }, { pretty: "yes" }],
  [{ accept: "application/json;pretty=true" }, {}],
  [{ accept: "application/yaml;pretty=1,application/json" }, {}],
] as const)("%o with %o is for programs", ([headers, query]) => {
  expect(isForPeople({ ...(headers && { headers }), ...(query && { query }) })).toBe(false);
});

test("any document, however it is cut, is indented by two spaces a level and has no end of line", () => {
  assert(
    property(jsonValue(), integer({ min: 1, max: 40 }), (value, length) => {
      const compact = Buffer.from(`${JSON.stringify(value)}\n`);
      const pieces: Buffer[] = [];
      for (let at = 0; at < compact.length; at += length) {
        pieces.push(compact.subarray(at, at + length));
      }
      const expected = JSON.stringify(value, null, 2);
      expect(Buffer.from(indent(compact)).toString()).toBe(expected);
      expect(objectOf(pieces)).toBe(expected);
    }),
  );
});

test("what nests deeply comes in pieces, none of them large", () => {
  const compact = Buffer.from(`${"[".repeat(400)}${"1,".repeat(5_000)}1${"]".repeat(400)}`);
  const pieces = [...piecesOf([compact])];
  expect(pieces.length).toBeGreaterThan(10);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(270_000);
  const expected = JSON.stringify(JSON.parse(compact.toString()), null, 2);
  expect(Buffer.concat(pieces).toString()).toBe(expected);
});

test("watches stay a line for each event", () => {
  const line = { bytes: Buffer.from('{"type":"ADDED"}\n') } as unknown as WatchLine;
  const encoder = encoderOf("application/json", true) as MediaEncoder;
  expect(encoder.line(line)).toBe(line.bytes);
});

function objectOf(pieces: readonly Uint8Array[]): string {
  return Buffer.concat([...piecesOf(pieces)]).toString();
}

function piecesOf(pieces: readonly Uint8Array[]): Iterable<Uint8Array> {
  const payload = { kind: "object", bytes: () => pieces } as unknown as ObjectPayload;
  const encoder = encoderOf("application/json", true) as MediaEncoder;
  return encoder.object(payload) as Iterable<Uint8Array>;
}

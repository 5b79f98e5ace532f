import { array, assert, integer, property, tuple, uint8Array } from "fast-check";
import { expect, test } from "vitest";
import { ClientFrames, closeFrame, messageFrame, pongFrame } from "./websocket-frames.ts";

/** As a client sends it, masked. */
function clientFrame(opcode: number, payload: Uint8Array): Buffer {
  const bytes = messageFrame(payload, true);
  const at = bytes.length - payload.length;
  const mask = [1, 2, 3, 4];
  const masked = payload.map((byte, index) => byte ^ mask[index % 4]!);
  bytes[0] = 0x80 | opcode;
  bytes[1]! |= 0x80;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(mask), masked]);
}

test.for([0, 125, 126, 65_535, 65_536])("a message of %d bytes says its length", (length) => {
  const payload = Buffer.alloc(length, 7);
  const head = length < 126 ? [length] : length < 65_536 ? [126] : [127];
  const bytes = messageFrame(payload, true);
  expect([bytes[0], bytes[1]]).toEqual([0x81, ...head]);
  expect(bytes.subarray(bytes.length - length).equals(payload)).toBe(true);
  expect(messageFrame(payload, false)[0]).toBe(0x82);
});

test("pings are heard between skipped messages, however the bytes are cut, until the goodbye", () => {
  const said = array(
    tuple(integer({ min: 0, max: 2 }), uint8Array({ minLength: 0, maxLength: 125 })),
  );
  assert(
    property(said, array(integer({ min: 1, max: 40 })), (frames, cuts) => {
      const opcodes = [0x1, 0x9, 0xa];
      const parts = frames.map(([kind, payload]) => clientFrame(opcodes[kind]!, payload));
      const late = clientFrame(0x9, Buffer.from("late"));
      const bytes = Buffer.concat([...parts, clientFrame(0x8, Buffer.from([3, 232])), late]);
      const heard: string[] = [];
      const reader = new ClientFrames({
        onPing: (payload) => heard.push(Buffer.from(payload).toString("hex")),
        onClose: () => heard.push("close"),
      });
      let at = 0;
      for (const cut of cuts) {
        reader.read(bytes.subarray(at, at + cut));
        at += cut;
      }
      reader.read(bytes.subarray(at));
      const pings = frames.filter(([kind]) => kind === 1);
      const expected = pings.map(([, payload]) => Buffer.from(payload).toString("hex"));
      expect(heard).toEqual([...expected, "close"]);
    }),
  );
});

test("a long message is skipped without being kept, and a long ping ends it", () => {
  const heard: string[] = [];
  const reader = new ClientFrames({
    onPing: (payload) => heard.push(`ping ${payload.length}`),
    onClose: () => heard.push("close"),
  });
  reader.read(clientFrame(0x2, Buffer.alloc(70_000)));
  reader.read(clientFrame(0x9, Buffer.alloc(3)));
  reader.read(clientFrame(0x9, Buffer.alloc(126)));
  expect(heard).toEqual(["ping 3", "close"]);
});

test("answers are short frames", () => {
  expect([...pongFrame(Buffer.from("hi"))]).toEqual([0x8a, 2, 104, 105]);
  expect([...closeFrame()]).toEqual([0x88, 2, 0x03, 0xe8]);
});

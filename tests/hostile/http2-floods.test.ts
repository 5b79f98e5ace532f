/** HTTP/2 spoken by somebody who means harm: floods, resets, headers without end and frames out of place. */
import { constants } from "node:http2";
import { expect, test } from "vitest";
import { Http2Wire } from "../semantics/http2-wire.ts";
import { block, END_HEADERS, END_STREAM, frame, framesIn, PREFACE, TYPE } from "./http2-frames.ts";
import { RawConnection } from "./raw-connection.ts";
import { attackedServer, pause, sendOver, tokenHeader } from "./server-under-attack.ts";

const server = attackedServer();
const SECRET = "/api/v1/namespaces/bystander/secrets/canary";
const MALLORY = tokenHeader("mallory")["authorization"]!;
const REQUEST = [
  [":method", "GET"],
  [":scheme", "https"],
  [":path", SECRET],
  [":authority", "x"],
  ["authorization", MALLORY],
] as const;

async function open(): Promise<RawConnection> {
  const connection = await RawConnection.open(server().identity, "h2");
  connection.write(PREFACE);
  return connection;
}

/** Writes until the other end has had enough, or everything is written. */
async function flood(connection: RawConnection, piece: Buffer, times: number): Promise<void> {
  for (let at = 0; at < times && !connection.socket.destroyed; at++) {
    if (!connection.socket.write(piece)) {
      await Promise.race([
        new Promise<void>((resolve) => void connection.socket.once("drain", resolve)),
        connection.closed,
        pause(2000),
      ]);
    }
  }
  await pause(20);
}

const many = (one: Buffer, count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => one));

test.each([
  ["pings", many(frame({ type: TYPE.ping, payload: Buffer.alloc(8) }), 1000)],
  [
    "settings",
    many(frame({ type: TYPE.settings, payload: Buffer.from("000300000064", "hex") }), 1000),
  ],
  [
    "priorities",
    many(
      frame({ type: TYPE.priority, stream: 1, payload: Buffer.from("0000000010", "hex") }),
      1000,
    ),
  ],
  [
    "window updates",
    many(frame({ type: TYPE.window, payload: Buffer.from("00000001", "hex") }), 1000),
  ],
  ["frames of no known type", many(frame({ type: 0xbe, payload: Buffer.alloc(64) }), 1000)],
])("a flood of 50,000 %s is taken or cut", async (_, piece) => {
  await server().during(async () => {
    using connection = await open();
    await flood(connection, piece, 50);
  });
  expect(server().isAlive).toBe(true);
});

test("10,000 requests that are reset at once starve nobody", async () => {
  await server().during(async () => {
    using connection = await open();
    const before = server().memory();
    for (let from = 0; from < 10_000 && !connection.socket.destroyed; from += 100) {
      const pieces: Buffer[] = [];
      for (let at = from; at < from + 100; at++) {
        const stream = at * 2 + 1;

        const flags = END_STREAM | END_HEADERS;
        pieces.push(
          frame({ type: TYPE.headers, flags, stream, payload: block(REQUEST) }),
          frame({ type: TYPE.reset, stream, payload: Buffer.from("00000008", "hex") }),
        );
      }
      await flood(connection, Buffer.concat(pieces), 1);
    }
    expect(server().memory() - before).toBeLessThan(300);
  });
});

test("watches that are opened and cancelled by the thousand are cut, and leave nothing", async () => {
  await server().during(async () => {
    const before = server().memory();
    for (let round = 0; round < 4; round++) {
      await using wire = new Http2Wire(server().identity);
      await sendOver(wire, { path: "/healthz" });
      for (let at = 0; at < 500 && !wire.session.closed; at++) {
        const path = "/api/v1/configmaps?watch=true";
        const stream = wire.session.request({ ":path": path, ...tokenHeader("root") });
        stream.on("error", () => undefined);
        stream.close(constants.NGHTTP2_CANCEL);
      }
      await pause(20);
    }
    expect(server().memory() - before).toBeLessThan(200);
  });
});

test("a head that never ends is cut, however it is pieced", async () => {
  await server().during(async () => {
    using connection = await open();
    const before = server().memory();
    connection.write(frame({ type: TYPE.headers, stream: 1, payload: block(REQUEST) }));
    const more = frame({
      type: TYPE.continuation,
      stream: 1,
      payload: block([["x", "y".repeat(1000)]]),
    });
    await flood(connection, many(more, 100), 300);
    await connection.until(/(?!)/);
    expect(connection.socket.destroyed || connection.socket.closed).toBe(true);
    expect(server().memory() - before).toBeLessThan(200);
  });
});

test("a head whose pieces are empty is cut too", async () => {
  await server().during(async () => {
    using connection = await open();
    connection.write(frame({ type: TYPE.headers, stream: 1, payload: block(REQUEST) }));
    await flood(connection, many(frame({ type: TYPE.continuation, stream: 1 }), 1000), 20);
  });
  expect(server().isAlive).toBe(true);
});

test("a table of headers that unfolds to much is cut", async () => {
  await server().during(async () => {
    using connection = await open();
    // One entry of 4,000 bytes into the dynamic table, then the index of it 16,000 times: 64 MB.
    const name = block([["x-bomb", "y".repeat(3900)]]);
    name[0] = 0x40;
    const payload = Buffer.concat([block(REQUEST), name, Buffer.alloc(16_000, 0xbe)]);

    const flags = END_STREAM | END_HEADERS;
    const before = server().memory();
    for (let at = 0; at < 20; at++) {
      connection.write(
        frame({
          type: TYPE.headers,
          flags,
          stream: at * 2 + 1,
          payload: payload.subarray(0, 16_384),
        }),
      );
    }
    await connection.until(/(?!)/, 500);
    expect(server().memory() - before).toBeLessThan(200);
  });
});

/** The stream was reset, or the connection is told to end. */
function hasEnded(received: string): boolean {
  return framesIn(received).some(({ type }) => type === TYPE.reset || type === TYPE.goaway);
}

const flags = END_STREAM | END_HEADERS;
const replaced = (name: string, value: string): (readonly [string, string])[] =>
  REQUEST.map(([key, old]) => [key, key === name ? value : old] as const);

test.each([
  ["no path", REQUEST.filter(([name]) => name !== ":path")],
  ["no method", REQUEST.filter(([name]) => name !== ":method")],
  ["two paths", [[":path", "/healthz"], ...REQUEST]],
  ["two methods", [[":method", "OPTIONS"], ...REQUEST]],
  ["a pseudo header behind the others", [...REQUEST, [":path", "/healthz"]]],
  ["an unknown pseudo header", [[":root", "yes"], ...REQUEST]],
  ["a status", [[":status", "200"], ...REQUEST]],
  ["capital letters", [...REQUEST, ["X-Remote-User", "root"]]],
  ["a connection header", [...REQUEST, ["connection", "close"]]],
  ["a transfer encoding", [...REQUEST, ["transfer-encoding", "chunked"]]],
  ["a line break in a value", [...REQUEST, ["x", "a\r\nauthorization: Bearer root"]]],
  ["a line break in a name", [...REQUEST, ["x\r\ny", "z"]]],
  ["a NUL in a value", [...REQUEST, ["x", "a\u0000b"]]],
  ["an empty name", [...REQUEST, ["", "z"]]],
  ["an empty path", replaced(":path", "")],
  ["a path without a slash", replaced(":path", "api/v1/secrets")],
  ["a star as path", replaced(":path", "*")],
  ["an absolute path", replaced(":path", `https://root@x${SECRET}`)],
  ["a space in the path", replaced(":path", `/healthz HTTP/1.1\r\nx: ${SECRET}`)],
  ["CONNECT", replaced(":method", "CONNECT")],
  ["a method with a space", replaced(":method", "GET /healthz")],
  ["a scheme that is none", replaced(":scheme", "javascript")],
  ["a content length that lies", [...REQUEST, ["content-length", "5"]]],
  ["two tokens", [...REQUEST, ["authorization", tokenHeader("root")["authorization"]!]]],
])("a request with %s shows nothing", async (_, fields) => {
  await server().during(async () => {
    using connection = await open();
    const payload = block(fields as readonly (readonly [string, string])[]);
    connection.write(frame({ type: TYPE.headers, flags, stream: 1, payload }));
    // Whether the connection goes on or is closed with a reason, the server introduces itself.
    const isGreeting = (text: string): boolean =>
      framesIn(text).some(({ type }) => type === TYPE.settings);
    expect(isGreeting(await connection.until(isGreeting))).toBe(true);
    await connection.until((text) => hasEnded(text) || text.includes('"code":'), 400);
    expect(connection.received).not.toContain('"kind":"Secret"');
    expect(connection.received).not.toContain("password");
  });
});

test.each([
  ["data for a stream that never was", { type: TYPE.data, stream: 99, payload: Buffer.from("x") }],
  ["data for the connection", { type: TYPE.data, payload: Buffer.from("x") }],
  ["a head for the connection", { type: TYPE.headers, flags, payload: block(REQUEST) }],
  ["a stream of an even number", { type: TYPE.headers, flags, stream: 2, payload: block(REQUEST) }],
  ["a promise", { type: TYPE.push, stream: 1, payload: Buffer.alloc(4) }],
  ["a continuation of nothing", { type: TYPE.continuation, stream: 1, payload: block(REQUEST) }],
  ["a reset of a stream that never was", { type: TYPE.reset, stream: 9, payload: Buffer.alloc(4) }],
  ["a window of zero", { type: TYPE.window, payload: Buffer.alloc(4) }],
  ["a window that overflows", { type: TYPE.window, payload: Buffer.from("7fffffff", "hex") }],
  ["settings that are too short", { type: TYPE.settings, payload: Buffer.alloc(5) }],
  ["a frame size of zero", { type: TYPE.settings, payload: Buffer.from("000500000000", "hex") }],
  ["a ping of the wrong size", { type: TYPE.ping, payload: Buffer.alloc(7) }],
  ["a frame of 16 MiB", { type: TYPE.data, stream: 1, payload: Buffer.alloc(2 ** 24 - 1) }],
  [
    "a head with broken compression",
    { type: TYPE.headers, flags, stream: 1, payload: Buffer.from("ffffffffffffffffff", "hex") },
  ],
  [
    "padding longer than the frame",
    { type: TYPE.headers, flags: flags | 8, stream: 1, payload: Buffer.from("ff00", "hex") },
  ],
])("%s ends its own connection at most", async (_, sent) => {
  await server().during(async () => {
    using connection = await open();
    connection.write(frame(sent));
    await connection.until(hasEnded, 300);
  });
  expect(server().isAlive).toBe(true);
});

test("clients that open no window for 500 large answers keep nobody else from theirs", async () => {
  await server().during(async () => {
    const body = { metadata: { name: "large" }, data: { x: "x".repeat(900_000) } };
    await server().expect(201, {
      method: "POST",
      path: "/api/v1/namespaces/default/configmaps",
      body,
    });
    const before = server().memory();
    const connections: RawConnection[] = [];
    for (let at = 0; at < 5; at++) {
      const connection = await RawConnection.open(server().identity, "h2");
      const noWindow = frame({ type: TYPE.settings, payload: Buffer.from("000400000000", "hex") });
      connection.write(Buffer.concat([PREFACE, noWindow]));
      const large = [
        ...replaced(":path", "/api/v1/namespaces/default/configmaps").filter(
          ([name]) => name !== "authorization",
        ),
        ["authorization", tokenHeader("root")["authorization"]!] as const,
      ];
      for (let stream = 1; stream < 200; stream += 2) {
        connection.write(frame({ type: TYPE.headers, flags, stream, payload: block(large) }));
      }
      connections.push(connection);
    }
    await pause(1500);
    expect(server().memory() - before).toBeLessThan(1500);
    for (const connection of connections) connection[Symbol.dispose]();
    await server().expect(200, {
      method: "DELETE",
      path: "/api/v1/namespaces/default/configmaps/large",
    });
  });
});

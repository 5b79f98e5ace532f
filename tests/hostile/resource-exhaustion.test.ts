/** Clients that are slow, many or greedy: everything they can take has a limit, and the others are served meanwhile. */
import { connect as connectTcp, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { createApiServer, listenHttps } from "@homeostat/api-server";
import { openMemoryStore } from "@homeostat/store";
import { expect, test } from "vitest";
import { HandClock } from "../semantics/hand-clock.ts";
import { Http1Wire } from "../semantics/http1-wire.ts";
import { Http2Wire } from "../semantics/http2-wire.ts";
import { certificates } from "../semantics/https-plane.ts";
import type { Identity } from "../semantics/wire.ts";
import { RawConnection } from "./raw-connection.ts";
import {
  attackedServer,
  type HostileAnswer,
  pause,
  ServerUnderAttack,
  sendOver,
  tokenHeader,
} from "./server-under-attack.ts";

const server = attackedServer();
const MAPS = "/api/v1/namespaces/default/configmaps";
const ROOT = tokenHeader("root")["authorization"]!;

function rawMany(count: number): Promise<readonly RawConnection[]> {
  return Promise.all(
    Array.from({ length: count }, () => RawConnection.open(server().identity, "http/1.1")),
  );
}

test("200 clients that never finish their heads or bodies keep nobody waiting", async () => {
  await server().during(async () => {
    const connections = await rawMany(200);
    for (const [at, connection] of connections.entries()) {
      const head = `POST ${MAPS} HTTP/1.1\r\nHost: x\r\nAuthorization: ${ROOT}\r\n`;
      connection.write(at % 2 === 0 ? head : `${head}Content-Length: 1000000\r\n\r\n{`);
    }
    for (let round = 0; round < 10; round++) {
      for (const connection of connections) connection.write("x: y\r\n");
      await pause(20);
    }
    await server().expect(200, { path: MAPS });
    for (const connection of connections) connection[Symbol.dispose]();
  });
  expect(server().isAlive).toBe(true);
});

test("who is too slow with the first head, a body or a rest is cut", async () => {
  // Time stands still until everybody has come as far as they will.
  const clock = new HandClock();
  await using store = openMemoryStore();
  await using plane = await createApiServer({ store });
  const { authority, serving, admin } = await certificates();
  await using listener = await listenHttps({
    server: plane,
    port: 0,
    certificate: serving.certificate,
    key: serving.key,
    clientAuthority: authority.certificate,
    clock,
    limits: { firstHead: 100, body: 100, idle: 100, idleUnknown: 100, answer: 100, connections: 8 },
  });
  const identity = {
    port: listener.port,
    authority: authority.certificate,
    certificate: admin.certificate,
    key: admin.key,
  };
  const silent = connectTcp(listener.port, "127.0.0.1");
  silent.on("error", () => undefined).resume();
  const opened = [
    await RawConnection.open(identity, "http/1.1"),
    await RawConnection.open(identity, "http/1.1"),
    await RawConnection.open(identity, "http/1.1"),
    await RawConnection.open(identity, "h2"),
  ];
  const [head, body, idle] = opened;
  head!.write("GET /healthz HTTP/1.1\r\nHost: x\r\n");
  body!.write(`POST ${MAPS} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`);
  idle!.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  await idle!.until(/^HTTP/);
  expect(opened.map(({ socket }) => socket.closed)).toEqual([false, false, false, false]);
  // What somebody is late with may begin only now, when an answer is out.
  while (!silent.closed || opened.some(({ socket }) => !socket.closed)) await clock.advance("1s");
  expect(idle!.statuses()).toEqual([200]);
  expect(body!.statuses().every((status) => status >= 400)).toBe(true);
});

test("connections beyond the limit are closed, and when some go there is room again", async () => {
  await using small = await ServerUnderAttack.start(["--max-connections", "20"]);
  const sockets: Socket[] = [];
  for (let at = 0; at < 60; at++) {
    const socket = connectTcp(small.identity.port, "127.0.0.1");
    sockets.push(socket.on("error", () => undefined));
  }
  while (sockets.filter(({ closed }) => closed).length < 40) await pause(5);
  await small.expect(200, { path: MAPS });
  for (const socket of sockets) socket.destroy();
  await roomAt(small.identity);
  await small.during(() => small.expect(200, { path: MAPS }));
  expect(server().isAlive).toBe(true);
});

/** Until a connection is taken again; by then the server has heard of all that went before it. */
async function roomAt(identity: Identity): Promise<void> {
  for (;;) {
    try {
      using _taken = await RawConnection.open(identity, "http/1.1");
      return;
    } catch {
      await pause(5);
    }
  }
}

test("headers beyond a mebibyte and by the thousand are refused", async () => {
  await server().during(async () => {
    for (const [count, length, statuses] of [
      [1, 2 ** 20 + 1, [431]],
      [20_000, 100, [431]],
      [3_000, 10, [200, 400, 431]],
    ] as const) {
      using connection = await RawConnection.open(server().identity, "http/1.1");
      const line = (at: number): string => `x-${at}: ${"y".repeat(length)}\r\n`;
      const lines = Array.from({ length: count }, (_, at) => line(at)).join("");
      const request = `GET /healthz HTTP/1.1\r\nHost: x\r\n${lines}Connection: close\r\n\r\n`;
      connection.write(request);
      await connection.until(/^HTTP/);
      // Who still writes when it is closed may never see the answer.
      const status = connection.statuses()[0] ?? (connection.socket.closed ? 431 : 0);
      expect(statuses).toContain(status);
    }
  });
});

test("query strings of 900 kB are read or refused", async () => {
  await using wire = new Http1Wire(server().identity);
  await server().during(async () => {
    const values = "v,".repeat(400_000);
    for (const [query, statuses] of [
      [`labelSelector=${encodeURIComponent(`a in (${values}v)`).slice(0, 900_000)}`, [200, 400]],
      [`labelSelector=${"a%2C".repeat(200_000)}a`, [200, 400]],
      [`labelSelector=${"%28".repeat(250_000)}`, [400]],
      [`fieldSelector=${"metadata.name%3Dx%2C".repeat(40_000)}`, [200, 400]],
      ["x&".repeat(400_000), [200]],
      ["limit=1&".repeat(100_000), [200]],
      [`continue=${"A".repeat(900_000)}`, [400]],
      [`resourceVersion=${"9".repeat(900_000)}`, [400]],
      [`timeoutSeconds=${"9".repeat(900_000)}`, [400]],
      [`fieldManager=${"%41".repeat(300_000)}`, [200, 400, 422]],
    ] as const) {
      const { status } = await sendOver(wire, { path: `${MAPS}?${query}` });
      expect([query.slice(0, 30), statuses.includes(status as never)]).toEqual([
        query.slice(0, 30),
        true,
      ]);
    }
  });
});

test("compressed bodies are not unpacked", async () => {
  await server().during(async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 2 ** 20));
    for (const encoding of ["gzip", "deflate", "br", "zstd", "identity, gzip"]) {
      const { status } = await server().send({
        method: "POST",
        path: MAPS,
        body: bomb,
        headers: { "content-encoding": encoding },
      });
      expect([400, 415]).toContain(status);
    }
  });
});

test("20 bodies of 2.9 MiB at once are refused or taken, within some memory", async () => {
  await using wire = new Http1Wire(server().identity);
  await server().during(async () => {
    const before = server().memory();
    const data = { x: "x".repeat(2_900_000) };
    const post = (at: number): Promise<HostileAnswer> =>
      sendOver(wire, {
        method: "POST",
        path: MAPS,
        body: { metadata: { name: `big-${at}` }, data },
      });
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => post(at)));
    for (const { status } of all) expect([422, 429]).toContain(status);
    expect(server().memory() - before).toBeLessThan(600);
  });
});

test("950 watches on 10 connections are served beside everybody else", async () => {
  await server().during(async () => {
    const wires = Array.from({ length: 10 }, () => new Http2Wire(server().identity));
    const opened = await Promise.all(
      wires.flatMap((wire) =>
        Array.from({ length: 95 }, () =>
          wire.send({ method: "GET", path: `${MAPS}?watch=true`, headers: tokenHeader("root") }),
        ),
      ),
    );
    const statuses = new Set(opened.map(({ status }) => status));
    expect([...statuses].every((status) => status === 200 || status === 429)).toBe(true);
    const body = { metadata: { name: "seen-by-many" }, data: { x: "x".repeat(10_000) } };
    await server().expect(201, { method: "POST", path: MAPS, body });
    await server().expect(200, { method: "DELETE", path: `${MAPS}/seen-by-many` });
    for (const wire of wires) await wire[Symbol.asyncDispose]();
  });
});

test("watchers that never read are cut or buffered within bounds", async () => {
  await server().during(async () => {
    const connections = await rawMany(30);
    for (const connection of connections) {
      connection.socket.pause();
      connection.write(
        `GET ${MAPS}?watch=true HTTP/1.1\r\nHost: x\r\nAuthorization: ${ROOT}\r\n\r\n`,
      );
    }
    await server().expect(201, {
      method: "POST",
      path: MAPS,
      body: { metadata: { name: "loud" }, data: { x: "x".repeat(200_000) } },
    });
    const before = server().memory();
    for (let at = 0; at < 60; at++) {
      await server().expect(200, {
        method: "PATCH",
        path: `${MAPS}/loud`,
        type: "application/merge-patch+json",
        body: { data: { at: String(at) } },
      });
    }
    // 30 watchers times 60 events of 200 kB would be 360 MB.
    expect(server().memory() - before).toBeLessThan(250);
    for (const connection of connections) connection[Symbol.dispose]();
    await server().expect(200, { method: "DELETE", path: `${MAPS}/loud` });
  });
});

test("1,000 requests at once, three times over, are answered or sent away", async () => {
  await server().during(async () => {
    const wires = Array.from({ length: 10 }, () => new Http2Wire(server().identity));
    const seen = new Map<number, number>();
    await Promise.all(
      wires.map(async (wire) => {
        for (let round = 0; round < 3; round++) {
          const batch = Array.from({ length: 100 }, () => sendOver(wire, { path: MAPS }));
          for (const { status } of await Promise.all(batch)) {
            seen.set(status, (seen.get(status) ?? 0) + 1);
          }
        }
        await wire[Symbol.asyncDispose]();
      }),
    );
    expect([...seen.keys()].every((status) => status === 200 || status === 429)).toBe(true);
    expect([...seen.values()].reduce((sum, each) => sum + each, 0)).toBe(3_000);
  });
});

test("1,000 handshakes that are broken off leave nothing open", async () => {
  await server().during(async () => {
    for (let round = 0; round < 10; round++) {
      const closed = Array.from({ length: 100 }, (_, at) => {
        const socket = connectTcp(server().identity.port, "127.0.0.1");
        socket.on("error", () => undefined);
        socket.once("connect", () => {
          if (at % 3 === 0) socket.destroy();
          else if (at % 3 === 1) socket.end("GET / HTTP/1.0\r\n\r\n");
          else socket.end(Buffer.from("160301020001000001", "hex"));
        });
        return new Promise((resolve) => socket.resume().once("close", resolve));
      });
      await Promise.all(closed);
    }
  });
  expect(server().isAlive).toBe(true);
});

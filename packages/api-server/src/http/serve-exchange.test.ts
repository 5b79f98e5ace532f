import { createServer as createHttp1, request as requestHttp1, type Server } from "node:http";
import {
  connect as connectHttp2,
  constants,
  createServer as createHttp2,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { realClock } from "@homeostat/concurrency";
import type { DoorAnswer, DoorRequest, RequestDoor } from "@homeostat/object-model";
import { expect, test } from "vitest";
import type { Authenticator } from "../authentication/authenticator.ts";
import { BodyBudget } from "./body-budget.ts";
import { DEFAULT_LIMITS } from "./connection-limits.ts";
import { Deadlines } from "./deadlines.ts";
import { Http1Exchange } from "./http1-exchange.ts";
import { Http2Exchange } from "./http2-exchange.ts";
import { LargeBodies } from "./large-bodies.ts";
import { serveExchange } from "./serve-exchange.ts";

const MASTER = {
  user: { username: "admin", groups: ["system:masters"] },
  notAfter: Number.POSITIVE_INFINITY,
};

interface Bench extends AsyncDisposable {
  readonly port: number;
  /** What became of every exchange so far, once all are over. */
  settled(): Promise<readonly PromiseSettledResult<void>[]>;
}

/** A listener without TLS before a door that is made up. */
async function openBench(
  protocol: 1 | 2,
  answer: (request: DoorRequest) => Promise<DoorAnswer>,
): Promise<Bench> {
  const door: RequestDoor = { send: answer };
  const options = {
    door,
    authenticator: { authenticate: () => MASTER } as unknown as Authenticator,
    newAuditId: () => "audit",
    noteUnknown: () => undefined,
    clock: realClock,
    deadlines: new Deadlines(realClock),
    limits: DEFAULT_LIMITS,
    largeBodies: new LargeBodies(),
    bodyBudget: new BodyBudget(),
  };
  const exchanges: Promise<void>[] = [];
  const server =
    protocol === 1
      ? createHttp1((request, response) => {
          exchanges.push(serveExchange(new Http1Exchange(request, response, MASTER), options));
        })
      : createHttp2().on("stream", (stream: ServerHttp2Stream, headers, ...[, rawHeaders]) => {
          exchanges.push(
            serveExchange(
              new Http2Exchange(stream, { headers, rawHeaders, certificate: MASTER }),
              options,
            ),
          );
        });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async settled() {
      await expect.poll(() => exchanges.length).toBeGreaterThan(0);
      return Promise.allSettled(exchanges);
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => (server as Server).close(() => resolve())),
  };
}

interface Left {
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array;
  /** Leave when the answer has begun; else when the body has been sent, which has no end. */
  readonly afterAnswer: boolean;
}

/** A client that begins a request and goes away. */
async function leave(
  protocol: 1 | 2,
  port: number,
  { headers = {}, body, afterAnswer }: Left,
): Promise<void> {
  if (protocol === 1) {
    const request = requestHttp1({
      port,
      host: "127.0.0.1",
      method: body === undefined ? "GET" : "POST",
      path: "/x",
      headers,
    });
    request.on("error", () => undefined);
    const answered = new Promise((resolve) =>
      request.once("response", (response) => {
        response.on("error", () => undefined);
        response.once("data", resolve);
      }),
    );
    if (body !== undefined) await new Promise((resolve) => request.write(body, resolve));
    else request.end();
    if (afterAnswer) await answered;
    request.destroy();
    return;
  }
  const client = connectHttp2(`http://127.0.0.1:${port}`);
  client.on("error", () => undefined);
  const method = body === undefined ? "GET" : "POST";
  const stream = client.request(
    { ":path": "/x", ":method": method, ...headers },
    { endStream: body === undefined },
  );
  stream.on("error", () => undefined);
  if (body !== undefined) await new Promise((resolve) => stream.write(body, resolve));
  if (afterAnswer) await new Promise((resolve) => stream.once("data", resolve));
  stream.close(constants.NGHTTP2_CANCEL);
  await new Promise((resolve) => stream.once("close", resolve));
  client.destroy();
}

const OVER = [{ status: "fulfilled", value: undefined }];

/** A list without an end, and whether its maker was told to stop. */
function endlessList(): { answer: DoorAnswer; wasLeft: () => boolean } {
  let left = false;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (let at = 0; ; at++) yield Buffer.from(noise(at));
    } finally {
      left = true;
    }
  }
  const answer: DoorAnswer = {
    kind: "byte-stream",
    openEnded: false,
    status: 200,
    headers: {},
    chunks: chunks(),
  };
  return { answer, wasLeft: () => left };
}

/** Hard to compress, so that buffers fill. */
function noise(seed: number): string {
  let state = seed + 1;
  let text = "";
  for (let count = 0; count < 20_000; count++) {
    state = (state * 48_271) % 2_147_483_647;
    text += state.toString(36);
  }
  return text;
}

for (const protocol of [1, 2] as const) {
  test(`HTTP/${protocol}: an upload that is broken off is over, and nobody was asked`, async () => {
    await using bench = await openBench(protocol, () => Promise.reject(new Error("asked")));
    await leave(protocol, bench.port, { body: Buffer.alloc(100_000), afterAnswer: false });
    expect(await bench.settled()).toEqual(OVER);
  });

  test.for([{}, { "accept-encoding": "gzip" }])(
    `HTTP/${protocol}: a list that the client leaves is over and its maker stops: %o`,
    async (headers) => {
      const { answer, wasLeft } = endlessList();
      await using bench = await openBench(protocol, () => Promise.resolve(answer));
      await leave(protocol, bench.port, {
        headers,
        afterAnswer: true,
      });
      expect(await bench.settled()).toEqual(OVER);
      expect(wasLeft()).toBe(true);
    },
  );

  test(`HTTP/${protocol}: a door that fails is answered with a Status, and the exchange is over`, async () => {
    await using bench = await openBench(protocol, () => Promise.reject(new Error("broken")));
    await leave(protocol, bench.port, { afterAnswer: true });
    expect(await bench.settled()).toEqual(OVER);
  });
}

test("HTTP/1: a header that cannot be sent is answered with a Status, and the exchange is over", async () => {
  const answer: DoorAnswer = {
    kind: "bytes",
    status: 200,
    headers: { "x-bad": "\u0000" },
    bytes: Buffer.from("{}"),
  };
  await using bench = await openBench(1, () => Promise.resolve(answer));
  await leave(1, bench.port, { afterAnswer: true });
  expect(await bench.settled()).toEqual(OVER);
});

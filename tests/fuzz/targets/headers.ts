import { once } from "node:events";
import { connect } from "node:tls";
import { type ApiServer, listenHttps } from "@homeostat/api-server";
import { openAuthority } from "@homeostat/certificates";
import { realClock, type SeededRandom } from "@homeostat/concurrency";
import { encode, type FuzzTarget, pick, requireLaw } from "../fuzz-target.ts";
import { openFuzzedPlane } from "../open-plane.ts";

const PATIENCE = 900;
const LINES = [
  "GET /healthz HTTP/1.1",
  "GET /api/v1/namespaces HTTP/1.1",
  "POST /api/v1/namespaces HTTP/1.1",
  "PUT / HTTP/1.0",
  "OPTIONS * HTTP/1.1",
  "GET https://x/api HTTP/1.1",
];
const HEADERS = [
  "Host: x",
  "Accept: application/json",
  "Accept: */*;q=0.1, application/yaml",
  "Accept: application/json;as=Table;g=meta.k8s.io;v=v1",
  "Content-Type: application/json; charset=utf-8",
  "Content-Length: 2",
  "Content-Length: 0",
  "Transfer-Encoding: chunked",
  "Authorization: Bearer x",
  "Authorization: Basic eDp5",
  "Impersonate-User: a",
  "Impersonate-Group: system:masters",
  "Impersonate-Extra-a%2fb: c",
  "Connection: keep-alive",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Upgrade: SPDY/3.1",
  "Expect: 100-continue",
  "Accept-Encoding: gzip;q=1, *;q=0",
  'If-None-Match: "x"',
  "Range: bytes=0-",
  "X-Forwarded-For: ::1",
  "User-Agent: kubectl/v1",
  "Cookie: a=b",
  "TE: trailers",
  "Sec-WebSocket-Key: x",
];

/** Any head that comes over a connection is answered as HTTP, or the connection is closed; nobody else notices. */
export async function openHeaders(): Promise<FuzzTarget> {
  await using undo = new AsyncDisposableStack();
  const plane = undo.use(await openFuzzedPlane());
  const { port, authority } = await listen(plane.server, undo);
  const kept = undo.move();
  return {
    corpus: LINES.map((line) =>
      encode(`${line}\r\n${HEADERS.slice(0, 4).join("\r\n")}\r\nContent-Length: 2\r\n\r\n{}`),
    ),
    words: [
      ...HEADERS.map((each) => `${each}\r\n`),
      "\r\n",
      "\r\n\r\n",
      "\n",
      "\r",
      ": ",
      " ",
      "\t",
      "\u0000",
      "0\r\n\r\n",
      "HTTP/1.1",
    ],
    generate: (random) => encode(made(random)),
    async run(input) {
      const received = await exchange({ port, authority, input });
      const isHttp = received === "" || /^HTTP\/1\.[01] [1-5]\d\d /.test(received);
      requireLaw(isHttp, `answered with what is no HTTP: ${received.slice(0, 100)}`);
      requireLaw(!received.startsWith("HTTP/1.1 500"), `answered 500: ${received.slice(-300)}`);
      requireLaw(!received.includes('"kind":"NamespaceList"'), "a list for nobody");
      const { status } = await plane.ask({ method: "GET", path: "/api/v1/namespaces/default" });
      requireLaw(status === 200, `others are answered ${status}`);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function listen(
  server: ApiServer,
  undo: AsyncDisposableStack,
): Promise<{ readonly port: number; readonly authority: string }> {
  const authority = await openAuthority({ keptIn: "memory" });
  const { certificate, key } = await authority.issue({
    subject: { commonName: "fuzz" },
    usage: "server",
    names: ["127.0.0.1"],
  });
  const clientAuthority = authority.certificate;
  // Not the first head, which the handshake belongs to: a busy machine is slow with both.
  const limits = { body: 300, idle: 300, idleUnknown: 300 };
  const options = { server, port: 0, certificate, key, clientAuthority, limits };
  const listener = undo.use(await listenHttps(options));
  return { port: listener.port, authority: clientAuthority };
}

/** What comes back until the other end closes, or has answered and said nothing for a while. */
async function exchange(to: {
  port: number;
  authority: string;
  input: Uint8Array;
}): Promise<string> {
  const socket = connect({
    host: "127.0.0.1",
    port: to.port,
    ca: to.authority,
    ALPNProtocols: ["http/1.1"],
  });
  let received = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => (received += chunk));
  socket.on("error", () => undefined);
  await once(socket, "secureConnect");
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  // The end of what is sent: whoever waits for more gets nothing more.
  socket.end(to.input);
  const abort = new AbortController();
  const late = new Promise<void>((resolve) => {
    const timer = realClock.setTimer(PATIENCE, resolve);
    abort.signal.addEventListener("abort", () => timer.cancel());
  });
  await Promise.race([closed, late]);
  abort.abort();
  socket.destroy();
  return received;
}

function made(random: SeededRandom): string {
  const headers = Array.from({ length: random.below(8) }, () => pick(random, HEADERS));
  return `${pick(random, LINES)}\r\n${headers.join("\r\n")}\r\n\r\n${pick(random, ["", "{}", "2\r\n{}\r\n0\r\n\r\n", "x"])}`;
}

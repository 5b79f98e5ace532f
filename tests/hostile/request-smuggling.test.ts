/** Requests that two readers would read differently, and requests that are none: one meaning, or refused and closed. */
import { expect, test } from "vitest";
import { RawConnection } from "./raw-connection.ts";
import { attackedServer, tokenHeader } from "./server-under-attack.ts";

const server = attackedServer();
const MAPS = "/api/v1/namespaces/default/configmaps";
const SECRET = "GET /api/v1/namespaces/bystander/secrets/canary HTTP/1.1";
const { authorization: ROOT } = tokenHeader("root");
const { authorization: MALLORY } = tokenHeader("mallory");

/** Sends the lines as they are, and returns the statuses of all answers until the server closes. */
async function answers(lines: readonly string[], body = ""): Promise<RawConnection> {
  const connection = await RawConnection.open(server().identity, "http/1.1");
  connection.write(Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`, "latin1"));
  await connection.until(/^HTTP\/1\.[01] \d/);
  // A smuggled request would be answered on the same connection, right behind.
  connection.write("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  await connection.until(/(?!)/, 300);
  connection.socket.destroy();
  return connection;
}

const SMUGGLED = `${SECRET}\r\nHost: x\r\nAuthorization: ${MALLORY}\r\n\r\n`;
const POST = [`POST ${MAPS} HTTP/1.1`, "Host: x", `Authorization: ${MALLORY}`];

test.each([
  [
    "both lengths",
    [...POST, "Content-Length: 4", "Transfer-Encoding: chunked"],
    `0\r\n\r\n${SMUGGLED}`,
  ],
  ["two lengths", [...POST, "Content-Length: 0", `Content-Length: ${SMUGGLED.length}`], SMUGGLED],
  ["a list of lengths", [...POST, `Content-Length: 0, ${SMUGGLED.length}`], SMUGGLED],
  ["a signed length", [...POST, "Content-Length: +0"], SMUGGLED],
  ["a negative length", [...POST, "Content-Length: -1"], SMUGGLED],
  ["a length in hexadecimal", [...POST, "Content-Length: 0x0"], SMUGGLED],
  ["a length beyond 2^64", [...POST, "Content-Length: 18446744073709551616"], SMUGGLED],
  ["a space before the colon", [...POST, "Content-Length : 0"], SMUGGLED],
  ["an encoding that is not the last", [...POST, "Transfer-Encoding: chunked, identity"], SMUGGLED],
  ["an encoding with a disguise", [...POST, "Transfer-Encoding: xchunked"], SMUGGLED],
  ["an encoding after a control character", [...POST, "Transfer-Encoding: \x0bchunked"], SMUGGLED],
  [
    "two encodings",
    [...POST, "Transfer-Encoding: identity", "Transfer-Encoding: chunked"],
    `0\r\n\r\n${SMUGGLED}`,
  ],
  ["a chunk size that is none", [...POST, "Transfer-Encoding: chunked"], `0x0\r\n\r\n${SMUGGLED}`],
  ["a negative chunk", [...POST, "Transfer-Encoding: chunked"], `-1\r\n${SMUGGLED}`],
  [
    "a chunk beyond 2^64",
    [...POST, "Transfer-Encoding: chunked"],
    `10000000000000000\r\n${SMUGGLED}`,
  ],
  [
    "a chunk longer than it says",
    [...POST, "Transfer-Encoding: chunked"],
    `1\r\nab\r\n0\r\n\r\n${SMUGGLED}`,
  ],
  [
    "a bare line feed after a chunk size",
    [...POST, "Transfer-Encoding: chunked"],
    `1\na\n0\n\n${SMUGGLED}`,
  ],
  ["a folded header", [...POST, "X: a", " Content-Length: 0"], SMUGGLED],
  ["a header without a name", [...POST, ": 1"], SMUGGLED],
  ["a header without a colon", [...POST, "Content-Length"], SMUGGLED],
  ["a NUL in a header", [...POST, "X: a\u0000b", "Content-Length: 0"], SMUGGLED],
  [
    "a bare carriage return in a header",
    [...POST, "X: a\rContent-Length: 5", "Content-Length: 0"],
    SMUGGLED,
  ],
  ["two hosts", [...POST, "Host: y", "Content-Length: 0"], ""],
  ["a version of the future", [`GET ${MAPS} HTTP/3.7`, "Host: x"], ""],
  ["a lower-case method", [`get ${MAPS} HTTP/1.1`, "Host: x"], ""],
  ["a method that is none", [`HACK ${MAPS} HTTP/1.1`, "Host: x"], ""],
  ["no method", [` ${MAPS} HTTP/1.1`, "Host: x"], ""],
  ["no target", ["GET  HTTP/1.1", "Host: x"], ""],
])("%s smuggles nothing", async (_, lines, body) => {
  await server().during(async () => {
    const connection = await answers(lines, body);
    const [first] = connection.statuses();
    expect(first === undefined || [400, 403, 405, 411, 501, 505].includes(first)).toBe(true);
    expect(connection.received).not.toContain('"kind":"Secret"');
    expect(connection.received).not.toContain("hunter2");
  });
});

test.each([
  ["CONNECT", "CONNECT 127.0.0.1:22 HTTP/1.1"],
  ["CONNECT to a path", `CONNECT ${MAPS} HTTP/1.1`],
  ["TRACE", "TRACE / HTTP/1.1"],
  ["PRI", "PRI * HTTP/2.0"],
  ["an absolute URI elsewhere", "GET http://169.254.169.254/latest/meta-data HTTP/1.1"],
  ["an absolute URI with a user", "GET https://root:x@localhost/api/v1/secrets HTTP/1.1"],
  ["an authority", "GET //169.254.169.254/latest HTTP/1.1"],
  ["OPTIONS for everything", "OPTIONS * HTTP/1.1"],
  ["a star", "GET * HTTP/1.1"],
])("%s goes nowhere", async (_, line) => {
  await server().during(async () => {
    const connection = await answers([line, "Host: x", `Authorization: ${ROOT}`, "X-Echo: mirror"]);
    const [first = 0] = connection.statuses();
    expect([0, 301, 400, 403, 404, 405, 501]).toContain(first);
    // What was sent is not sent back: not to scripts that cannot read their own headers.
    expect(connection.received).not.toContain("mirror");
    expect(connection.received).not.toContain(ROOT);
  });
});

test("an absolute URI of our own is authorized like its path", async () => {
  await server().during(async () => {
    const { port } = server().identity;
    const target = `https://127.0.0.1:${port}/api/v1/namespaces/bystander/secrets/canary`;
    for (const who of [MALLORY, "Basic cm9vdDpyb290"]) {
      const connection = await answers([
        `GET ${target} HTTP/1.1`,
        "Host: x",
        `Authorization: ${who}`,
      ]);
      expect([400, 401, 403, 404]).toContain(connection.statuses()[0]);
      expect(connection.received).not.toContain('"kind":"Secret"');
    }
  });
});

test.each([
  ["two tokens", [`Authorization: ${MALLORY}`, `Authorization: ${ROOT}`]],
  ["a token after a comma", [`Authorization: ${MALLORY}, ${ROOT}`]],
  [
    "headers of a front proxy",
    [`Authorization: ${MALLORY}`, "X-Remote-User: root", "X-Remote-Group: system:masters"],
  ],
  [
    "impersonation",
    [`Authorization: ${MALLORY}`, "Impersonate-User: root", "Impersonate-Group: system:masters"],
  ],
  [
    "impersonation of a group only",
    [`Authorization: ${MALLORY}`, "Impersonate-Group: system:masters"],
  ],
  [
    "underscores for dashes",
    [`Authorization: ${MALLORY}`, "Impersonate_User: root", "X_Remote_User: root"],
  ],
  [
    "another path in a header",
    [
      `Authorization: ${MALLORY}`,
      "X-Original-URL: /healthz",
      "X-Rewrite-URL: /healthz",
      "X-HTTP-Method-Override: GET",
    ],
  ],
  ["a cookie", ["Cookie: token=root", `Authorization: ${MALLORY}`]],
  [
    "a forwarded address",
    [`Authorization: ${MALLORY}`, "X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1;by=root"],
  ],
])("%s gives mallory nothing", async (_, headers) => {
  await server().during(async () => {
    const connection = await answers([SECRET, "Host: x", ...headers]);
    expect([400, 401, 403, 500]).toContain(connection.statuses()[0]);
    expect(connection.received).not.toContain('"kind":"Secret"');
  });
});

test("pipelined requests are answered in order, each as its own caller", async () => {
  await server().during(async () => {
    using connection = await RawConnection.open(server().identity, "http/1.1");
    const one = (path: string, who: string): string =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${who}\r\n\r\n`;
    const secret = "/api/v1/namespaces/bystander/secrets/canary";
    connection.write(
      one(secret, ROOT!) + one(secret, MALLORY!) + one("/healthz", ROOT!) + one(secret, "Bearer x"),
    );
    await connection.until(/401[^]*"code":401/);
    expect(connection.statuses()).toEqual([200, 403, 200, 401]);
  });
});

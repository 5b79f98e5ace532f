/**
 * Watches over WebSocket, as fabric8's Java client and browsers ask for them: each event is one message,
 * text where it is JSON. What the client says is ignored but for pings and its goodbye. The request
 * has taken the same way in as every other one; until the door has answered with a watch the caller
 * speaks HTTP, and gets any other answer like that.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { ByteStreamAnswer } from "@homeostat/object-model";
import { ClientFrames, closeFrame, messageFrame, pongFrame } from "./websocket-frames.ts";

/** Whether a request wants that. Values are read as Go's conversion of query parameters reads them. */
export function isWatchSocket({ method, url = "", headers }: IncomingMessage): boolean {
  if (method !== "GET" || headers.upgrade?.toLowerCase() !== "websocket") return false;
  const [path = "", query = ""] = url.split("?", 2);
  const [, found, value = ""] = /(?:^|&)(watch)(?:=([^&]*))?(?:&|$)/.exec(query) ?? [];
  return found === undefined ? path.includes("/watch/") : !/^(?:0|false)$/i.test(value);
}

/** Why no WebSocket can be opened; undefined: it can. As golang.org/x/net/websocket judges. */
export function socketProblem({ headers }: IncomingMessage): 400 | 403 | undefined {
  if (headers["sec-websocket-key"] === undefined) return 400;
  if (headers["sec-websocket-version"] !== "13") return 400;
  return headers.origin === undefined ? 403 : undefined;
}

export interface WatchSocketOptions {
  /** Waits until the caller has taken what was written; false when it took too long, or is gone. */
  readonly drained: () => Promise<boolean>;
}

/** Switches the connection over and sends the events, until either side ends. Never rejects. */
export async function sendWatchMessages(
  { request, socket }: { request: IncomingMessage; socket: Duplex },
  answer: ByteStreamAnswer,
  { drained }: WatchSocketOptions,
): Promise<void> {
  const frames = new ClientFrames({
    onPing: (payload) => socket.write(pongFrame(payload)),
    onClose: () => socket.end(closeFrame()),
  });
  socket.on("data", (bytes: Buffer) => frames.read(bytes));
  socket.once("end", () => socket.end());
  const events = answer.chunks[Symbol.asyncIterator]();
  // A watch waits for its next event; only its end tells it that nobody listens any more.
  socket.once("close", () => void events.return?.());
  socket.write(switchingHead(request, answer));
  const isText = String(answer.headers["content-type"]).startsWith("application/json");
  try {
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      for (const message of isText ? linesOf(next.value) : recordsOf(next.value)) {
        if (socket.writableEnded || socket.destroyed) return;
        if (!socket.write(messageFrame(message, isText)) && !(await drained())) return;
      }
    }
    if (!socket.writableEnded) socket.end(closeFrame());
  } catch {
    socket.destroy();
  } finally {
    void events.return?.();
  }
}

function switchingHead({ headers }: IncomingMessage, answer: ByteStreamAnswer): string {
  const accept = createHash("sha1")
    .update(`${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest("base64");
  const auditId = answer.headers["audit-id"];
  return [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${accept}`,
    ...(auditId === undefined ? [] : [`Audit-Id: ${String(auditId)}`]),
    "\r\n",
  ].join("\r\n");
}

/** JSON events end in a line feed and have none within. */
function* linesOf(chunk: Uint8Array): Generator<Uint8Array> {
  let from = 0;
  for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
    yield chunk.subarray(from, end + 1);
    from = end + 1;
  }
}

/** Others come behind their length in four bytes, which a message has no need of. */
function* recordsOf(chunk: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  for (let at = 0; at + 4 <= chunk.length; ) {
    const length = view.getUint32(at);
    yield chunk.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
}

import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";

const CONTINUATION = 0;
const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** What a server answers to a client's key. */
export function webSocketAccept(key: string): string {
  return createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
}

/** The server's side of a WebSocket: whole messages in, whole messages out. */
export class WebSocketConnection {
  readonly #socket: Duplex;
  #pending: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];

  constructor(socket: Duplex) {
    this.#socket = socket;
    socket.on("error", () => undefined);
  }

  /** Until the client closes, or is gone. */
  async *messages(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of this.#socket.iterator({ destroyOnReturn: false })) {
        this.#pending = Buffer.concat([this.#pending, chunk as Buffer]);
        for (let frame = this.#take(); frame !== undefined; frame = this.#take()) {
          if (frame.opcode === CLOSE) return;
          if (frame.opcode === PING) this.#send(PONG, frame.body);
          if (![CONTINUATION, TEXT, BINARY].includes(frame.opcode)) continue;
          this.#parts.push(frame.body);
          if (!frame.isLast) continue;
          yield Buffer.concat(this.#parts.splice(0));
        }
      }
    } catch {
      // The client cut the connection.
    }
  }

  send(message: Uint8Array): void {
    this.#send(BINARY, message);
  }

  close(): void {
    if (this.#socket.writableEnded) return;
    this.#send(CLOSE, Buffer.from([0x03, 0xe8]));
    this.#socket.end();
  }

  #take(): { opcode: number; isLast: boolean; body: Buffer } | undefined {
    const bytes = this.#pending;
    if (bytes.length < 2) return undefined;
    const short = bytes[1]! & 0x7f;
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
    const isMasked = (bytes[1]! & 0x80) !== 0;
    const start = 2 + extra + (isMasked ? 4 : 0);
    if (bytes.length < start) return undefined;
    const length =
      extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    if (bytes.length < start + length) return undefined;
    const body = Buffer.from(bytes.subarray(start, start + length));
    if (isMasked) {
      const mask = bytes.subarray(start - 4, start);
      for (let at = 0; at < body.length; at++) body[at]! ^= mask[at % 4]!;
    }
    this.#pending = bytes.subarray(start + length);
    return { opcode: bytes[0]! & 0x0f, isLast: (bytes[0]! & 0x80) !== 0, body };
  }

  #send(opcode: number, body: Uint8Array): void {
    if (this.#socket.writableEnded || this.#socket.destroyed) return;
    const { length } = body;
    const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
    head[0] = 0x80 | opcode;
    if (length < 126) head[1] = length;
    else if (length < 65_536) {
      head[1] = 126;
      head.writeUInt16BE(length, 2);
    } else {
      head[1] = 127;
      head.writeBigUInt64BE(BigInt(length), 2);
    }
    this.#socket.write(Buffer.concat([head, body]));
  }
}

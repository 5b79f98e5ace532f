import { type Duplex, PassThrough } from "node:stream";
import { constants, createDeflate, createInflate, type Deflate, type Inflate } from "node:zlib";
import { SPDY_DICTIONARY } from "./spdy-dictionary.ts";

const SYN_STREAM = 1;
const SYN_REPLY = 2;
const RST_STREAM = 3;
const PING = 6;
const GOAWAY = 7;
const FIN = 1;

/** One stream that the client opened. */
export interface SpdyStream {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly input: PassThrough;
  write(bytes: Uint8Array): void;
  /** Nothing more comes from here. */
  end(): void;
}

/** The server's side of SPDY/3.1 as Kubernetes uses it: no flow control, streams opened by clients. */
export class SpdyConnection {
  readonly #socket: Duplex;
  readonly #onStream: (stream: SpdyStream) => void;
  readonly #streams = new Map<number, PassThrough>();
  readonly #inflate: Inflate = createInflate({
    dictionary: SPDY_DICTIONARY,
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  readonly #deflate: Deflate = createDeflate({ dictionary: SPDY_DICTIONARY });
  #pending: Buffer = Buffer.alloc(0);
  #lastStream = 0;

  constructor(socket: Duplex, onStream: (stream: SpdyStream) => void) {
    this.#socket = socket;
    this.#onStream = onStream;
    socket.on("error", () => undefined);
    void this.#read();
  }

  /** Says that no more streams are taken, and closes once everything is sent. */
  close(): void {
    const body = Buffer.alloc(8);
    body.writeUInt32BE(this.#lastStream, 0);
    this.#control(GOAWAY, 0, body);
    this.#socket.end();
  }

  async #read(): Promise<void> {
    try {
      for await (const chunk of this.#socket) {
        this.#pending = Buffer.concat([this.#pending, chunk as Buffer]);
        await this.#takeFrames();
      }
    } catch {
      // The client cut the connection.
    }
    for (const input of this.#streams.values()) input.end();
  }

  async #takeFrames(): Promise<void> {
    while (this.#pending.length >= 8) {
      const length = this.#pending.readUIntBE(5, 3);
      if (this.#pending.length < 8 + length) return;
      const head = this.#pending.subarray(0, 8);
      const body = this.#pending.subarray(8, 8 + length);
      this.#pending = this.#pending.subarray(8 + length);
      if ((head[0]! & 0x80) === 0) await this.#takeData(head, body);
      else await this.#takeControl(head, body);
    }
  }

  async #takeData(head: Buffer, body: Buffer): Promise<void> {
    const id = head.readUInt32BE(0);
    const input = this.#streams.get(id);
    if (input === undefined) return;
    if (body.length > 0 && !input.write(Buffer.from(body))) {
      await new Promise((resolve) => input.once("drain", resolve));
    }
    if ((head[4]! & FIN) !== 0) input.end();
  }

  async #takeControl(head: Buffer, body: Buffer): Promise<void> {
    const type = head.readUInt16BE(2);
    if (type === SYN_STREAM) await this.#open(head, body);
    else if (type === PING) this.#control(PING, 0, Buffer.from(body));
    else if (type === RST_STREAM) this.#streams.get(body.readUInt32BE(0))?.end();
    else if (type === GOAWAY) this.#socket.end();
  }

  async #open(head: Buffer, body: Buffer): Promise<void> {
    const id = body.readUInt32BE(0) & 0x7fff_ffff;
    const headers = readHeaders(await this.#inflated(body.subarray(10)));
    const input = new PassThrough();
    this.#streams.set(id, input);
    this.#lastStream = id;
    if ((head[4]! & FIN) !== 0) input.end();
    const prefix = Buffer.alloc(4);
    prefix.writeUInt32BE(id);
    const none = await this.#deflated(Buffer.alloc(4));
    this.#control(SYN_REPLY, 0, Buffer.concat([prefix, none]));
    this.#onStream({
      headers,
      input,
      write: (bytes) => this.#data(id, 0, bytes),
      end: () => this.#data(id, FIN, Buffer.alloc(0)),
    });
  }

  #control(type: number, flags: number, body: Uint8Array): void {
    const head = Buffer.alloc(8);
    head.writeUInt16BE(0x8003, 0);
    head.writeUInt16BE(type, 2);
    head.writeUInt32BE(body.length, 4);
    head[4] = flags;
    this.#socket.write(Buffer.concat([head, body]));
  }

  #data(id: number, flags: number, body: Uint8Array): void {
    if (this.#socket.writableEnded) return;
    const head = Buffer.alloc(8);
    head.writeUInt32BE(id, 0);
    head.writeUInt32BE(body.length, 4);
    head[4] = flags;
    this.#socket.write(Buffer.concat([head, body]));
  }

  #inflated(bytes: Buffer): Promise<Buffer> {
    return through(this.#inflate, bytes);
  }

  #deflated(bytes: Buffer): Promise<Buffer> {
    return through(this.#deflate, bytes);
  }
}

/** What a compressor says to one piece, which ends at a flush. */
function through(stream: Inflate | Deflate, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const take = (chunk: Buffer): void => void chunks.push(chunk);
    stream.on("data", take);
    stream.once("error", reject);
    stream.write(bytes);
    stream.flush(constants.Z_SYNC_FLUSH, () => {
      stream.off("data", take);
      stream.off("error", reject);
      resolve(Buffer.concat(chunks));
    });
  });
}

function readHeaders(block: Buffer): Record<string, string> {
  let at = 0;
  const number = (): number => {
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const text = (): string => {
    const length = number();
    at += length;
    return block.toString("utf8", at - length, at);
  };
  const count = number();
  const headers = Array.from({ length: count }, () => [text().toLowerCase(), text()] as const);
  return Object.fromEntries(headers);
}

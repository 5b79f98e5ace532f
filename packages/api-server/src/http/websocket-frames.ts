/** The few frames of RFC 6455 that a server needs which has everything to say and nothing to hear. */

const TEXT = 0x1;
const BINARY = 0x2;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;
/** Of a control frame. */
const MAX_CONTROL = 125;

export function messageFrame(payload: Uint8Array, isText: boolean): Buffer {
  return frame(isText ? TEXT : BINARY, payload);
}

export function pongFrame(payload: Uint8Array): Buffer {
  return frame(PONG, payload);
}

/** Says that all is well. */
export function closeFrame(): Buffer {
  return frame(CLOSE, Buffer.from([0x03, 0xe8]));
}

function frame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const extra = length <= MAX_CONTROL ? 0 : length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + extra);
  head[0] = 0x80 | opcode;
  head[1] = extra === 0 ? length : extra === 2 ? 126 : 127;
  if (extra === 2) head.writeUInt16BE(length, 2);
  if (extra === 8) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

export interface ClientFramesOptions {
  readonly onPing: (payload: Uint8Array) => void;
  readonly onClose: () => void;
}

/** What a client says, in whatever pieces it comes. Messages are skipped: at most a small frame is kept. */
export class ClientFrames {
  readonly #options: ClientFramesOptions;
  /** The beginning of a frame whose end is still to come. */
  #kept: Buffer = Buffer.alloc(0);
  #toSkip = 0;
  #isOver = false;

  constructor(options: ClientFramesOptions) {
    this.#options = options;
  }

  read(data: Buffer): void {
    let bytes = this.#kept.length === 0 ? data : Buffer.concat([this.#kept, data]);
    while (!this.#isOver) {
      const skipped = Math.min(this.#toSkip, bytes.length);
      this.#toSkip -= skipped;
      bytes = bytes.subarray(skipped);
      const head = this.#toSkip > 0 ? undefined : readHead(bytes);
      if (head === undefined) break;
      if (head.opcode < CLOSE) {
        this.#toSkip = head.length;
        bytes = bytes.subarray(head.size);
        continue;
      }
      const end = head.size + head.length;
      if (head.length <= MAX_CONTROL && bytes.length < end) break;
      this.#control(head, bytes.subarray(head.size, end));
      bytes = bytes.subarray(end);
    }
    this.#kept = Buffer.from(bytes);
  }

  #control({ opcode, length, mask }: FrameHead, masked: Buffer): void {
    const payload = masked.map((byte, at) => byte ^ (mask?.[at % 4] ?? 0));
    if (opcode === PING && length <= MAX_CONTROL) this.#options.onPing(payload);
    else if (opcode !== PONG) {
      this.#isOver = true;
      this.#options.onClose();
    }
  }
}

interface FrameHead {
  readonly opcode: number;
  /** Of the head itself. */
  readonly size: number;
  /** Of what follows. */
  readonly length: number;
  readonly mask: Buffer | undefined;
}

function readHead(bytes: Buffer): FrameHead | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes[1]! & 0x7f;
  const extra = short < 126 ? 0 : short === 126 ? 2 : 8;
  const isMasked = bytes[1]! >= 0x80;
  const size = 2 + extra + (isMasked ? 4 : 0);
  if (bytes.length < size) return undefined;
  const long = extra === 8 ? Number(bytes.readBigUInt64BE(2)) : undefined;
  return {
    opcode: bytes[0]! & 0x0f,
    size,
    length: long ?? (extra === 2 ? bytes.readUInt16BE(2) : short),
    mask: isMasked ? bytes.subarray(size - 4, size) : undefined,
  };
}

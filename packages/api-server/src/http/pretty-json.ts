/**
 * JSON for people: whoever asks with `pretty`, or with curl, Wget or a browser, gets what everybody
 * else gets with line breaks and two spaces a level, as Go indents it.
 */
import type { DoorRequest } from "@homeostat/object-model";
import type { MediaEncoder } from "./media-encoder.ts";
import { asksForPretty } from "./negotiation.ts";

const PEOPLE = /^(?:curl|Wget|Mozilla\/5\.0)/;
const TRUTHS: ReadonlySet<string> = new Set(["1", "t", "T", "TRUE", "true", "True"]);

/** Whether the answer is for people to read. */
export function isForPeople({ query, headers }: Pick<DoorRequest, "headers" | "query">): boolean {
  if (asksForPretty(headers?.["accept"])) return true;
  const given = query?.["pretty"];
  const asked = typeof given === "string" ? given : given?.[0];
  if (asked !== undefined && asked !== "") return TRUTHS.has(asked);
  const agent = headers?.["user-agent"];
  return agent !== undefined && PEOPLE.test(agent);
}

/** The JSON of `plain`, indented. Watches stay a line for each event. */
export function prettyEncoder(plain: MediaEncoder): MediaEncoder {
  return {
    ...plain,
    object(payload) {
      const pieces = plain.object(payload);
      return indented(pieces instanceof Uint8Array ? [pieces] : pieces);
    },
    list: (payload) => indented(payload.chunks()),
  };
}

/** In one piece: for what is short. */
export function indent(json: Uint8Array): Uint8Array {
  return Buffer.concat([...indented([json])]);
}

/**
 * A document, wherever it is cut. What nests deeply grows a thousandfold, so that pieces of what
 * comes out are made one at a time.
 */
function* indented(document: Iterable<Uint8Array>): Generator<Uint8Array> {
  const indenter = new Indenter();
  for (const piece of document) {
    for (const byte of piece) {
      indenter.add(byte);
      if (indenter.size >= PIECE) yield indenter.take();
    }
  }
  yield indenter.take();
}

/** Above what is compressed: whatever comes in more than one piece is long enough for that. */
const PIECE = 256 * 1024;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const NEWLINE = 0x0a;

/** Takes a document byte by byte. White space that it has is left out. */
class Indenter {
  size = 0;
  #level = 0;
  #inText = false;
  #escaped = false;
  /** A bracket has been opened and nothing has come since: it may yet be closed at once. */
  #opened = false;
  #out = Buffer.allocUnsafe(1024);

  add(byte: number): void {
    if (this.#inText) this.#text(byte);
    else if (byte > SPACE) this.#mark(byte);
  }

  take(): Uint8Array {
    const taken = this.#out.subarray(0, this.size);
    this.#out = Buffer.allocUnsafe(this.size);
    this.size = 0;
    return taken;
  }

  #text(byte: number): void {
    this.#put(byte);
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inText = false;
  }

  #mark(byte: number): void {
    const closes = byte === 0x5d || byte === 0x7d;
    if (closes) this.#level--;
    // A pair with nothing in it stays together.
    if (this.#opened !== closes) this.#break();
    this.#put(byte);
    this.#opened = byte === 0x5b || byte === 0x7b;
    if (this.#opened) this.#level++;
    else if (byte === COMMA) this.#break();
    else if (byte === COLON) this.#put(SPACE);
    else if (byte === QUOTE) this.#inText = true;
  }

  #break(): void {
    this.#put(NEWLINE);
    for (let spaces = this.#level * 2; spaces > 0; spaces--) this.#put(SPACE);
  }

  #put(byte: number): void {
    if (this.size === this.#out.length) {
      this.#out = Buffer.concat([this.#out, Buffer.allocUnsafe(this.size + 1024)]);
    }
    this.#out[this.size++] = byte;
  }
}

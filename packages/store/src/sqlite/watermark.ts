import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";

/**
 * The last acknowledged revision, in a file of its own, written after each commit and never synced:
 * it costs two microseconds and may lag behind after a power loss, but never runs ahead. A log that
 * ends before it has lost acknowledged writes. SQLite alone would not notice: a damaged write-ahead
 * log counts as its end.
 */
export class Watermark {
  readonly #descriptor: number;

  constructor(file: string) {
    this.#descriptor = openSync(file, "a+");
    closeSync(this.#descriptor);
    this.#descriptor = openSync(file, "r+");
  }

  /** Never throws: the commit is durable already, and a watermark may lag. */
  write(revision: number): void {
    const digits = String(revision).padStart(16, "0");
    try {
      writeSync(this.#descriptor, `${digits} ${checksum(digits)}\n`, 0, "latin1");
    } catch {
      // A full disk: the next commit that fits writes it.
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** The kept revision; 0 when there is none or the file is damaged itself. */
export function readWatermark(file: string): number {
  let text: string;
  try {
    text = readFileSync(file, "latin1");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
  const digits = text.slice(0, 16);
  return text.slice(17, 25) === checksum(digits) ? Number(digits) : 0;
}

function checksum(digits: string): string {
  return crc32(digits).toString(16).padStart(8, "0");
}

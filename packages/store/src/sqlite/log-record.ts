import type { KeyVersion } from "../key-version.ts";

/**
 * How one change lies in a log row. A row holds the records of a commit one after the other:
 *
 *      0  uint32   bytes of the value
 *      4  uint16   bytes of the key
 *      6  uint8    1: the key was deleted, 2: the key expires
 *      7  uint8    0
 *      8  float64  revision
 *     16  float64  revision that created the key
 *     24  float64  version of the key
 *     32  float64  wall time of its expiry, in milliseconds; only where it expires
 *         key in UTF-8, value
 *
 * Little-endian throughout. Floats hold every integer that a revision may be.
 */
export interface LogRecord {
  readonly key: string;
  readonly revision: number;
  readonly createRevision: number;
  readonly version: number;
  readonly expiresAt: number | undefined;
  /** Where the record and its value lie in the row. */
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

const headerBytes = 32;
const deletedFlag = 1;
const expiresFlag = 2;

/** Most that a record has beside its key and value. */
export const recordOverhead: number = headerBytes + 8;

/** An upper bound of the bytes a version's record needs. */
export function recordBound(version: KeyVersion): number {
  return recordOverhead + version.key.length * 3 + version.length;
}

/** A growing row of records. The memory may be taken away (`finish`) and another one given. */
export class RowWriter {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #length = 0;
  #firstRevision = 0;
  #lastRevision = 0;

  constructor(memory: ArrayBuffer) {
    this.#bytes = Buffer.from(memory);
    this.#view = new DataView(memory);
  }

  get length(): number {
    return this.#length;
  }

  get room(): number {
    return this.#bytes.length - this.#length;
  }

  get revisions(): { firstRevision: number; lastRevision: number } {
    return { firstRevision: this.#firstRevision, lastRevision: this.#lastRevision };
  }

  /** Appends a version's record; there must be room for its bound. */
  write(version: KeyVersion): void {
    const start = this.#length;
    const { expiresAt } = version;
    const keyStart = start + headerBytes + (expiresAt === undefined ? 0 : 8);
    const keyBytes = this.#bytes.write(version.key, keyStart, "utf8");
    const view = this.#view;
    view.setUint32(start, version.length, true);
    view.setUint16(start + 4, keyBytes, true);
    view.setUint8(
      start + 6,
      (version.deleted ? deletedFlag : 0) | (expiresAt === undefined ? 0 : expiresFlag),
    );
    view.setUint8(start + 7, 0);
    view.setFloat64(start + 8, version.revision, true);
    view.setFloat64(start + 16, version.createRevision, true);
    view.setFloat64(start + 24, version.version, true);
    if (expiresAt !== undefined) view.setFloat64(start + headerBytes, expiresAt, true);
    this.#bytes.set(version.value, keyStart + keyBytes);
    this.#grow(keyStart + keyBytes + version.length, version.revision);
  }

  /** Appends a record as it lies in another row. */
  copy(row: Uint8Array, record: LogRecord): void {
    const start = this.#length;
    this.#bytes.set(row.subarray(record.start, record.end), start);
    this.#grow(start + record.end - record.start, record.revision);
  }

  /** The row written so far. */
  records(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#view.buffer as ArrayBuffer, 0, this.#length);
  }

  #grow(end: number, revision: number): void {
    if (this.#length === 0) this.#firstRevision = revision;
    this.#firstRevision = Math.min(this.#firstRevision, revision);
    this.#lastRevision = Math.max(this.#lastRevision, revision);
    this.#length = end;
  }
}

/** The records of a row, in order. Throws RangeError where they do not fit its length. */
export function* readRecords(row: Uint8Array): Iterable<LogRecord> {
  const bytes = Buffer.from(row.buffer, row.byteOffset, row.byteLength);
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength);
  let start = 0;
  while (start < row.length) {
    const flags = view.getUint8(start + 6);
    const expires = (flags & expiresFlag) !== 0;
    const keyStart = start + headerBytes + (expires ? 8 : 0);
    const valueStart = keyStart + view.getUint16(start + 4, true);
    const end = valueStart + view.getUint32(start, true);
    if (end > row.length)
      throw new RangeError(`a record at ${start} ends at ${end}, behind the row's ${row.length}`);
    yield {
      key: bytes.toString("utf8", keyStart, valueStart),
      revision: view.getFloat64(start + 8, true),
      createRevision: view.getFloat64(start + 16, true),
      version: (flags & deletedFlag) === 0 ? view.getFloat64(start + 24, true) : 0,
      expiresAt: expires ? view.getFloat64(start + headerBytes, true) : undefined,
      start,
      valueStart,
      end,
    };
    start = end;
  }
}

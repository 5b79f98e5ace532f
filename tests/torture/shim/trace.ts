import { readFileSync } from "node:fs";

/**
 * What the preload shim saw, in the order in which the kernel saw it. Paths are relative to the
 * traced root; a file is known by its inode from its creation on.
 */
export type TraceRecord =
  | { readonly kind: "create"; readonly inode: number; readonly path: string }
  | {
      readonly kind: "write";
      readonly inode: number;
      readonly offset: number;
      readonly data: Uint8Array;
    }
  | { readonly kind: "truncate"; readonly inode: number; readonly size: number }
  | { readonly kind: "unlink"; readonly path: string }
  | { readonly kind: "rename"; readonly from: string; readonly to: string }
  | ({ readonly kind: "sync-begin" } & Sync)
  | ({ readonly kind: "sync-end" } & Sync)
  | { readonly kind: "mkdir"; readonly path: string }
  | { readonly kind: "rmdir"; readonly path: string }
  /** What the program said meanwhile. */
  | { readonly kind: "report"; readonly text: string };

interface Sync {
  /** Joins the beginning of a sync and its end; unique within a trace. */
  readonly id: number;
  readonly inode: number;
  readonly path: string;
  readonly isDirectory: boolean;
  /** fdatasync: the data and what is needed to read it, no other metadata. */
  readonly isDataOnly: boolean;
}

const headerBytes = 24;
const directoryFlag = 1;
const dataOnlyFlag = 2;

/** Reads a trace; the last record may be cut off, since its program may have been killed. */
export function readTrace(file: string): TraceRecord[] {
  const bytes = readFileSync(file);
  const records: TraceRecord[] = [];
  let at = 0;
  while (at + headerBytes <= bytes.length) {
    const pathStart = at + headerBytes;
    const dataStart = pathStart + bytes.readUInt16LE(at + 2);
    const end = dataStart + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) break;
    records.push(
      decode({
        kind: bytes.readUInt8(at),
        flags: bytes.readUInt8(at + 1),
        inode: Number(bytes.readBigUInt64LE(at + 8)),
        number: Number(bytes.readBigUInt64LE(at + 16)),
        path: bytes.toString("utf8", pathStart, dataStart),
        data: bytes.subarray(dataStart, end),
      }),
    );
    at = end;
  }
  return records;
}

interface RawRecord {
  readonly kind: number;
  readonly flags: number;
  readonly inode: number;
  readonly number: number;
  readonly path: string;
  readonly data: Buffer;
}

/** The numbers are those of `enum kind` in preload-shim.c. */
function decode(raw: RawRecord): TraceRecord {
  const { inode, number, path, data } = raw;
  switch (raw.kind) {
    case 1:
      return { kind: "create", inode, path };
    case 2:
      return { kind: "write", inode, offset: number, data };
    case 3:
      return { kind: "truncate", inode, size: number };
    case 4:
      return { kind: "unlink", path };
    case 5: {
      const [from = "", to = ""] = path.split("\n");
      return { kind: "rename", from, to };
    }
    case 6:
    case 7:
      return {
        kind: raw.kind === 6 ? "sync-begin" : "sync-end",
        id: number,
        inode,
        path,
        isDirectory: (raw.flags & directoryFlag) !== 0,
        isDataOnly: (raw.flags & dataOnlyFlag) !== 0,
      };
    case 8:
      return { kind: "mkdir", path };
    case 9:
      return { kind: "rmdir", path };
    case 10:
      return { kind: "report", text: data.toString("utf8") };
    default:
      throw new RangeError(`a trace record has kind ${raw.kind}, expected 1 to 10`);
  }
}

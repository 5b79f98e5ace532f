import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Random } from "@homeostat/concurrency";

export interface PrivateFileOptions {
  /** Names the file while it is incomplete. */
  readonly random: Random;
  /** Default 0o600: for its owner alone. */
  readonly mode?: number;
  /**
   * What must survive a power loss once this returns: the file; or only that it is whole where it is
   * found, be it the one before; or nothing. Default: the file.
   */
  readonly durable?: "file" | "content" | "nothing";
}

/**
 * Writes a file whole or not at all: readers, and a process killed half-way, see the old content or
 * the new. The mode holds from the first byte on.
 */
export function replacePrivateFile(
  file: string,
  content: string,
  { random, mode = 0o600, durable = "file" }: PrivateFileOptions,
): void {
  const incomplete = `${file}.${Buffer.from(random.bytes(6)).toString("hex")}.tmp`;
  try {
    writeNewFile(incomplete, content, { mode, durable: durable !== "nothing" });
    renameSync(incomplete, file);
  } catch (error) {
    if (existsSync(incomplete)) rmSync(incomplete);
    throw error;
  }
  if (durable === "file") syncPath(dirname(file));
}

/** Fails when the file exists. */
export function writeNewFile(
  file: string,
  content: string,
  { mode, durable }: { mode: number; durable: boolean },
): void {
  const descriptor = openSync(file, "wx", mode);
  try {
    writeFileSync(descriptor, content);
    if (durable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A directory too: the name of a new file survives a power loss only like this. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

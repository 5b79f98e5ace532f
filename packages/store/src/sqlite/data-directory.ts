import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
} from "node:fs";
import { dirname } from "node:path";
import { StoreDirectoryError } from "../store-error.ts";

/**
 * Makes a directory and what is missing above it, so that it survives a power loss, or throws
 * StoreDirectoryError. Step by step: Node's recursive way never ends where a parent refuses
 * children (/proc).
 */
export function makeDirectory(directory: string, { sync }: { sync: boolean }): void {
  const missing: string[] = [];
  for (let at = directory; !existsSync(at); at = dirname(at)) missing.push(at);
  try {
    for (const each of missing.reverse()) {
      mkdirSync(each);
      if (sync) syncPath(dirname(each));
    }
    accessSync(directory, constants.R_OK | constants.W_OK);
    readdirSync(directory);
  } catch (error) {
    throw new StoreDirectoryError(directory, error as Error);
  }
}

/** Syncs a file, or a directory: the names of new files survive a power loss only like this. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

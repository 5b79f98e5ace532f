import type { WatchFrame } from "@homeostat/object-model";
import type { WatchPayload } from "./answer.ts";
import type { WatchLine } from "./watch-line.ts";

/** Each chunk holds whole lines. */
export function chunksOf(
  payload: WatchPayload,
  encode: (line: WatchLine) => Uint8Array,
): AsyncIterableIterator<Uint8Array> {
  return streamOf(payload, async () => {
    const lines = await payload.next();
    if (lines === undefined) return undefined;
    return lines.length === 1 ? encode(lines[0]!) : Buffer.concat(lines.map(encode));
  });
}

export function framesOf(payload: WatchPayload): AsyncIterableIterator<WatchFrame> {
  let pending: WatchFrame[] = [];
  return streamOf(payload, async () => {
    while (pending.length === 0) {
      const lines = await payload.next();
      if (lines === undefined) return undefined;
      pending = lines.map((line) => line.frame);
    }
    return pending.shift();
  });
}

/** Whoever stops reading ends the watch, and so does a line that cannot be made. */
function streamOf<T>(
  payload: WatchPayload,
  next: () => Promise<T | undefined>,
): AsyncIterableIterator<T> {
  const end = (): Promise<{ done: true; value: undefined }> => {
    payload.end();
    return Promise.resolve({ done: true, value: undefined });
  };
  const iterator: AsyncIterableIterator<T> = {
    [Symbol.asyncIterator]: () => iterator,
    next: async () => {
      try {
        const value = await next();
        return value === undefined ? await end() : { done: false, value };
      } catch (error) {
        payload.end();
        throw error;
      }
    },
    return: end,
  };
  return iterator;
}

import type { Duplex } from "node:stream";

/**
 * Waits for the end of a connection, however that comes about. Not by `once` of node:events: whoever
 * writes as he is cut hears of it as an error first.
 */
export async function untilClosed(socket: Duplex): Promise<void> {
  if (!socket.closed) await new Promise<void>((resolve) => void socket.once("close", resolve));
}

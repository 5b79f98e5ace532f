/** What clients may take of the server before it lets go of them. Times in milliseconds. */
export interface ConnectionLimits {
  /** Connections at a time; one more is closed at once. */
  readonly connections: number;
  /** From the first packet to the end of the first request's head, the TLS handshake included. */
  readonly firstHead: number;
  /** Without a request, for clients that have shown who they are. */
  readonly idle: number;
  /** Without a request, for all others. */
  readonly idleUnknown: number;
  /** Of one body, from its head to its end. */
  readonly body: number;
  /** Without taking anything of an answer that waits. */
  readonly answer: number;
}

export const DEFAULT_LIMITS: ConnectionLimits = {
  connections: 10_000,
  firstHead: 32_000,
  // Longer than clients keep a connection that they do not use: they should be the ones to close it.
  idle: 120_000,
  idleUnknown: 30_000,
  body: 60_000,
  answer: 60_000,
};

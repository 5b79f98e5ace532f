/** A client of HTTPS: bytes out, bytes in, nothing interpreted. */
export interface Wire extends AsyncDisposable {
  /** Rejects when there is no answer at all. */
  send(request: WireRequest): Promise<WireAnswer>;
}

export interface WireRequest {
  readonly method: string;
  /** With the query, escaped. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Breaks off; the chunks end. */
  stop(): void;
  stopped(): boolean;
}

/** Where to connect, and as whom: without a certificate as nobody. */
export interface Identity {
  readonly port: number;
  /** PEM of the authority to trust. */
  readonly authority: string;
  readonly certificate?: string;
  readonly key?: string;
}

export async function bytesOf({ chunks }: Pick<WireAnswer, "chunks">): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

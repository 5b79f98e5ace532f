/** Which admission plugins a server asks: this one, or all that kube-apiserver has on by default. */
export type AskedPlugins = "NamespaceLifecycle" | "default";

/** A server under comparison: bytes in, bytes out. What it is made of stays behind this. */
export interface Target extends AsyncDisposable {
  readonly name: string;
  /** Rejects only when there is no answer at all. */
  send(request: TargetRequest): Promise<TargetAnswer>;
}

export interface TargetRequest {
  readonly method: string;
  /** With the query, escaped. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
}

export interface TargetAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly chunks: AsyncIterable<Uint8Array>;
}

import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import type { KubeconfigAccess } from "../../../bench/harness/homeostat-peer.ts";

/** The connection was lost before there was a whole answer: nobody knows what happened. */
export class UnansweredError extends Error {
  readonly code = "unanswered";
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: ApiBody;
}

/** What the torture reads of an object, a list, a Status or a watch event. */
export interface ApiBody {
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly items?: readonly ApiBody[];
  readonly message?: string;
  readonly code?: number;
}

export interface WatchLine {
  readonly type: string;
  readonly object: ApiBody;
}

/** One HTTP/2 connection to one life of the server. */
export class ApiClient implements Disposable {
  readonly #session: ClientHttp2Session;

  constructor(access: KubeconfigAccess) {
    const { url, ca, clientCertificate: cert, clientKey: key } = access;
    this.#session = connect(url, { ca, cert, key });
    // Every request that is lost with the connection says so itself.
    this.#session.on("error", () => undefined);
  }

  /** Throws UnansweredError. */
  async send(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const { status, stream } = await this.#open(method, path, body);
    const pieces: Buffer[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    stream.on("data", (piece: Buffer) => pieces.push(piece));
    stream.once("end", resolve);
    stream.once("close", () => reject(new UnansweredError("cut in the middle of the answer")));
    await promise;
    try {
      return { status, body: JSON.parse(Buffer.concat(pieces).toString()) as ApiBody };
    } catch (error) {
      // A reset stream ends as a whole one does.
      throw new UnansweredError("half an answer", { cause: error });
    }
  }

  /** Opens a watch: its lines until it ends, however it ends. Throws UnansweredError where it is refused. */
  async watch(path: string): Promise<AsyncGenerator<WatchLine, undefined>> {
    const { status, stream } = await this.#open("GET", path);
    if (status === 200) return linesOf(stream);
    stream.destroy();
    throw new UnansweredError(`a watch was answered ${status}`);
  }

  [Symbol.dispose](): void {
    this.#session.destroy();
  }

  #open(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; stream: ClientHttp2Stream }> {
    const { promise, resolve, reject } = Promise.withResolvers<{
      status: number;
      stream: ClientHttp2Stream;
    }>();
    if (this.#session.destroyed || this.#session.closed) {
      throw new UnansweredError("the connection is closed");
    }
    const stream = this.#session.request(
      {
        ":method": method,
        ":path": path,
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      { endStream: body === undefined },
    );
    stream.once("response", (headers) => resolve({ status: Number(headers[":status"]), stream }));
    stream.on("error", (cause) => reject(new UnansweredError("connection lost", { cause })));
    stream.once("close", () => reject(new UnansweredError("closed without an answer")));
    if (body !== undefined) stream.end(JSON.stringify(body));
    return promise;
  }
}

async function* linesOf(stream: ClientHttp2Stream): AsyncGenerator<WatchLine, undefined> {
  let rest = "";
  try {
    for await (const piece of stream.setEncoding("utf8") as AsyncIterable<string>) {
      const lines = (rest + piece).split("\n");
      // What a killed server sent of its last line is no event.
      rest = lines.pop() ?? "";
      for (const line of lines) yield JSON.parse(line) as WatchLine;
    }
  } catch (error) {
    // A connection that is lost ends a watch as well; a line that is no JSON is no such thing.
    if (error instanceof SyntaxError) throw error;
  } finally {
    stream.destroy();
  }
}

import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from "node:http2";
import type { Identity, Wire, WireAnswer, WireRequest } from "./wire.ts";

/** One HTTP/2 connection; every request is a stream of it. */
export class Http2Wire implements Wire {
  readonly session: ClientHttp2Session;

  constructor({ port, authority, certificate, key }: Identity) {
    this.session = connect(`https://127.0.0.1:${port}`, {
      ca: authority,
      ...(certificate === undefined ? {} : { cert: certificate }),
      ...(key === undefined ? {} : { key }),
      settings: { initialWindowSize: 1024 * 1024 },
    });
    // Requests under way learn of it themselves.
    this.session.on("error", () => undefined);
  }

  send({ method, path, headers, body }: WireRequest): Promise<WireAnswer> {
    return new Promise((resolve, reject) => {
      const stream = this.session.request(
        { ":method": method, ":path": path, ...headers },
        { endStream: body === undefined },
      );
      let stopped = false;
      stream.once("error", reject);
      stream.once("close", () => reject(new Error(`${method} ${path}: closed without an answer`)));
      stream.once("response", (head: IncomingHttpHeaders & { ":status"?: number }) => {
        const stop = (): void => {
          stopped = true;
          stream.close(constants.NGHTTP2_CANCEL);
        };
        const chunks = unlessStopped(stream, () => stopped);
        resolve({
          status: head[":status"] ?? 0,
          headers: head,
          chunks,
          stop,
          stopped: () => stopped,
        });
      });
      if (body !== undefined) stream.end(body);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.session.destroy();
  }
}

/** The end that the reader itself asked for is an ordinary one. */
async function* unlessStopped(
  stream: ClientHttp2Stream,
  isStopped: () => boolean,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } catch (error) {
    if (!isStopped()) throw error;
  }
}

/**
 * A command's streams, whichever protocol carries them: WebSocket messages with a channel in their first
 * byte (v5 and v4), or SPDY streams that say in their headers what they are (v4).
 */
import { type Duplex, PassThrough, type Readable } from "node:stream";
import { SpdyConnection, type SpdyStream } from "./spdy-connection.ts";
import { WebSocketConnection } from "./websocket-connection.ts";

export interface CommandStreams {
  readonly stdin: Readable;
  readonly stdout: (bytes: Uint8Array) => void;
  readonly stderr: (bytes: Uint8Array) => void;
  /** Says how it ended, and closes. */
  readonly finish: (status: object) => void;
  /** Calls back when the connection is over, however that came about. */
  readonly onGone: (listener: () => void) => void;
}

/** What the client asked for. */
export interface WantedStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

const CLOSE_SIGNAL = 255;

export function webSocketStreams(socket: Duplex, isV5: boolean): CommandStreams {
  const connection = new WebSocketConnection(socket);
  const stdin = new PassThrough();
  const send = (channel: number, bytes: Uint8Array): void =>
    connection.send(Buffer.concat([Buffer.from([channel]), bytes]));
  // So that the client knows the connection stands.
  send(1, Buffer.alloc(0));
  void (async () => {
    for await (const message of connection.messages()) {
      if (isV5 && message[0] === CLOSE_SIGNAL && message[1] === 0) stdin.end();
      else if (message[0] === 0 && message.length > 1) stdin.write(message.subarray(1));
    }
    stdin.end();
  })();
  return {
    stdin,
    stdout: (bytes) => send(1, bytes),
    stderr: (bytes) => send(2, bytes),
    finish: (status) => {
      send(3, Buffer.from(JSON.stringify(status)));
      connection.close();
    },
    onGone: (listener) => void socket.once("close", listener),
  };
}

/** Resolves when the client has opened the streams it asked for, and the one for errors. */
export function spdyStreams(socket: Duplex, wanted: WantedStreams): Promise<CommandStreams> {
  const expected = ["error", ...(["stdin", "stdout", "stderr"] as const).filter((n) => wanted[n])];
  const opened = new Map<string, SpdyStream>();
  return new Promise((resolve) => {
    const connection = new SpdyConnection(socket, (stream) => {
      opened.set(stream.headers["streamtype"] ?? "", stream);
      if (!expected.every((name) => opened.has(name))) return;
      resolve({
        stdin: opened.get("stdin")?.input ?? new PassThrough().end(),
        stdout: (bytes) => opened.get("stdout")?.write(bytes),
        stderr: (bytes) => opened.get("stderr")?.write(bytes),
        finish: (status) => {
          opened.get("error")!.write(Buffer.from(JSON.stringify(status)));
          for (const each of opened.values()) each.end();
          connection.close();
        },
        onGone: (listener) => void socket.once("close", listener),
      });
    });
  });
}

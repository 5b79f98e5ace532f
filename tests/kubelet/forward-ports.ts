import { connect } from "node:net";
import { Duplex } from "node:stream";
import { SpdyConnection, type SpdyStream } from "./spdy-connection.ts";
import { WebSocketConnection } from "./websocket-connection.ts";

/** Each pair of streams that the client opens is one connection to a port of this machine. */
export function forwardPorts(socket: Duplex): void {
  const errors = new Map<string, SpdyStream>();
  const connection: SpdyConnection = new SpdyConnection(socket, (stream) => {
    const { streamtype: type = "", port = "", requestid: id = "" } = stream.headers;
    if (type === "error") errors.set(id, stream);
    else if (type === "data") join(stream, Number(port), errors.get(id));
    else connection.close();
  });
}

function join(stream: SpdyStream, port: number, error: SpdyStream | undefined): void {
  const target = connect(port, "127.0.0.1");
  stream.input.pipe(target);
  target.on("data", (bytes: Buffer) => stream.write(bytes));
  target.once("end", () => stream.end());
  target.once("close", () => {
    stream.end();
    error?.end();
  });
  target.once("error", ({ message }) =>
    error?.write(Buffer.from(`an error occurred forwarding ${port}: ${message}`)),
  );
}

/** The bytes of a connection that a WebSocket's messages carry. */
export function tunnelOf(socket: Duplex): Duplex {
  const connection = new WebSocketConnection(socket);
  const tunnel = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      connection.send(chunk);
      done();
    },
    final: (done) => {
      connection.close();
      done();
    },
  });
  void (async () => {
    for await (const message of connection.messages()) tunnel.push(message);
    tunnel.push(null);
  })();
  return tunnel;
}

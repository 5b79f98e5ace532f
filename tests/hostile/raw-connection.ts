import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { realClock } from "@homeostat/concurrency";
import type { Identity } from "../semantics/wire.ts";

/** A TLS connection that speaks whatever bytes it is given, as no HTTP library would let us. */
export class RawConnection implements Disposable {
  readonly socket: TLSSocket;
  readonly closed: Promise<void>;
  received = "";

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.setEncoding("latin1").on("data", (chunk: string) => (this.received += chunk));
    socket.on("error", () => undefined);
    this.closed = new Promise((resolve) => socket.once("close", () => resolve()));
  }

  static async open(identity: Identity, protocol: "h2" | "http/1.1"): Promise<RawConnection> {
    const { port, authority: ca, certificate, key } = identity;
    const socket = connect({
      host: "127.0.0.1",
      port,
      ca,
      ALPNProtocols: [protocol],
      ...(certificate === undefined ? {} : { cert: certificate, key }),
    });
    await once(socket, "secureConnect");
    return new RawConnection(socket);
  }

  write(text: string | Uint8Array): void {
    if (this.socket.writable) this.socket.write(text);
  }

  /**
   * What was received, as soon as it matches; also when the other end has closed, or time is up. Who waits
   * for what has to come leaves the time as it is: more than any busy machine takes.
   */
  async until(
    enough: RegExp | ((received: string) => boolean),
    milliseconds = 30_000,
  ): Promise<string> {
    const isEnough = typeof enough === "function" ? enough : (text: string) => enough.test(text);
    const end = realClock.monotonic() + milliseconds;
    while (!isEnough(this.received) && !this.socket.closed && realClock.monotonic() < end) {
      await new Promise<void>((resolve) => void realClock.setTimer(2, resolve));
    }
    return this.received;
  }

  /** The status codes of the answers so far. */
  statuses(): readonly number[] {
    return [...this.received.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, code]) => Number(code));
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

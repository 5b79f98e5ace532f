import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** TCP in between, that can be cut at any byte, as cables are. */
export class CuttableProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** How many more bytes reach the client before everything is cut. */
  #left = Number.POSITIVE_INFINITY;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(targetPort: number): Promise<CuttableProxy> {
    const server = createServer();
    const proxy = new CuttableProxy(server);
    server.on("connection", (client) => proxy.#join(client, targetPort));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Cuts every connection now; new ones go through. */
  cut(): void {
    this.#left = Number.POSITIVE_INFINITY;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Cuts after so many more bytes to clients, wherever in a line that is. */
  cutAfter(bytes: number): void {
    this.#left = bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #join(client: Socket, targetPort: number): void {
    const upstream = connect(targetPort, "127.0.0.1");
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on("data", (chunk: Buffer) => {
      const part = chunk.subarray(0, this.#left);
      this.#left -= part.length;
      if (part.length === chunk.length) client.write(part);
      else client.write(part, () => this.cut());
    });
  }
}

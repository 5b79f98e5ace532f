import type { Socket } from "node:net";
import type { ConnectionLimits } from "./connection-limits.ts";
import type { Deadline, Deadlines } from "./deadlines.ts";

/** Every connection of a listener, from its first packet on: how many there are, and who is idle. */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #deadlines: Deadlines;
  /** By the addresses of both ends: what TLS makes of a socket is another object. */
  readonly #byPeer = new Map<string, Connection>();

  constructor(limits: ConnectionLimits, deadlines: Deadlines) {
    this.#limits = limits;
    this.#deadlines = deadlines;
  }

  /** A new connection, as the system gives it; one too many is closed. */
  accept(socket: Socket): void {
    if (this.#byPeer.size >= this.#limits.connections) {
      socket.destroy();
      return;
    }
    const peer = peerOf(socket);
    const connection = new Connection(socket, this.#limits, this.#deadlines);
    this.#byPeer.set(peer, connection);
    socket.once("close", () => {
      connection.leaveForGood();
      // The same address may be back before the end of this one is told.
      if (this.#byPeer.get(peer) === connection) this.#byPeer.delete(peer);
    });
  }

  /** The connection that a socket, or what TLS made of it, belongs to. */
  of(socket: Socket): Connection | undefined {
    return this.#byPeer.get(peerOf(socket));
  }

  cutAll(): void {
    for (const connection of this.#byPeer.values()) connection.cut();
  }

  /** Each is closed after what is under way: their clients have to come anew. */
  retireAll(): void {
    for (const connection of this.#byPeer.values()) connection.retire();
  }
}

function peerOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

/** One connection. It is idle while no request is under way; what is upgraded never is again. */
export class Connection {
  readonly #socket: Socket;
  readonly #limits: ConnectionLimits;
  readonly #deadlines: Deadlines;
  #requests = 0;
  #isKnown = false;
  #isRetired = false;
  #idle: Deadline | undefined;
  #closeIdle: () => void;
  readonly #cutIdle = (): void => this.#closeIdle();
  #written: Socket | undefined;

  constructor(socket: Socket, limits: ConnectionLimits, deadlines: Deadlines) {
    this.#socket = socket;
    this.#limits = limits;
    this.#deadlines = deadlines;
    this.#closeIdle = () => socket.destroy();
    this.#idle = deadlines.set(limits.firstHead, this.#cutIdle);
  }

  /** A request has begun: its head is there. */
  enter(): void {
    this.#requests++;
    this.#idle?.release();
    this.#idle = undefined;
  }

  /** A request is over. */
  leave(): void {
    this.#requests--;
    if (this.#requests > 0 || this.#socket.destroyed) return;
    if (this.#isRetired) return this.#written?.destroySoon();
    const { idle, idleUnknown } = this.#limits;
    const patience = this.#isKnown ? idle : idleUnknown;
    this.#idle = this.#deadlines.set(patience, this.#cutIdle);
  }

  /** How to close it while it is idle, where that can be said in its protocol. */
  closeIdleBy(close: () => void): void {
    this.#closeIdle = close;
  }

  /** The end of it that answers are written to, and that can be closed behind one. */
  writeTo(socket: Socket): void {
    this.#written = socket;
  }

  retire(): void {
    this.#isRetired = true;
    if (this.#requests === 0) this.#closeIdle();
  }

  /** Somebody has shown who they are. */
  know(): void {
    this.#isKnown = true;
  }

  cut(): void {
    this.#socket.destroy();
  }

  leaveForGood(): void {
    this.#idle?.release();
    this.#idle = undefined;
    this.#requests = Number.POSITIVE_INFINITY;
  }
}

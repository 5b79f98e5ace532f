/**
 * To the node: logs, exec, attach, port-forward and proxying. This folder decides, after the request
 * has been authorized, where a request goes and what goes along; it dials nobody. Dialling is behind
 * {@link NodeConnector}, whose real one is in http/. What holds for every connection: a redirect is
 * never followed, the caller's credentials stay here, the server's own are shown to kubelets only,
 * and nothing that comes back is logged.
 */

/** Where one request goes. */
export interface Destination {
  readonly scheme: "http" | "https";
  /** A name or an address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query as they are sent. */
  readonly target: string;
  /**
   * Who is there. A kubelet is shown the server's certificate, and its own is verified where an
   * authority for kubelets is known, unless the caller may and does ask not to. A workload is shown
   * nothing and not verified.
   */
  readonly peer: "kubelet" | "unverified-kubelet" | "workload";
  /** The address dialled, after a name is resolved, must be one that another machine can have. */
  readonly globalOnly: boolean;
}

/** Names in lower case. */
export type NodeHeaders = Readonly<Record<string, string | readonly string[]>>;

/** What is sent there. */
export interface NodeRequest {
  readonly method: string;
  readonly headers: NodeHeaders;
  readonly body?: Uint8Array;
  /** Ends the connection. */
  readonly signal?: AbortSignal;
}

/** A whole head; the body comes as it is read, and ends the connection when its reader leaves. */
export interface NodeAnswer {
  readonly status: number;
  readonly headers: NodeHeaders;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** For whoever does not read the body: gives the connection free. */
  cancel(): void;
}

/** The other side changed protocol: what follows its head is for the caller, and nobody else's. */
export interface NodeUpgrade {
  readonly headers: NodeHeaders;
  readonly stream: NodeStream;
}

/** Bytes both ways, as Node's sockets have them: as much as passing them on needs. */
export interface NodeStream {
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "error", listener: () => void): unknown;
  once(event: "close" | "drain" | "end", listener: () => void): unknown;
  /** False: wait for `drain`. */
  write(chunk: Uint8Array | string): boolean;
  end(whenTaken: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
}

export interface NodeConnector {
  /** Rejects with NodeConnectionError. */
  exchange(to: Destination, request: NodeRequest): Promise<NodeAnswer>;
  /** The same for a request that wants another protocol; an answer if it is not granted. */
  upgrade(
    to: Destination,
    request: NodeRequest,
  ): Promise<
    | { readonly kind: "upgrade"; readonly upgrade: NodeUpgrade }
    | { readonly kind: "answer"; readonly answer: NodeAnswer }
  >;
}

/** How a plane reaches its nodes. */
export interface NodeAccess {
  readonly connector: NodeConnector;
  /** Types of node addresses, the preferred first. */
  readonly addressTypes: readonly string[];
  /**
   * Whether /proxy may go to addresses of this very machine (loopback, link-local): such an address in
   * an object is the word of whoever may write it, and behind it are services that trust the machine.
   */
  readonly allowLocalAddresses: boolean;
}

/** kube-apiserver's order. */
export const NODE_ADDRESS_TYPES: readonly string[] = [
  "Hostname",
  "InternalDNS",
  "InternalIP",
  "ExternalDNS",
  "ExternalIP",
];

/** Why there is no answer, in Go's words: `dial tcp 10.0.0.1:10250: connect: connection refused`. */
export class NodeConnectionError extends Error {
  override readonly name: string = "NodeConnectionError";
  readonly code: "node-unreachable" | "node-address-not-allowed" | "node-lookup-failed";

  constructor(code: NodeConnectionError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

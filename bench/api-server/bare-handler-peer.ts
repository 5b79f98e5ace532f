// The bare handler as a process of its own.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DataFolder } from "../harness/data-folder.ts";
import { isListening } from "../harness/homeostat-peer.ts";
import { writeCertificates } from "../harness/http-driver.ts";
import type { LoadedServer, ServerFiles } from "../harness/loaded-server.ts";
import { PeerProcess } from "../harness/peer-process.ts";
import { treeUsage } from "../harness/process-tree.ts";
import type { ProcessUsage } from "../harness/process-usage.ts";

const program = fileURLToPath(new URL("./bare-handler.ts", import.meta.url));

export interface BareHandlerPeerOptions {
  readonly signal?: AbortSignal;
  readonly nodeArguments?: readonly string[];
  /** HTTP/2 in plain text. */
  readonly plain?: boolean;
}

export class BareHandlerPeer implements LoadedServer {
  readonly name = "bare handler";
  readonly url: string;
  readonly files: ServerFiles;
  readonly #process: PeerProcess;
  readonly #certificates: DataFolder;

  private constructor(parts: {
    process: PeerProcess;
    certificates: DataFolder;
    isPlain: boolean;
  }) {
    const { process, certificates, isPlain } = parts;
    this.#process = process;
    this.#certificates = certificates;
    this.url = urlOf(process.place.ports, isPlain);
    this.files = {
      ca: join(certificates.path, "ca.crt"),
      clientCertificate: join(certificates.path, "client.crt"),
      clientKey: join(certificates.path, "client.key"),
    };
  }

  static async start(options: BareHandlerPeerOptions = {}): Promise<BareHandlerPeer> {
    const plain = options.plain ?? false;
    await using undo = new AsyncDisposableStack();
    const certificates = undo.use(new DataFolder("bare-certificates"));
    await writeCertificates(certificates.path);
    const peer = undo.use(
      await PeerProcess.start({
        name: "bare-handler",
        command: process.execPath,
        ports: 1,
        commandArguments: ({ folder, ports: [port] }) => [
          ...(options.nodeArguments ?? []),
          "--conditions=@homeostat/source",
          program,
          JSON.stringify({
            certificates: certificates.path,
            directory: `${folder}/store`,
            port,
            plain,
          }),
        ],
        isReady: ({ ports }) => isListening(urlOf(ports, plain)),
        ...(options.signal && { signal: options.signal }),
      }),
    );
    undo.move();
    return new BareHandlerPeer({ process: peer, certificates, isPlain: plain });
  }

  get pid(): number {
    return this.#process.pid;
  }

  usage(): ProcessUsage {
    return treeUsage(this.#process.pid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    await this.#certificates[Symbol.asyncDispose]();
  }
}

function urlOf(ports: readonly number[], isPlain: boolean): string {
  return `${isPlain ? "http" : "https"}://127.0.0.1:${ports[0]}`;
}

// A server under load as the driver sees it: where it is, with what to get in, and what it costs.
import type { ProcessUsage } from "./process-usage.ts";

export interface ServerFiles {
  /** The authority that signed the server's certificate. */
  readonly ca: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
}

export interface LoadedServer extends AsyncDisposable {
  /** As it stands in tables. */
  readonly name: string;
  readonly url: string;
  readonly files: ServerFiles;
  /** All its processes together. */
  usage(): ProcessUsage;
  /** Told as soon as the driver says that a phase begins. */
  onPhase?(name: string): void;
}

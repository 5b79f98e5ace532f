export type LeafUsage = "server" | "client";

/** Kubernetes reads a client's user name from the common name, its groups from the organizations. */
export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

export interface CertificateRequest {
  readonly subject: Subject;
  readonly usage: LeafUsage;
  /** DNS names and IP addresses that a server answers to. */
  readonly names?: readonly string[];
}

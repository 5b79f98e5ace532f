interface SystemError extends Error {
  readonly code?: string;
  readonly hostname?: string;
  readonly cert?: { readonly subjectaltname?: string };
  readonly errors?: readonly Error[];
}

const CONNECT: Readonly<Partial<Record<string, string>>> = {
  ECONNREFUSED: "connect: connection refused",
  EHOSTUNREACH: "connect: no route to host",
  ENETUNREACH: "connect: network is unreachable",
  ETIMEDOUT: "i/o timeout",
};

const UNKNOWN_AUTHORITY: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Why a connection failed, in the words of Go's client where it has some. */
export function explainFailure(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
): string {
  if (!(error instanceof Error)) return String(error);
  const failure = error as SystemError;
  const { code = "" } = failure;
  const connect = CONNECT[code];
  if (connect !== undefined) {
    return `dial tcp ${host.includes(":") ? `[${host}]` : host}:${port}: ${connect}`;
  }
  if (code === "ENOTFOUND") return `dial tcp: lookup ${failure.hostname ?? host}: no such host`;
  if (code === "ECONNRESET") return "EOF";
  if (UNKNOWN_AUTHORITY.has(code)) return x509("certificate signed by unknown authority");
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID") {
    return x509("certificate has expired or is not yet valid");
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return x509(wrongName(failure, host));
  return error.message;
}

function x509(why: string): string {
  return `tls: failed to verify certificate: x509: ${why}`;
}

function wrongName({ cert }: SystemError, host: string): string {
  const names = (cert?.subjectaltname ?? "")
    .split(", ")
    .filter((name) => name !== "")
    .map((name) => name.slice(name.indexOf(":") + 1));
  return names.length === 0
    ? `certificate is not valid for any names, but wanted to match ${host}`
    : `certificate is valid for ${names.join(", ")}, not ${host}`;
}

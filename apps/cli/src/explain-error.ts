/** Says what went wrong and what to do; with a stack only where nobody foresaw it. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return unforeseen(error);
  const { address, port } = error as Error & { address?: string; port?: number };
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} at ${address} is in use; stop the process that listens there, or choose another port with --port (0: any free one)`;
    case "EACCES":
      return port === undefined
        ? error.message
        : `no right to listen at port ${port}; choose one above 1023 with --port`;
    case "EADDRNOTAVAIL":
      return `this machine has no address ${address}; choose another with --bind-address`;
    case "store-directory-unusable":
      return `${error.message}; make it writable, choose another with --data-dir, or keep nothing with --ephemeral`;
    default:
      // Errors with a code of our own say themselves what to do; so do the system's (ENOSPC: ...).
      return typeof code === "string" && isForeseen(code) ? error.message : unforeseen(error);
  }
}

const foreseen = /^(store-|certificate-|kubeconfig-|flag-|shutdown-|E[A-Z0-9]+$)/;

function isForeseen(code: string): boolean {
  return foreseen.test(code) && !code.startsWith("ERR_");
}

function unforeseen(error: Error): string {
  return `unexpected: ${error.stack ?? error.message}\nThis is a bug in homeostat; please report it with the text above.`;
}

/** Progress and answers: to standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Everything else: to standard error. */
export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Who stops reading (`| head`) must not stop a server: what nobody reads is dropped. */
export function tolerateClosedOutput(): void {
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
}

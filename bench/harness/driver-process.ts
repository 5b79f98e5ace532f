// A load driver: a program that prints "phase NAME" lines on standard error as it goes along and,
// at its end, one line of JSON on standard output.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { onExit } from "./exit-cleanup.ts";

class DriverFailedError extends Error {
  readonly code = "DRIVER_FAILED";
}

export interface DriverOptions {
  readonly command: string;
  readonly commandArguments: readonly string[];
  /** Called as soon as the driver says that a phase begins. */
  readonly onPhase: (name: string) => void;
  readonly signal?: AbortSignal | undefined;
}

const phasePrefix = "phase ";

/** Runs the driver to its end and answers what it printed. A driver that fails throws what it said. */
export async function runDriver(options: DriverOptions): Promise<unknown> {
  options.signal?.throwIfAborted();
  const child = spawn(options.command, options.commandArguments, {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const forget = onExit(() => child.kill("SIGKILL"));
  const onAbort = (): void => void child.kill("SIGKILL");
  options.signal?.addEventListener("abort", onAbort, { once: true });
  let output = "";
  const complaints: string[] = [];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (line.startsWith(phasePrefix)) options.onPhase(line.slice(phasePrefix.length));
    else complaints.push(line);
  });
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    options.signal?.throwIfAborted();
    if (status !== 0) {
      const command = [options.command, ...options.commandArguments].join(" ");
      throw new DriverFailedError([`${command} failed:`, ...complaints, output.trim()].join("\n"));
    }
    return JSON.parse(output);
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
    forget();
  }
}

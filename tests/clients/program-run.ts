import { spawn } from "node:child_process";

export interface ProgramRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Told each line of both outputs. */
  readonly onLine?: (line: string) => void;
}

export interface ProgramEnd {
  readonly code: number;
  /** Both outputs, in the order in which they came. */
  readonly output: string;
}

/** Runs a program to its end. One that cannot be started has ended with 127. */
export function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  const { promise, resolve } = Promise.withResolvers<ProgramEnd>();
  const child = spawn(run.command, run.args, {
    cwd: run.folder,
    env: { ...process.env, ...run.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = (): void => void child.kill("SIGKILL");
  process.once("exit", stop);
  let output = "";
  let open = "";
  const hear = (text: string): void => {
    output += text;
    const lines = (open + text).split("\n");
    open = lines.pop() ?? "";
    for (const line of lines) run.onLine?.(line);
  };
  child.stdout.setEncoding("utf8").on("data", hear);
  child.stderr.setEncoding("utf8").on("data", hear);
  child.once("error", (error) => resolve({ code: 127, output: String(error) }));
  child.once("close", (code) => resolve({ code: code ?? 1, output }));
  return promise.finally(() => process.off("exit", stop));
}

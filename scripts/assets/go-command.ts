// The one place that runs `go`.
import { spawn, spawnSync } from "node:child_process";

class GoFailedError extends Error {
  readonly code = "GO_FAILED";
}

/** The text of `go version`, or undefined where there is no Go. */
export function goVersion(): string | undefined {
  const { status, stdout } = spawnSync("go", ["version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

export interface GoOptions {
  readonly folder: string;
  /** For what Go makes on its way; it must exist. */
  readonly temporaryFolder: string;
  /** Ends `go` and everything it started; the promise is rejected only once they are gone. */
  readonly signal: AbortSignal;
  /** Each line of the error output: `go` shows there what it downloads and compiles. */
  readonly onLine?: (line: string) => void;
}

const killAfterMilliseconds = 5000;
const linesShownOnFailure = 30;

/** Runs `go` without this repository's or the user's workspace around it; answers its output. */
export async function runGo(args: readonly string[], options: GoOptions): Promise<string> {
  options.signal.throwIfAborted();
  // A process group of its own, so that the compilers end with it, and so that Ctrl-C in a
  // terminal reaches it through `signal` only.
  const child = spawn("go", args, {
    cwd: options.folder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off", GOTMPDIR: options.temporaryFolder },
  });
  const end = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // Already gone.
    }
  };
  let killTimer: ReturnType<typeof setTimeout> | undefined;
  const onAbort = (): void => {
    end("SIGTERM");
    killTimer = setTimeout(() => end("SIGKILL"), killAfterMilliseconds);
  };
  options.signal.addEventListener("abort", onAbort, { once: true });
  let output = "";
  const errorLines: string[] = [];
  let unfinished = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    const lines = (unfinished + text).split("\n");
    unfinished = lines.pop() ?? "";
    for (const line of lines) {
      errorLines.push(line);
      options.onLine?.(line);
    }
  });
  try {
    const status = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    options.signal.throwIfAborted();
    if (status !== 0) {
      // With -json Go puts the reason into its output.
      const tail = [...output.split("\n"), ...errorLines, unfinished]
        .filter((line) => line.trim() !== "")
        .slice(-linesShownOnFailure);
      throw new GoFailedError(`go ${args.join(" ")} failed:\n${tail.join("\n")}`);
    }
    return output;
  } finally {
    clearTimeout(killTimer);
    options.signal.removeEventListener("abort", onAbort);
  }
}

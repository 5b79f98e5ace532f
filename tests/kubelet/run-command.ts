import { spawn } from "node:child_process";
import type { CommandStreams } from "./command-streams.ts";

/** Runs a command on this machine, in a folder that stands for the container's. */
export function runCommand(
  command: readonly string[],
  streams: CommandStreams,
  folder: string,
): void {
  const [file = "", ...rest] = command;
  const child = spawn(file, rest, { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
  streams.onGone(() => void child.kill("SIGKILL"));
  child.stdin.on("error", () => undefined);
  streams.stdin.pipe(child.stdin);
  child.stdout.on("data", streams.stdout);
  child.stderr.on("data", streams.stderr);
  child.once("error", (error) => streams.finish(failure("InternalError", error.message)));
  child.once("close", (code) => {
    if (code === 0) streams.finish({ metadata: {}, status: "Success" });
    else if (code !== null && code > 0) streams.finish(exited(code));
  });
}

function exited(code: number): object {
  return {
    ...failure(
      "NonZeroExitCode",
      `command terminated with non-zero exit code: exit status ${code}`,
    ),
    details: { causes: [{ reason: "ExitCode", message: String(code) }] },
  };
}

function failure(reason: string, message: string): object {
  return { metadata: {}, status: "Failure", reason, message };
}

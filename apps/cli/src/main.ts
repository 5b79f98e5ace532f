/**
 * The homeostat command. `main` runs one command line and resolves with the exit code: 0 done,
 * 1 failed, 2 asked wrongly. Each command is a file of `commands/` that is loaded when it is asked
 * for, and says by throwing what went wrong; here it becomes text. Standard output is for progress
 * and answers, standard error for everything else.
 */
import { CommanderError } from "commander";
import { explainError } from "./explain-error.ts";
import { printError, tolerateClosedOutput } from "./output.ts";
import { createProgram } from "./program.ts";

export async function main(args: readonly string[]): Promise<number> {
  tolerateClosedOutput();
  const program = createProgram();
  try {
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    // Commander has printed its own text already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    printError(`error: ${explainError(error)}`);
    return 1;
  }
}

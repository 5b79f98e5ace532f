import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Deferred } from "@homeostat/concurrency";
import type { Workspace } from "../workspace.ts";
import type { CheckAnswer, CheckRequest } from "./checker.ts";
import { differences } from "./key-states.ts";
import type { Violation } from "./violation.ts";

const program = fileURLToPath(new URL("./checker.ts", import.meta.url));

/** Opening a directory takes milliseconds; after this long it hangs. */
const patience = 60_000;

/** The checker (`checker.ts`) from the outside; replaced when it dies. */
export class CheckerProcess {
  readonly #workspace: Workspace;
  #child: ChildProcess | undefined;
  #asked = 0;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** What the checker found, or that it died or hung over it. */
  async check(directory: string): Promise<CheckAnswer | Violation> {
    this.#asked += 1;
    const child = this.#child ?? this.#spawn();
    const answer = new Deferred<CheckAnswer | Violation>();
    const onMessage = (message: CheckAnswer): void => answer.resolve(message);
    const onExit = (code: number | null, signal: string | null): void => {
      this.#child = undefined;
      answer.resolve({ kind: "died", detail: `opening it ended the process (${signal ?? code})` });
    };
    const timer = setTimeout(() => {
      answer.resolve({ kind: "hung", detail: `opening it took more than ${patience} ms` });
      child.kill("SIGKILL");
    }, patience);
    child.on("message", onMessage);
    child.once("exit", onExit);
    child.send({ id: this.#asked, directory } satisfies CheckRequest);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      child.off("message", onMessage);
      child.off("exit", onExit);
    }
  }

  stop(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  #spawn(): ChildProcess {
    const child = this.#workspace.adopt(
      fork(program, {
        execArgv: ["--conditions=@homeostat/source"],
        env: {
          ...process.env,
          NODE_OPTIONS: "",
          NODE_COMPILE_CACHE: join(this.#workspace.directory, "compile-cache"),
        },
      }),
    );
    this.#child = child;
    return child;
  }
}

/** An opened store must keep what it had and what was then written, over one more opening. */
export function checkReopened(answer: Extract<CheckAnswer, { type: "opened" }>): Violation[] {
  const { found, written, foundAgain } = answer;
  const violations: Violation[] = [];
  const revision = found.revision + written.length;
  if (foundAgain.revision !== revision) {
    const detail = `after ${written.length} more writes and a restart the revision should be ${revision}, found ${foundAgain.revision}`;
    violations.push({ kind: "wrong-state", detail });
  }
  const expected = new Map(found.current.map((state) => [state.key, state]));
  const kept = foundAgain.current.filter(({ key }) => !written.includes(key));
  for (const detail of differences(expected, kept))
    violations.push({ kind: "wrong-state", detail: `after more writes and a restart: ${detail}` });
  const missing = foundAgain.current.length - kept.length - written.length;
  if (missing !== 0)
    violations.push({
      kind: "acknowledged-write-lost",
      detail: `${-missing} writes made after it was opened`,
    });
  return violations;
}

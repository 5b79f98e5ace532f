import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { realClock } from "@homeostat/concurrency";

/** What a compiled Go test said; times in milliseconds. */
export interface GoTestRun {
  /** By the test's name. */
  readonly tests: ReadonlyMap<string, number>;
  readonly starts: readonly number[];
  readonly stops: readonly number[];
  readonly total: number;
  /** Name and what it printed, of each test that failed. */
  readonly failures: readonly string[];
}

export interface GoTestOptions {
  readonly folder: string;
  /** KUBEBUILDER_ASSETS. */
  readonly assets: string;
  /** Which tests, as Go's -run. */
  readonly pattern: string;
  readonly print: (line: string) => void;
}

const LIMIT = "15m";

export async function runGoTests(program: string, options: GoTestOptions): Promise<GoTestRun> {
  const begun = realClock.monotonic();
  const child = spawn(
    program,
    ["-test.v", `-test.timeout=${LIMIT}`, `-test.run=${options.pattern}`],
    {
      cwd: options.folder,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        KUBEBUILDER_ASSETS: options.assets,
        KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: "120s",
      },
    },
  );
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const reader = new GoTestReader();
  const read = (line: string): void => {
    reader.read(line);
    if (line.startsWith("--- ")) options.print(line);
  };
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on("line", read);
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  process.off("exit", kill);
  const failures = reader.failures();
  if (code !== 0 && failures.length === 0) {
    failures.push(`ended with ${code ?? signal}:\n${reader.lastLines()}`);
  }
  const { tests, starts, stops } = reader;
  return { tests, starts, stops, total: realClock.monotonic() - begun, failures };
}

/** Reads the lines of `go test -v`, and those that our tests write for us. */
export class GoTestReader {
  readonly tests = new Map<string, number>();
  readonly starts: number[] = [];
  readonly stops: number[] = [];
  readonly #failed = new Map<string, string[]>();
  #lines: string[] = [];

  read(line: string): void {
    const [, what, time] = /^TIME (start|stop) (\d+) ms$/.exec(line) ?? [];
    if (what !== undefined) (what === "start" ? this.starts : this.stops).push(Number(time));
    if (line.startsWith("=== RUN ")) this.#lines = [];
    this.#lines.push(line);
    const [, result, name, taken] = /^--- (PASS|FAIL|SKIP): (\S+) \((.*)s\)$/.exec(line) ?? [];
    if (name === undefined) return;
    this.tests.set(name, Number(taken) * 1000);
    if (result === "FAIL")
      this.#failed.set(
        name,
        this.#lines.filter((each) => each.startsWith(" ")),
      );
  }

  failures(): string[] {
    return [...this.#failed].map(([name, lines]) => [name, ...lines].join("\n"));
  }

  lastLines(): string {
    return this.#lines.slice(-30).join("\n");
  }
}

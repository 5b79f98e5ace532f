import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Deferred } from "@homeostat/concurrency";
import type { Workspace } from "../workspace.ts";
import type { Plant } from "./plant.ts";
import type { Report, WriterOrder } from "./report.ts";

const program = fileURLToPath(new URL("./writer.ts", import.meta.url));
const synchronousOff = new URL("./plant-synchronous-off.ts", import.meta.url).href;

/** Everything a writer does takes moments; after this long it hangs. */
const patience = 60_000;

export interface WriterProcessOptions {
  readonly workspace: Workspace;
  /** Environment of the preload shim. */
  readonly shim?: Readonly<Record<string, string>>;
  readonly plant?: Plant | undefined;
}

export interface WriterEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly errorOutput: string;
}

/** A writer (`writer.ts`) from the outside. It waits for its order: start it early, use it later. */
export class WriterProcess {
  readonly #child: ChildProcess;
  readonly #ended = new Deferred<WriterEnd>();
  #listener: (report: Report) => void = () => undefined;
  #waiting: { type: Report["type"]; answer: Deferred<Report | undefined> }[] = [];
  #errorOutput = "";
  #hasEnded = false;

  constructor(options: WriterProcessOptions) {
    const preload = options.plant === "synchronous-off" ? ["--import", synchronousOff] : [];
    this.#child = options.workspace.adopt(
      spawn(process.execPath, ["--conditions=@homeostat/source", ...preload, program], {
        stdio: ["pipe", "ignore", "pipe", "pipe"],
        env: {
          ...process.env,
          // Under vitest these would change what the writer loads.
          NODE_OPTIONS: "",
          NODE_COMPILE_CACHE: join(options.workspace.directory, "compile-cache"),
          ...options.shim,
        },
      }),
    );
    this.#child.stdin?.on("error", () => undefined);
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      this.#errorOutput += chunk.toString();
    });
    this.#readReports(this.#child.stdio[3] as Readable);
    // "close" comes after "exit", when everything that was written has been read.
    this.#child.once("close", (code, signal) => {
      this.#hasEnded = true;
      for (const { answer } of this.#waiting) answer.resolve(undefined);
      this.#ended.resolve({ code, signal, errorOutput: this.#errorOutput.trim() });
    });
  }

  /** Resolves when the process is gone and everything it said was heard. */
  get ended(): Promise<WriterEnd> {
    return this.#ended.promise;
  }

  start(order: WriterOrder, listener: (report: Report) => void): void {
    this.#listener = listener;
    this.#send(JSON.stringify(order));
  }

  tell(command: "close" | "observe"): void {
    this.#send(command);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The next report of this kind; undefined when the process ends before, or seems to hang. */
  next(type: Report["type"]): Promise<Report | undefined> {
    const answer = new Deferred<Report | undefined>();
    const timer = setTimeout(() => answer.resolve(undefined), patience);
    this.#waiting.push({ type, answer });
    return answer.promise.finally(() => clearTimeout(timer));
  }

  /** Lets a writer that got no order go home. */
  dismiss(): void {
    this.#child.stdin?.end();
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  #send(line: string): void {
    (this.#child.stdin as Writable).write(`${line}\n`);
  }

  #readReports(stream: Readable): void {
    let rest = "";
    stream.setEncoding("utf8");
    stream.on("error", () => undefined);
    stream.on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      // The last line of a killed writer may be cut off: then it said nothing.
      rest = lines.pop() ?? "";
      for (const line of lines) this.#hear(JSON.parse(line) as Report);
    });
  }

  #hear(report: Report): void {
    this.#listener(report);
    const isAwaited = ({ type }: { type: Report["type"] }): boolean => type === report.type;
    const awaited = this.#waiting.filter(isAwaited);
    this.#waiting = this.#waiting.filter((each) => !isAwaited(each));
    for (const { answer } of awaited) answer.resolve(report);
  }
}

/** Fills the compile cache, which killed processes never do: the next ones start in a third of the time. */
export async function warmUp(workspace: Workspace): Promise<void> {
  const writer = new WriterProcess({ workspace });
  writer.dismiss();
  await writer.ended;
}

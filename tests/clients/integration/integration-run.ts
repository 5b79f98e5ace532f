/** Runs tests, each in a process of its own, against the programs of one side. */
import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { realClock } from "@homeostat/concurrency";
import { DataFolder } from "../../../bench/harness/data-folder.ts";
import { startEtcdProcess } from "../../../bench/harness/etcd-process.ts";
import { onExit } from "../../../bench/harness/exit-cleanup.ts";
import type { PeerProcess } from "../../../bench/harness/peer-process.ts";
import { assetPath } from "../../../scripts/assets/asset-path.ts";
import { type EnvtestSide, provideEnvtestPrograms } from "../envtest-programs.ts";
import type { ProgramEnd } from "../program-run.ts";
import type { TestProgram } from "./integration-modules.ts";
import type { TestResult } from "./judgement.ts";
import { complaintsOf, outcomeOf } from "./test-outcome.ts";

/** For one test; the longest takes 75 s to pass, on the real programs and a busy machine with two cores. */
const LIMIT_SECONDS = 180;
const COMPLAINTS = 12;

export class IntegrationRun implements AsyncDisposable {
  readonly #undo: AsyncDisposableStack;
  readonly #logs: string;
  readonly #environment: Readonly<Record<string, string>>;

  private constructor(
    undo: AsyncDisposableStack,
    logs: string,
    environment: Readonly<Record<string, string>>,
  ) {
    this.#undo = undo;
    this.#logs = logs;
    this.#environment = environment;
  }

  /** With an etcd of the side for servers, and a real one for tests that look into it. */
  static async start(side: EnvtestSide, logs: string): Promise<IntegrationRun> {
    await using undo = new AsyncDisposableStack();
    const { path: folder } = undo.use(new DataFolder("integration"));
    const assets = join(folder, "assets");
    provideEnvtestPrograms(side, assets);
    const real = assetPath("etcd")!;
    const etcd = undo.use(await startEtcdProcess(join(assets, "etcd"), { durable: false }));
    const clients =
      side === "kube-apiserver" ? etcd : undo.use(await startEtcdProcess(real, { durable: false }));
    const temporary = join(folder, "temporary");
    mkdirSync(temporary);
    return new IntegrationRun(undo.move(), join(logs, side), {
      KUBEBUILDER_ASSETS: assets,
      KUBE_INTEGRATION_ETCD_URL: urlOf(etcd),
      TEST_CLIENTS_ETCD_URL: urlOf(clients),
      TMPDIR: temporary,
      // Some tests start an etcd of their own.
      PATH: [dirname(real), process.env["PATH"]].join(delimiter),
    });
  }

  /** The names of its tests, in their order. */
  async testsOf(program: TestProgram): Promise<readonly string[]> {
    const { code, output } = await this.#run(program, ["-test.list=."], {});
    if (code !== 0) throw new Error(`${program.name}: its tests cannot be listed:\n${output}`);
    return output.split("\n").filter((line) => /^Test\S*$/.test(line));
  }

  /** Without the parts that a pattern of Go finds; its output is `PACKAGE/TEST.log` in the folder of the side, that of its servers beside it. */
  async run(program: TestProgram, test: string, skip: string): Promise<TestResult> {
    const logs = join(this.#logs, program.name);
    mkdirSync(logs, { recursive: true });
    const [log, serverLog] = [join(logs, `${test}.log`), join(logs, `${test}.server.log`)];
    rmSync(serverLog, { force: true });
    const begun = realClock.monotonic();
    const { code, output } = await this.#run(
      program,
      [
        `-test.run=^${test}$`,
        ...(skip === "" ? [] : [`-test.skip=${skip}`]),
        "-test.v",
        `-test.timeout=${LIMIT_SECONDS}s`,
      ],
      { TEST_SERVER_LOG: serverLog },
    );
    writeFileSync(log, output);
    return {
      outcome: outcomeOf(test, output, code),
      seconds: (realClock.monotonic() - begun) / 1000,
      message: [...complaintsOf(output, COMPLAINTS), `all of it: ${log}`].join("\n"),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#undo.disposeAsync();
  }

  /** In a process group of its own, which ends with it: tests that fail leave their servers behind. */
  #run(
    program: TestProgram,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<ProgramEnd> {
    const { promise, resolve } = Promise.withResolvers<ProgramEnd>();
    const child = spawn(program.path, args, {
      cwd: program.folder,
      detached: true,
      env: { ...process.env, ...this.#environment, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // Nobody is left.
      }
    };
    const forget = onExit(end);
    // Later than the program's own limit, with which it tells where it was.
    const timer = realClock.setTimer((LIMIT_SECONDS + 20) * 1000, end);
    let output = "";
    const hear = (text: string): void => void (output += text);
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    child.once("error", (error) => resolve({ code: 127, output: String(error) }));
    child.once("exit", end);
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
    return promise.finally(() => {
      timer.cancel();
      forget();
    });
  }
}

function urlOf({ place }: PeerProcess): string {
  return `http://127.0.0.1:${place.ports[0]}`;
}

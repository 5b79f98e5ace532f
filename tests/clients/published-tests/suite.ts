/**
 * `npm run clients -- published-tests`: the tests that controller-runtime publishes with itself, unmodified,
 * on its own envtest: first with what `homeostat envtest-assets` writes, then with the real etcd and
 * kube-apiserver. `--folder DIR` takes the tests of any Go module that uses envtest instead, such as a
 * checkout of an operator.
 */
import {
  chmodSync,
  cpSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { realClock } from "@homeostat/concurrency";
import { goVersion, runGo } from "../../../scripts/assets/go-command.ts";
import type { ClientSuite, SuiteContext } from "../client-suite.ts";
import { ENVTEST_SIDES, missingPrograms, provideEnvtestPrograms } from "../envtest-programs.ts";
import { runProgram } from "../program-run.ts";
import { chosen } from "../suite-options.ts";
import { GoTestEvents } from "./go-test-events.ts";

const PUBLISHED = "sigs.k8s.io/controller-runtime@v0.25.2";
/** These download the binaries of an older Kubernetes to test against that. */
const NEEDS_OLDER_SERVERS = "/aggregatedDiscovery=false";
const LIMIT = "20m";

export const suite: ClientSuite = {
  about:
    "the tests of controller-runtime itself, or of --folder DIR [--packages ./...] [--skip REGEXP] [--only homeostat|kube-apiserver]",
  missing: () => [
    ...(goVersion() === undefined ? ["Go 1.26 or newer: https://go.dev/dl/"] : []),
    ...missingPrograms("kubectl"),
  ],
  run,
};

async function run({ args, print }: SuiteContext): Promise<readonly string[]> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      folder: { type: "string" },
      packages: { type: "string", default: "./..." },
      skip: { type: "string", default: NEEDS_OLDER_SERVERS },
      only: { type: "string" },
    },
  });
  const sides = chosen("--only", values.only, ENVTEST_SIDES);
  const place = mkdtempSync(join(tmpdir(), "homeostat-published-tests-"));
  const remove = (): void => rmSync(place, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    const folder = values.folder === undefined ? await published(place) : resolve(values.folder);
    const failures: string[] = [];
    for (const side of sides) {
      print(`${side}:`);
      const assets = join(place, side);
      provideEnvtestPrograms(side, assets);
      const test = { folder, assets, packages: values.packages.split(" "), skip: values.skip };
      failures.push(...(await runTests(test, print)).map((each) => `${side}: ${each}`));
    }
    return failures;
  } finally {
    remove();
  }
}

/** A copy of the module as its authors have it: what is published is neither writable nor executable. */
async function published(place: string): Promise<string> {
  const output = await runGo(["mod", "download", "-json", PUBLISHED], {
    folder: place,
    temporaryFolder: place,
    signal: new AbortController().signal,
  });
  const { Dir } = JSON.parse(output) as { Dir: string };
  const folder = join(place, "module");
  cpSync(Dir, folder, { recursive: true });
  for (const path of [".", ...globSync("**", { cwd: folder })]) {
    chmodSync(join(folder, path), 0o755);
  }
  return folder;
}

interface TestRun {
  readonly folder: string;
  /** KUBEBUILDER_ASSETS. */
  readonly assets: string;
  readonly packages: readonly string[];
  readonly skip: string;
}

async function runTests(test: TestRun, print: (line: string) => void): Promise<string[]> {
  const begun = realClock.monotonic();
  const events = new GoTestEvents();
  const { code } = await runProgram({
    command: "go",
    // One package after the other: their servers are not to wait for one another.
    args: ["test", "-json", "-count=1", "-p=1", `-timeout=${LIMIT}`, `-skip=${test.skip}`].concat(
      test.packages,
    ),
    folder: test.folder,
    environment: {
      GOWORK: "off",
      KUBEBUILDER_ASSETS: test.assets,
      KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: "120s",
    },
    onLine: (line) => events.read(line),
  });
  endLeftovers(test.assets);
  const failures: string[] = [];
  for (const [name, { passed, failed, seconds }] of events.packages) {
    print(
      `  ${seconds.toFixed(1).padStart(6)} s  ${name}: ${passed} passed, ${failed.size} failed`,
    );
    for (const [failure, output] of failed) failures.push(`${name} ${failure}\n${output}`);
  }
  if (code !== 0 && failures.length === 0) failures.push(events.said.slice(-30).join("\n"));
  print(`  ${((realClock.monotonic() - begun) / 1000).toFixed(1)} s in all, with compiling`);
  return failures;
}

/** Not every test stops its servers: those that were started by this run have its folder in their environment. */
function endLeftovers(assets: string): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      if (environment.includes(`KUBEBUILDER_ASSETS=${assets}`))
        process.kill(Number(pid), "SIGKILL");
    } catch {
      // Gone, or not ours to look into.
    }
  }
}

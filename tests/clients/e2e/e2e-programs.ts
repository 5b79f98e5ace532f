import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { realClock } from "@homeostat/concurrency";
import { runGo } from "../../../scripts/assets/go-command.ts";

/** Paths. */
export interface E2ePrograms {
  /** The tests, as a program of Go's test framework. */
  readonly tests: string;
  /** What runs them side by side. */
  readonly ginkgo: string;
  /** What is in the image that most tests run. */
  readonly agnhost: string;
}

const module = fileURLToPath(new URL("program/", import.meta.url));

/** Takes some ten minutes on two cores the first time, a minute from then on: Go keeps what it compiled. */
export async function compilePrograms(
  folder: string,
  print: (line: string) => void,
): Promise<E2ePrograms> {
  const programs = {
    tests: join(folder, "e2e.test"),
    ginkgo: join(folder, "ginkgo"),
    agnhost: join(folder, "agnhost"),
  };
  const begun = realClock.monotonic();
  const linker = ["-trimpath", "-ldflags", "-s -w"];
  const options = {
    folder: module,
    temporaryFolder: folder,
    signal: new AbortController().signal,
    onLine: print,
  };
  const { tests, ginkgo, agnhost } = programs;
  await runGo(["test", "-c", "-vet=off", ...linker, "-o", tests, "."], options);
  for (const [program, source] of [
    [ginkgo, "github.com/onsi/ginkgo/v2/ginkgo"],
    [agnhost, "k8s.io/kubernetes/test/images/agnhost"],
  ] as const) {
    await runGo(["build", ...linker, "-o", program, source], options);
  }
  print(`compiled in ${((realClock.monotonic() - begun) / 1000).toFixed(1)} s`);
  return programs;
}

/**
 * `npm run clients -- kube-api-test`: the test environment of Java operators (fabric8's kube-api-test, the
 * successor of the Java operator SDK's jenvtest), unmodified, with what `homeostat envtest-assets`
 * writes and with the real etcd and kube-apiserver. It wants all three programs in a folder of its own.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { ClientSuite, SuiteContext } from "../client-suite.ts";
import { ENVTEST_SIDES, missingPrograms, provideEnvtestPrograms } from "../envtest-programs.ts";

const source = fileURLToPath(new URL("project/", import.meta.url));

export const suite: ClientSuite = {
  about: "Java: servers of fabric8's kube-api-test, ours beside the real ones",
  missing: () => [
    ...["java", "mvn"].filter((tool) => spawnSync(tool, ["-version"]).status !== 0),
    ...missingPrograms("kubectl"),
  ],
  run,
};

async function run({ args, print }: SuiteContext): Promise<readonly string[]> {
  parseArgs({ args: [...args], options: {} });
  const folder = mkdtempSync(join(tmpdir(), "homeostat-kube-api-test-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    const built = join(folder, "project");
    cpSync(source, built, { recursive: true });
    const goals = ["-q", "-B", "compile", "dependency:copy-dependencies"];
    execFileSync("mvn", goals, { cwd: built, stdio: ["ignore", "inherit", "inherit"] });
    const classPath = [join(built, "target/classes"), join(built, "target/dependency/*")].join(":");
    const failures: string[] = [];
    for (const name of ENVTEST_SIDES) {
      print(`${name}:`);
      const directory = join(folder, name);
      const platform = `linux-${process.arch === "arm64" ? "arm64" : "amd64"}`;
      const programs = join(directory, "k8s", `1.36.3-${platform}`);
      provideEnvtestPrograms(name, programs);
      failures.push(
        ...(await runJava({ classPath, directory, print })).map((each) => `${name}: ${each}`),
      );
    }
    return failures;
  } finally {
    remove();
  }
}

async function runJava(options: {
  classPath: string;
  directory: string;
  print: (line: string) => void;
}): Promise<string[]> {
  const child = spawn("java", ["-cp", options.classPath, "Suite", options.directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const failures: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    options.print(`  ${line}`);
    if (line.startsWith("FAILED ")) failures.push(line.slice("FAILED ".length));
  });
  const [code] = (await once(child, "close")) as [number | null];
  process.off("exit", kill);
  return code === 0 || failures.length > 0 ? failures : [`java ended with ${code}`];
}

/** What the launchers of `homeostat envtest-assets` run: one of the programs, with its own flags. */
import type { Command } from "commander";
import { GoFlagError } from "../envtest/go-flags.ts";

export interface EnvtestProgramOptions {
  /** Makes a command with the flags of `homeostat api-server`. */
  readonly servingCommand: () => Command;
}

export async function runEnvtestProgram(
  name: string,
  args: readonly string[],
  { servingCommand }: EnvtestProgramOptions,
): Promise<void> {
  switch (name) {
    case "etcd": {
      const { runEtcd } = await import("../envtest/etcd-stand-in.ts");
      return runEtcd(args);
    }
    case "kube-apiserver": {
      const { runKubeApiserver } = await import("../envtest/kube-apiserver-stand-in.ts");
      return runKubeApiserver(args, servingCommand());
    }
    default:
      throw new GoFlagError(`got the program "${name}", expected etcd or kube-apiserver`);
  }
}

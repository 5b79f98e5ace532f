import { Command, Option } from "commander";
import { type AdmissionFlags, addAdmissionFlags } from "./admission-flags.ts";
import { type AuthenticationFlags, addAuthenticationFlags } from "./authentication-flags.ts";
import {
  parseBindAddress,
  parsePort,
  parsePortRange,
  parseServiceRange,
  parseSize,
} from "./flag-values.ts";
import { addKubeletFlags, type KubeletFlags } from "./kubelet-flags.ts";
import { addTrafficFlags, type TrafficFlags } from "./traffic-flags.ts";
import { readVersion } from "./version.ts";

/** The flags as they were given, each checked by itself. */
export interface ApiServerFlags
  extends AdmissionFlags,
    AuthenticationFlags,
    KubeletFlags,
    TrafficFlags {
  readonly dataDir?: string;
  readonly ephemeral?: true;
  readonly port: number;
  readonly bindAddress: string;
  readonly kubeconfig?: string;
  readonly serviceClusterIpRange: string;
  readonly serviceNodePortRange: readonly [number, number];
  /** Bytes. */
  readonly memoryLimit?: number;
}

const apiServerHelp = `
Data is kept in the data directory, certificates in its pki folder; a restart continues where it was.
One process at a time can use a data directory. An ephemeral server keeps everything in memory.

Exit codes: 0 stopped by a signal, 1 failed, 2 bad flags. A second Ctrl-C stops at once.

Examples:
  homeostat api-server                                data in .homeostat, at https://127.0.0.1:6443
  homeostat api-server --ephemeral --port 0           nothing is kept, any free port
  homeostat api-server --data-dir /var/lib/homeostat --bind-address 0.0.0.0
  KUBECONFIG=.homeostat/kubeconfig kubectl get namespaces
`;

export function createProgram(): Command {
  const program = new Command("homeostat");
  program
    .description("A Kubernetes control plane in one process, and the controllers to run on it.")
    .version(readVersion(), "--version", "print the version")
    .helpCommand(false)
    .helpOption("-h, --help", "print this help")
    .showHelpAfterError("(homeostat --help tells more)")
    .addHelpText(
      "after",
      "\nExamples:\n  homeostat api-server --ephemeral\n  homeostat api-server --help\n  homeostat envtest-assets bin/envtest\n",
    )
    .exitOverride();
  addApiServerFlags(program.command("api-server"))
    .helpOption("-h, --help", "print this help")
    .showHelpAfterError("(homeostat api-server --help tells more)")
    .addHelpText("after", apiServerHelp)
    .exitOverride()
    .action(async (flags: ApiServerFlags) => {
      const { runApiServer } = await import("./commands/api-server.ts");
      await runApiServer(flags);
    });
  addEnvtestCommands(program);
  return program;
}

function addEnvtestCommands(program: Command): void {
  const servingCommand = (): Command => addApiServerFlags(new Command()).exitOverride();
  program
    .command("envtest-assets <dir>")
    .summary("write a folder for KUBEBUILDER_ASSETS")
    .description(
      "Writes etcd and kube-apiserver that start homeostat, for the test environments of controller-runtime (envtest) and others.",
    )
    .helpOption("-h, --help", "print this help")
    .exitOverride()
    .action(async (folder: string) => {
      const { writeEnvtestAssets } = await import("./commands/envtest-assets.ts");
      writeEnvtestAssets(folder, { serving: servingCommand() });
    });
  program
    .enablePositionalOptions()
    .command("envtest-program <name> [args...]", { hidden: true })
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .exitOverride()
    .action(async (name: string, args: readonly string[]) => {
      const { runEnvtestProgram } = await import("./commands/envtest-program.ts");
      await runEnvtestProgram(name, args, { servingCommand });
    });
}

function addApiServerFlags(command: Command): Command {
  const serving = addAdmissionFlags(addAuthenticationFlags(addServingFlags(command)));
  return addTrafficFlags(addKubeletFlags(serving));
}

function addServingFlags(command: Command): Command {
  return command
    .summary("serve the Kubernetes API")
    .description("Serves the Kubernetes API over HTTPS, and writes a kubeconfig for it.")
    .addOption(
      new Option(
        "--data-dir <dir>",
        "where data and certificates are kept (default: .homeostat)",
      ).conflicts("ephemeral"),
    )
    .option("--ephemeral", "keep everything in memory, for as long as the process lives")
    .option("--port <port>", "port to listen at; 0: any free one", parsePort, 6443)
    .option("--bind-address <ip>", "IP address to listen at", parseBindAddress, "127.0.0.1")
    .option(
      "--kubeconfig <file>",
      "where to write the admin's kubeconfig (default: kubeconfig in the data directory; with --ephemeral a temporary file, removed at the end)",
    )
    .option(
      "--service-cluster-ip-range <cidr>",
      "IPv4 range of service addresses",
      parseServiceRange,
      "10.0.0.0/24",
    )
    .addOption(
      new Option("--service-node-port-range <first-last>", "node ports of services")
        .argParser(parsePortRange)
        .default([30_000, 32_767], "30000-32767"),
    )
    .option(
      "--memory-limit <size>",
      "refuse writes before this much memory is used, such as 512Mi (default: what the cgroup allows)",
      parseSize,
    );
}

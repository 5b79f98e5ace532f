/**
 * `npm run torture -- store`: kills, power losses, full disks and damaged files, and an oracle that
 * knows what the store promised. Start at `store/oracle.ts` for what is checked, at
 * `shim/volatile-disk.ts` for what a power loss may do; the parts are `store/kill-torture.ts`,
 * `power-loss.ts`, `full-disk.ts` and `flip-bytes.ts`.
 * `npm run torture -- api-server`: kills of the whole server, see `api-server/kill-torture.ts`.
 */
import { seededRandom } from "@homeostat/concurrency";
import { parseServerCommand, serverHelp } from "./api-server/command-line.ts";
import { tortureServerByKills } from "./api-server/kill-torture.ts";
import { help, parseCommand, type TortureCommand, UsageError } from "./command-line.ts";
import { ProgressLine } from "./progress-line.ts";
import { ShimUnavailableError } from "./shim/preload-shim.ts";
import { tortureByFlips } from "./store/flip-bytes.ts";
import { tortureFullDisk } from "./store/full-disk.ts";
import { tortureByKills } from "./store/kill-torture.ts";
import { torturePowerLoss } from "./store/power-loss.ts";
import { summarize } from "./summary.ts";
import type { PartResult, TortureContext } from "./torture-part.ts";
import { Workspace } from "./workspace.ts";

type Part = (context: TortureContext) => Promise<PartResult>;

/** What is tortured, and how. */
interface Plan {
  readonly target: string;
  readonly command: { seed: string; plant: string | undefined; keepsFiles: boolean };
  readonly parts: readonly Part[];
}

async function main(args: readonly string[]): Promise<number> {
  const plan = planOf(args);
  if (plan === undefined) {
    console.log(helpFor(args));
    return 0;
  }
  const { command } = plan;
  using workspace = new Workspace(command);
  // Also when something throws outside of us, such as a closed pipe behind the standard output.
  process.once("exit", () => workspace[Symbol.dispose]());
  const line = new ProgressLine(process.stderr);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      line.clear();
      workspace[Symbol.dispose]();
      process.exit(130);
    });
  }
  console.log(
    `torturing ${plan.target}, seed ${command.seed} (repeat with --seed ${command.seed})`,
  );
  if (command.plant !== undefined)
    console.log(
      `planted bug: ${command.plant}; it has to be found, so violations are what we want`,
    );
  let violations = 0;
  for (const part of plan.parts) {
    const begun = performance.now();
    const result = await part({
      workspace,
      seed: command.seed,
      random: seededRandom(command.seed),
      progress: (text) => line.show(text),
    });
    line.clear();
    console.log(`\n${summarize(result, (performance.now() - begun) / 1000)}`);
    violations += result.violations.length;
  }
  console.log(`\n${verdict(command, violations)}`);
  if (command.keepsFiles) console.log(`the files are in ${workspace.directories.join(" and ")}`);
  return violations === 0 ? 0 : 1;
}

function planOf(args: readonly string[]): Plan | undefined {
  if (args[0] === "api-server") {
    const command = parseServerCommand(args.slice(1));
    const part: Part = (context) => tortureServerByKills(context, command!);
    return command && { target: "the API server", command, parts: [part] };
  }
  const command = parseCommand(args);
  return command && { target: "the store", command, parts: partsOf(command) };
}

function helpFor(args: readonly string[]): string {
  return args[0] === "api-server" ? serverHelp : help;
}

function partsOf(command: TortureCommand): Part[] {
  const { kills, images, disks, trials, plant, maxTime } = command;
  const parts: Part[] = [];
  if (kills !== undefined)
    parts.push((context) => tortureByKills(context, { kills, plant, maxTime }));
  if (images !== undefined)
    parts.push((context) => torturePowerLoss(context, { images, plant, maxTime }));
  if (disks !== undefined) parts.push((context) => tortureFullDisk(context, { disks, maxTime }));
  if (trials !== undefined) parts.push((context) => tortureByFlips(context, { trials, maxTime }));
  return parts;
}

function verdict(command: Plan["command"], violations: number): string {
  if (command.plant === undefined)
    return violations === 0 ? "0 violations" : `FAILED: ${violations} violations`;
  return violations === 0
    ? `the planted bug ${command.plant} was NOT found`
    : `FAILED, as it has to: the planted bug ${command.plant} made ${violations} violations`;
}

const args = process.argv.slice(2);
try {
  process.exitCode = await main(args);
} catch (error) {
  if (!(error instanceof UsageError || error instanceof ShimUnavailableError)) throw error;
  console.error(
    error instanceof UsageError ? `${error.message}\n\n${helpFor(args)}` : error.message,
  );
  process.exitCode = 2;
}

import { parseArgs } from "node:util";

export type Command =
  | { readonly action: "help" }
  | { readonly action: "differences" }
  | {
      readonly action: "scenarios";
      readonly record: boolean;
      /** Only topics and scenarios whose name holds this. */
      readonly only: string;
    }
  | { readonly action: "replay"; readonly only: string }
  | {
      readonly action: "random";
      readonly requests: number;
      readonly seed: string;
      readonly shrinks: number;
    };

/** The command line makes no sense. The message says what was got and what was expected. */
export class UsageError extends Error {
  readonly code = "compare-usage";
}

export const help = `Compares the embedded API server with a real kube-apiserver.

  npm run compare -- scenarios [--record] [--only TEXT]
  npm run compare -- replay [--only TEXT]
  npm run compare -- random [--requests N] [--seed S] [--shrinks N]
  npm run compare -- differences

Actions
  scenarios           the written scenarios on both servers; every difference, grouped
  replay              the same against the recorded answers; needs no kube-apiserver
  random              random sequences of requests on both servers, in lockstep
  differences         the known differences as a Markdown table

Options
  --record            write the answers of kube-apiserver to tests/conformance/fixtures
  --only TEXT         only scenarios whose topic or name holds TEXT
  --requests N        how many random requests (20000)
  --seed S            repeat the choices of another run
  --shrinks N         for how many kinds of difference the shortest sequence is sought (20)

Examples
  npm run compare -- scenarios --only watches
  npm run compare -- random --requests 2000 --seed 7

kube-apiserver and etcd come from \`npm run assets -- etcd kube-apiserver\`, or $KUBEBUILDER_ASSETS.
Exit code: 0 no unknown difference, 1 differences, 2 the command could not be run.
`;

export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  if (values.help === true) return { action: "help" };
  const [action, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`expected one action, got ${positionals.join(" ")}`);
  switch (action) {
    case "differences":
      return { action };
    case "replay":
      return { action, only: values.only ?? "" };
    case "scenarios":
      return { action, record: values.record ?? false, only: values.only ?? "" };
    case "random":
      return {
        action,
        requests: count("requests", values.requests ?? "20000"),
        shrinks: count("shrinks", values.shrinks ?? "20"),
        seed: values.seed ?? "1",
      };
    default:
      throw new UsageError(
        `expected "scenarios", "replay", "random" or "differences", got ${action === undefined ? "nothing" : `"${action}"`}`,
      );
  }
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { record: flag, only: text, requests: text, seed: text, shrinks: text, help: flag },
    });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

function count(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new UsageError(`--${name}: expected a whole number, got "${text}"`);
  }
  return value;
}

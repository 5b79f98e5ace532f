// The command line of `npm run bench`.
import { parseArgs } from "node:util";

export type BenchCommand =
  | { readonly kind: "help" }
  | { readonly kind: "list" }
  | {
      readonly kind: "run";
      readonly names: readonly string[];
      readonly quick: boolean;
      /** Where to write the results as JSON. */
      readonly jsonFile: string | undefined;
    };

/** A mistake on the command line: exit code 2. */
export class UsageError extends Error {
  readonly code = "USAGE";
}

export const usage = `Usage: npm run bench [-- NAME...] [options]

Measures, beside a named peer in the same run where there is one, and prints markdown tables.
Without names: all benchmarks. Peers that are not part of npm: \`npm run assets\` first.

Options:
  --quick        fewer rounds and smaller loads: to see that it runs, not to quote
  --json FILE    write the results as JSON too
  --list         show the names
  --help         show this

Environment:
  HOMEOSTAT_BENCH_DATA   folder for data, on the disk to measure (default: the temporary folder)
  HOMEOSTAT_BENCH_ROUNDS rounds of the api-server benchmark (default: 5; fewer widen its intervals)
  HOMEOSTAT_BENCH_PARTS  parts of the api-server benchmark: requests, lists, fan-out, pods, start, custom, costs;
                         of the stalls benchmark: load, strain, memory (default: all)
  HOMEOSTAT_BENCH_SIDES  sides to measure: ours, peer, floor (default: all)

Examples:
  npm run bench
  npm run bench -- store --json store.json
  npm run bench -- json --quick
`;

/** Reads the command line. `known` are the benchmarks that exist; no name means all, in that order. */
export function parseArguments(args: readonly string[], known: readonly string[]): BenchCommand {
  const { values, positionals } = parseOptions(args);
  if (values.help) return { kind: "help" };
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const names = unknown.map((name) => `"${name}"`).join(", ");
    throw new UsageError(`There is no benchmark ${names}; there are: ${known.join(", ")}`);
  }
  if (values.list) return { kind: "list" };
  return {
    kind: "run",
    names: known.filter((name) => positionals.length === 0 || positionals.includes(name)),
    quick: values.quick ?? false,
    jsonFile: values.json,
  };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        quick: { type: "boolean" },
        json: { type: "string" },
        list: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    const firstSentence = (error as Error).message.replace(/\. .*/s, "");
    throw new UsageError(`${firstSentence} (--help shows the options)`, { cause: error });
  }
}

// The command line of `npm run assets`.
import { parseArgs } from "node:util";

export type AssetsCommand =
  | { readonly kind: "help" }
  | { readonly kind: "list" }
  | { readonly kind: "build"; readonly names: readonly string[]; readonly force: boolean };

/** A mistake on the command line: exit code 2. */
export class UsageError extends Error {
  readonly code = "USAGE";
}

export const usage = `Usage: npm run assets [-- NAME...] [options]

Builds the real peers that benchmarks and comparisons run beside ours, from the Go module proxy,
and keeps them outside the project. Without names: all of them. What is built already is kept.

Options:
  --force   build again what is there
  --list    show the names, versions and places
  --help    show this

Environment:
  HOMEOSTAT_ASSETS     where the binaries are kept (default ~/.cache/homeostat/assets)
  KUBEBUILDER_ASSETS   a folder of ready binaries; wins for the names it holds

Examples:
  npm run assets
  npm run assets -- etcd
  npm run assets -- --force etcd-driver
`;

/** Reads the command line. `known` are the names that exist; no name means all of them, in that order. */
export function parseArguments(args: readonly string[], known: readonly string[]): AssetsCommand {
  const { values, positionals } = parseOptions(args);
  if (values.help) return { kind: "help" };
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new UsageError(`There is no asset ${quoted(unknown)}; there are: ${known.join(", ")}`);
  }
  if (values.list) return { kind: "list" };
  const names = known.filter((name) => positionals.length === 0 || positionals.includes(name));
  return { kind: "build", names, force: values.force ?? false };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        force: { type: "boolean" },
        list: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    const firstSentence = (error as Error).message.replace(/\. .*/s, "");
    throw new UsageError(`${firstSentence} (--help shows the options)`, { cause: error });
  }
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

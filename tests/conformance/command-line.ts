import { parseArgs } from "node:util";
import type { OpenApiCommand } from "./openapi/run-openapi.ts";
import type { ValidationCommand } from "./validation/run-validation.ts";

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
    }
  | ({ readonly action: "openapi" } & OpenApiCommand)
  | ({ readonly action: "validation" } & ValidationCommand);

/** The command line makes no sense. The message says what was got and what was expected. */
export class UsageError extends Error {
  readonly code = "compare-usage";
}

export const help = `Compares the embedded API server with a real kube-apiserver.

  npm run compare -- scenarios [--record] [--only TEXT]
  npm run compare -- replay [--only TEXT]
  npm run compare -- random [--requests N] [--seed S] [--shrinks N]
  npm run compare -- validation [--kind NAME]... [--recorded] [--show N] [--probe ID]
  npm run compare -- validation --record [--kind NAME]...
  npm run compare -- validation --recorded --record-agreement | --markdown
  npm run compare -- openapi [--record] [--show N]
  npm run compare -- differences

Actions
  scenarios           the written scenarios on both servers; every difference, grouped
  replay              the same against the recorded answers; needs no kube-apiserver
  random              random sequences of requests on both servers, in lockstep
  validation          every field of every built-in kind absent, empty, malformed, out of range,
                      duplicate, changed on update; agreement by kind and the missing rules
  openapi             discovery and OpenAPI documents, types and operations without their prose
  differences         the known differences as a Markdown table

Options
  --record            write the answers of kube-apiserver to tests/conformance/fixtures
                      (validation: tests/conformance/validation/fixtures; openapi: a hash for each document)
  --only TEXT         only scenarios whose topic or name holds TEXT
  --requests N        how many random requests (20000)
  --seed S            repeat the choices of another run
  --shrinks N         for how many kinds of difference the shortest sequence is sought (20)
  --kind NAME         validation: only this kind (pods, events.events.k8s.io); may be repeated
  --recorded          validation: against the recorded answers; needs no kube-apiserver
  --show N            validation, openapi: how many differences are printed (20)
  --probe ID          validation: request, expected and got of one probe, as a report names it
  --record-agreement  validation: keep what agrees now as what has to agree from now on
  --markdown          validation: the kept agreement as a Markdown table

Examples
  npm run compare -- scenarios --only watches
  npm run compare -- random --requests 2000 --seed 7
  npm run compare -- validation --recorded --kind jobs --show 5

kube-apiserver and etcd come from \`npm run assets -- etcd kube-apiserver\`, or $KUBEBUILDER_ASSETS.
Exit code: 0 no unknown difference (validation: none more than are kept), 1 differences, 2 the command could not be run.
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
    case "openapi":
      return {
        action,
        record: values.record ?? false,
        show: count("show", values.show ?? "20"),
      };
    case "validation":
      return {
        action,
        kinds: values.kind ?? [],
        show: count("show", values.show ?? "20"),
        probe: values.probe,
        recorded: values.recorded ?? false,
        record: values.record ?? false,
        recordAgreement: values["record-agreement"] ?? false,
        markdown: values.markdown ?? false,
      };
    case "random":
      return {
        action,
        requests: count("requests", values.requests ?? "20000"),
        shrinks: count("shrinks", values.shrinks ?? "20"),
        seed: values.seed ?? "1",
      };
    default:
      throw new UsageError(
        `expected "scenarios", "replay", "random", "validation", "openapi" or "differences", got ${action === undefined ? "nothing" : `"${action}"`}`,
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
      options: {
        record: flag,
        only: text,
        requests: text,
        seed: text,
        shrinks: text,
        kind: { ...text, multiple: true },
        recorded: flag,
        show: text,
        probe: text,
        "record-agreement": flag,
        markdown: flag,
        help: flag,
      },
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

import { type Command, Option } from "commander";
import { parseBoolean, parseMilliseconds, parseNumber } from "./flag-values.ts";

/** How many requests run at a time and for how long, and what is written down of them. */
export interface TrafficFlags {
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  readonly enablePriorityAndFairness: boolean;
  /** Milliseconds. */
  readonly requestTimeout: number;
  /** Seconds. */
  readonly minRequestTimeout: number;
  readonly shutdownDelayDuration: number;
  readonly auditPolicyFile?: string;
  readonly auditLogPath?: string;
  /** Days. */
  readonly auditLogMaxage: number;
  readonly auditLogMaxbackup: number;
  /** Megabytes. */
  readonly auditLogMaxsize: number;
}

/** Flags by the names that kube-apiserver has for them. */
export function addTrafficFlags(command: Command): Command {
  return command
    .option(
      "--max-requests-inflight <number>",
      "reads at the same time; together with the next, the seats that priority levels share",
      parseNumber,
      400,
    )
    .option(
      "--max-mutating-requests-inflight <number>",
      "writes at the same time",
      parseNumber,
      200,
    )
    .option(
      "--enable-priority-and-fairness [bool]",
      "let FlowSchemas and PriorityLevelConfigurations decide who waits",
      parseBoolean,
      true,
    )
    .addOption(
      new Option(
        "--request-timeout <duration>",
        "how long a request may take that does not last, such as a watch",
      )
        .argParser(parseMilliseconds)
        .default(60_000, "1m"),
    )
    .option(
      "--min-request-timeout <seconds>",
      "how long a watch goes on at least whose client says nothing of it; 0: for ever",
      parseNumber,
      1800,
    )
    .addOption(
      new Option(
        "--shutdown-delay-duration <duration>",
        "after a signal, go on serving for so long while /readyz says no",
      )
        .argParser(parseMilliseconds)
        .default(0, "0s"),
    )
    .option(
      "--audit-policy-file <file>",
      "which requests are written to the audit log, and how much",
    )
    .option("--audit-log-path <file>", "the audit log; -: standard output (default: none)")
    .option("--audit-log-maxage <days>", "remove older files of it; 0: none", parseNumber, 0)
    .option("--audit-log-maxbackup <number>", "old files of it to keep; 0: all", parseNumber, 0)
    .option(
      "--audit-log-maxsize <megabytes>",
      "begin a new file at this size; 0: at 100",
      parseNumber,
      0,
    );
}

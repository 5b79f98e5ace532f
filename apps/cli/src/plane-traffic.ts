import { readFileSync } from "node:fs";
import {
  type ApiServerOptions,
  type AuditOptions,
  type AuditSink,
  parseAuditPolicy,
  printAuditEvent,
} from "@homeostat/api-server";
import type { Clock } from "@homeostat/concurrency";
import { print, printError } from "./output.ts";
import { FlagFileError } from "./plane-authentication.ts";
import type { TrafficFlags } from "./traffic-flags.ts";

export interface PlaneTraffic extends Disposable {
  readonly options: Pick<ApiServerOptions, "limits" | "audit">;
}

/** Limits and audit log, as the flags say; the policy is read and the log opened now. */
export async function readTraffic(flags: TrafficFlags, clock: Clock): Promise<PlaneTraffic> {
  using opening = new DisposableStack();
  const { maxRequestsInflight, maxMutatingRequestsInflight, requestTimeout } = flags;
  const priorityAndFairness = flags.enablePriorityAndFairness;
  const limits = {
    maxRequestsInflight,
    maxMutatingRequestsInflight,
    priorityAndFairness,
    requestTimeout,
  };
  if (priorityAndFairness && maxRequestsInflight + maxMutatingRequestsInflight === 0) {
    throw new FlagFileError(
      "--max-requests-inflight and --max-mutating-requests-inflight are both 0: nobody would be served; give one of them a number, or --enable-priority-and-fairness=false",
    );
  }
  const audit = await readAudit(flags, { clock, opening });
  const opened = opening.move();
  return {
    options: { limits, ...(audit && { audit }) },
    [Symbol.dispose]: () => opened.dispose(),
  };
}

/** As with kube-apiserver, one without the other is no log. */
async function readAudit(
  flags: TrafficFlags,
  { clock, opening }: { clock: Clock; opening: DisposableStack },
): Promise<AuditOptions | undefined> {
  const { auditPolicyFile: file, auditLogPath: path } = flags;
  if (file === undefined && path === undefined) return undefined;
  if (file === undefined) {
    printError("No audit policy file provided, no events will be recorded for the audit log");
    return undefined;
  }
  const policy = await readPolicy(file);
  if (path === undefined) return undefined;
  if (path === "-") return { policy, sink: toStandardOutput };
  const { AuditLogFile } = await import("./audit-log-file.ts");
  try {
    const sink = new AuditLogFile({
      path,
      clock,
      maxSize: flags.auditLogMaxsize,
      maxBackups: flags.auditLogMaxbackup,
      maxAge: flags.auditLogMaxage,
      onError: (error) => printError(`audit log: ${String(error)}; events are lost`),
    });
    return { policy, sink: opening.use(sink) };
  } catch (error) {
    throw unusable("--audit-log-path", path, error);
  }
}

const toStandardOutput: AuditSink = { write: (event) => print(printAuditEvent(event)) };

async function readPolicy(file: string): Promise<AuditOptions["policy"]> {
  try {
    return await parseAuditPolicy(readFileSync(file));
  } catch (error) {
    throw unusable("--audit-policy-file", file, error);
  }
}

function unusable(flag: string, file: string, error: unknown): FlagFileError {
  return new FlagFileError(`${flag} ${file}: ${(error as Error).message}`, { cause: error });
}

import type { ContainerStatus, Pod } from "@homeostat/object-model/core-v1";
import { millisecondsOf } from "./human-duration.ts";
import type { Printed } from "./table.ts";

/** What people want to know of a pod first. */
export interface PodSummary {
  readonly ready: number;
  readonly total: number;
  /** A phase, or what says more: why a container waits, ended or was not started. */
  readonly status: string;
  readonly restarts: number;
  /** When a container last ended to be started again; milliseconds since 1970. */
  readonly lastRestart: number | undefined;
}

type Status = Printed<ContainerStatus>;

export function podSummary(pod: Printed<Pod>): PodSummary {
  const sidecars = new Set<string | null | undefined>();
  for (const { name, restartPolicy } of pod.spec?.initContainers ?? []) {
    if (restartPolicy === "Always") sidecars.add(name);
  }
  const total = (pod.spec?.containers?.length ?? 0) + sidecars.size;
  const starting = summarizeStart(pod, sidecars);
  const isInitialized =
    pod.status?.conditions?.find(({ type }) => type === "Initialized")?.status === "True";
  const beginning = starting.reason ?? reasonOf(pod);
  const main =
    starting.reason === undefined || isInitialized
      ? summarizeRun(pod, beginning, starting)
      : { ready: starting.ready, reason: beginning, counts: starting.all };
  return {
    ready: main.ready,
    total,
    status: deletionReason(pod) ?? main.reason,
    restarts: main.counts.restarts,
    lastRestart: main.counts.last,
  };
}

/** The phase, or what the pod itself says instead. */
function reasonOf({ status }: Printed<Pod>): string {
  const gated = status?.conditions?.some(
    ({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated",
  );
  if (gated) return "SchedulingGated";
  return status?.reason || (status?.phase ?? "");
}

function deletionReason({ metadata, status }: Printed<Pod>): string | undefined {
  if (metadata?.deletionTimestamp == null) return undefined;
  if (status?.reason === "NodeLost") return "Unknown";
  const isOver = status?.phase === "Failed" || status?.phase === "Succeeded";
  return isOver ? undefined : "Terminating";
}

class Restarts {
  restarts = 0;
  last: number | undefined;

  add({ restartCount, lastState }: Status): void {
    this.restarts += restartCount ?? 0;
    const ended = millisecondsOf(lastState?.terminated?.finishedAt);
    if (ended !== undefined && ended > (this.last ?? Number.NEGATIVE_INFINITY)) this.last = ended;
  }
}

interface Start {
  /** Undefined when every init container is done or running beside the others. */
  readonly reason: string | undefined;
  readonly ready: number;
  readonly all: Restarts;
  readonly ofSidecars: Restarts;
}

/** Init containers one after the other, up to the first that holds the pod up. */
function summarizeStart(pod: Printed<Pod>, sidecars: ReadonlySet<unknown>): Start {
  const all = new Restarts();
  const ofSidecars = new Restarts();
  let ready = 0;
  for (const [index, container] of (pod.status?.initContainerStatuses ?? []).entries()) {
    const isSidecar = sidecars.has(container.name);
    all.add(container);
    if (isSidecar) ofSidecars.add(container);
    const ended = container.state?.terminated;
    if (ended != null && (ended.exitCode ?? 0) === 0) continue;
    if (isSidecar && container.started === true) {
      if (container.ready === true) ready += 1;
      continue;
    }
    const reason = holdUp(container, `${index}/${pod.spec?.initContainers?.length ?? 0}`);
    return { reason: `Init:${reason}`, ready, all, ofSidecars };
  }
  return { reason: undefined, ready, all, ofSidecars };
}

function holdUp({ state }: Status, progress: string): string {
  if (state?.terminated != null) return endReason(state.terminated);
  const waiting = state?.waiting?.reason;
  return waiting && waiting !== "PodInitializing" ? waiting : progress;
}

function endReason(ended: NonNullable<NonNullable<Status["state"]>["terminated"]>): string {
  if (ended.reason) return ended.reason;
  return ended.signal ? `Signal:${ended.signal}` : `ExitCode:${ended.exitCode ?? 0}`;
}

interface Run {
  readonly ready: number;
  readonly reason: string;
  readonly counts: Restarts;
}

/** The containers themselves; what the first of them says counts most. */
function summarizeRun(pod: Printed<Pod>, beginning: string, start: Start): Run {
  const counts = start.ofSidecars;
  let { ready } = start;
  let reason = beginning;
  let failure = "";
  let isRunning = false;
  for (const container of (pod.status?.containerStatuses ?? []).toReversed()) {
    counts.add(container);
    const { waiting, terminated, running } = container.state ?? {};
    if (waiting?.reason) reason = waiting.reason;
    else if (terminated != null) {
      reason = endReason(terminated);
      if ((terminated.exitCode ?? 0) !== 0) failure = reason;
    } else if (container.ready === true && running != null) {
      isRunning = true;
      ready += 1;
    }
  }
  if (reason === "Completed") {
    if (isRunning && isReady(pod)) reason = "Running";
    else if (failure !== "") reason = failure;
    else if (isRunning) reason = "NotReady";
  }
  return { ready, reason, counts };
}

function isReady({ status }: Printed<Pod>): boolean {
  return (
    status?.conditions?.some((each) => each.type === "Ready" && each.status === "True") ?? false
  );
}

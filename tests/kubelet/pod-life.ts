/** What a kubelet says of a pod at each step of its life. Pure. */
import { timeOfMilliseconds } from "@homeostat/object-model";
import type {
  ContainerState,
  ContainerStatus,
  Pod,
  PodCondition,
  PodStatus,
} from "@homeostat/object-model/core-v1";

/** Tests say by this annotation how the containers of a pod that is to end do so. */
export const EXIT_CODE = "fake-kubelet/exit-code";

export interface PodPlace {
  readonly hostIp: string;
  readonly podIp: string;
  readonly now: number;
}

/** Whether the pod's containers are to end by themselves. */
export function ends({ spec }: Pod): boolean {
  return spec?.restartPolicy === "Never" || spec?.restartPolicy === "OnFailure";
}

export function annotatedExitCode({ metadata }: Pod): number {
  return Number(metadata?.annotations?.[EXIT_CODE] ?? 0);
}

export function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

export function runningStatus(pod: Pod, { hostIp, podIp, now }: PodPlace): PodStatus {
  const at = timeOfMilliseconds(now);
  const running = { state: { running: { startedAt: at } }, started: true, ready: true };
  return {
    phase: "Running",
    observedGeneration: pod.metadata?.generation ?? 0,
    conditions: conditions(pod, { isReady: true, at }),
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    podIP: podIp,
    podIPs: [{ ip: podIp }],
    startTime: at,
    initContainerStatuses: containers(pod, "initContainers", (name) =>
      isSidecar(pod, name) ? running : { ready: true, state: terminated(0, at) },
    ),
    containerStatuses: containers(pod, "containers", () => running),
  };
}

export function endedStatus(pod: Pod, exitCode: number, now: number): PodStatus {
  const at = timeOfMilliseconds(now);
  return {
    phase: exitCode === 0 ? "Succeeded" : "Failed",
    conditions: conditions(pod, { isReady: false, at }),
    containerStatuses: containers(pod, "containers", () => ({
      ready: false,
      started: false,
      state: terminated(exitCode, at),
    })),
  };
}

function conditions(
  pod: Pod,
  { isReady, at }: { readonly isReady: boolean; readonly at: string },
): PodCondition[] {
  const gates = pod.spec?.readinessGates ?? [];
  const areGatesOpen = gates.every(({ conditionType }) =>
    pod.status?.conditions?.some(({ type, status }) => type === conditionType && status === "True"),
  );
  const reason = isReady ? {} : { reason: "PodCompleted" };
  const condition = (type: string, isTrue: boolean): PodCondition => ({
    type,
    status: isTrue ? "True" : "False",
    lastTransitionTime: at,
    ...(isTrue ? {} : reason),
  });
  return [
    condition("PodReadyToStartContainers", isReady),
    condition("Initialized", true),
    condition("Ready", isReady && areGatesOpen),
    condition("ContainersReady", isReady),
    condition("PodScheduled", true),
  ];
}

type ContainerLife = Pick<ContainerStatus, "ready" | "started" | "state">;

function terminated(exitCode: number, at: string): ContainerState {
  const reason = exitCode === 0 ? "Completed" : "Error";
  return { terminated: { exitCode, reason, startedAt: at, finishedAt: at } };
}

function containers(
  { spec, metadata }: Pod,
  which: "containers" | "initContainers",
  lifeOf: (name: string) => ContainerLife,
): ContainerStatus[] {
  return (spec?.[which] ?? []).map(({ name, image = "" }) =>
    Object.assign(
      {
        name,
        image,
        imageID: `fake://${image}`,
        containerID: `fake://${metadata?.uid ?? ""}/${name}`,
        restartCount: 0,
      },
      lifeOf(name),
    ),
  );
}

function isSidecar({ spec }: Pod, wanted: string): boolean {
  const found = spec?.initContainers?.find(({ name }) => name === wanted);
  return found?.restartPolicy === "Always";
}

/**
 * HorizontalPodAutoscalers: autoscaling/v1 knows the CPU utilization only. The other metrics, the
 * behavior, the current metrics and the conditions of autoscaling/v2 travel as JSON in annotations
 * there. An annotation that cannot be read is dropped without a word; the annotations never reach
 * v2 objects, whoever sets them.
 */
import { type KubernetesObject, setOwnKey } from "@homeostat/object-model";
import type {
  HorizontalPodAutoscaler as AutoscalerV1,
  HorizontalPodAutoscalerStatus as StatusV1,
} from "@homeostat/object-model/autoscaling-v1";
import type {
  HorizontalPodAutoscaler as AutoscalerV2,
  HorizontalPodAutoscalerCondition,
  MetricSpec,
  MetricStatus,
} from "@homeostat/object-model/autoscaling-v2";
import { printBehavior, readBehavior } from "./autoscaler-behavior.ts";
import { printMetricSpec, readMetricSpec } from "./autoscaler-metric-specs.ts";
import { printMetricStatus, readMetricStatus } from "./autoscaler-metric-statuses.ts";
import { goJson, optionalText, readList, text } from "./go-json.ts";

const METRICS = "autoscaling.alpha.kubernetes.io/metrics";
const BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";
const CURRENT_METRICS = "autoscaling.alpha.kubernetes.io/current-metrics";
const CONDITIONS = "autoscaling.alpha.kubernetes.io/conditions";
const CARRIERS: ReadonlySet<string> = new Set([
  METRICS,
  BEHAVIOR,
  CURRENT_METRICS,
  CONDITIONS,
  "autoscaling.alpha.kubernetes.io/scale-down-tolerance",
  "autoscaling.alpha.kubernetes.io/scale-up-tolerance",
]);

const DEFAULT_CPU_UTILIZATION = 80;

/** The object without the annotations that carry fields; itself if it has none. */
export function dropCarriedFields<T extends KubernetesObject>(object: T): T {
  const { annotations } = object.metadata ?? {};
  if (!annotations || !Object.keys(annotations).some((key) => CARRIERS.has(key))) return object;
  const kept = Object.entries(annotations).filter(([key]) => !CARRIERS.has(key));
  const { annotations: _, ...metadata } = object.metadata ?? {};
  const rest = kept.length > 0 ? { annotations: Object.fromEntries(kept) } : {};
  return { ...object, metadata: { ...metadata, ...rest } };
}

export function autoscalerToV1(object: Readonly<AutoscalerV2>): AutoscalerV1 {
  const { metadata } = dropCarriedFields(object);
  const { scaleTargetRef, minReplicas, maxReplicas, metrics = [], behavior } = object.spec;
  const { status } = object;
  const cpu = metrics.find(isCpuUtilization)?.resource?.target.averageUtilization;
  const others = metrics.filter((metric) => !isCpuUtilization(metric)).map(printMetricSpec);
  const carried: [string, unknown][] = [];
  if (others.length > 0) carried.push([METRICS, others]);
  if (status?.currentMetrics?.length) {
    carried.push([CURRENT_METRICS, status.currentMetrics.map(printMetricStatus)]);
  }
  if (behavior !== undefined) carried.push([BEHAVIOR, printBehavior(behavior)]);
  if (status?.conditions?.length) {
    carried.push([CONDITIONS, status.conditions.map(printCondition)]);
  }
  return {
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v1",
    metadata: carried.length > 0 ? withAnnotations(metadata, carried) : metadata,
    spec: {
      scaleTargetRef,
      ...(minReplicas !== undefined && { minReplicas }),
      maxReplicas,
      ...(cpu !== undefined && { targetCPUUtilizationPercentage: cpu }),
    },
    ...(status && { status: statusToV1(status) }),
  };
}

function withAnnotations(
  metadata: Readonly<AutoscalerV2["metadata"]>,
  carried: readonly (readonly [string, unknown])[],
): AutoscalerV2["metadata"] {
  const annotations: Record<string, string> = {};
  for (const [key, value] of Object.entries(metadata.annotations ?? {})) {
    setOwnKey(annotations, key, value);
  }
  for (const [key, value] of carried) annotations[key] = goJson(value);
  return { ...metadata, annotations };
}

function isCpuUtilization({ type, resource }: Readonly<MetricSpec>): boolean {
  return (
    type === "Resource" &&
    resource?.name === "cpu" &&
    resource.target.averageUtilization !== undefined
  );
}

function statusToV1(status: Readonly<NonNullable<AutoscalerV2["status"]>>): StatusV1 {
  const { observedGeneration, lastScaleTime, currentReplicas = 0, desiredReplicas } = status;
  const utilization = status.currentMetrics
    ?.filter(({ type, resource }) => type === "Resource" && resource?.name === "cpu")
    .map(({ resource }) => resource?.current.averageUtilization)
    .findLast((value) => value !== undefined);
  return {
    ...(observedGeneration !== undefined && { observedGeneration }),
    ...(lastScaleTime !== undefined && { lastScaleTime }),
    currentReplicas,
    desiredReplicas: desiredReplicas,
    ...(utilization !== undefined && { currentCPUUtilizationPercentage: utilization }),
  };
}

export function autoscalerToV2(object: Readonly<AutoscalerV1>): AutoscalerV2 {
  const annotations = object.metadata.annotations ?? {};
  const { scaleTargetRef, minReplicas, maxReplicas } = object.spec;
  const cpu = object.spec.targetCPUUtilizationPercentage;
  const carried = readList(annotations, METRICS, readMetricSpec) ?? [];
  const metrics = [...carried, ...(cpu === undefined ? [] : [cpuUtilization(cpu)])];
  const behavior = readBehavior(annotations, BEHAVIOR);
  const status = statusToV2(object.status, annotations);
  return {
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v2",
    metadata: dropCarriedFields(object).metadata,
    spec: {
      scaleTargetRef,
      ...(minReplicas !== undefined && { minReplicas }),
      maxReplicas,
      metrics: metrics.length > 0 ? metrics : [cpuUtilization(DEFAULT_CPU_UTILIZATION)],
      ...(behavior && { behavior }),
    },
    ...(status && { status }),
  };
}

function cpuUtilization(averageUtilization: number): MetricSpec {
  const target = { type: "Utilization", averageUtilization };
  return { type: "Resource", resource: { name: "cpu", target } };
}

function statusToV2(
  status: Readonly<StatusV1> | undefined,
  annotations: Readonly<Record<string, string>>,
): AutoscalerV2["status"] | undefined {
  const utilization = status?.currentCPUUtilizationPercentage;
  const shown: MetricStatus[] =
    utilization === undefined
      ? []
      : [
          {
            type: "Resource",
            resource: { name: "cpu", current: { averageUtilization: utilization } },
          },
        ];
  const currentMetrics = readList(annotations, CURRENT_METRICS, readMetricStatus) ?? shown;
  const conditions = readList(annotations, CONDITIONS, readCondition) ?? [];
  if (!status && currentMetrics.length === 0 && conditions.length === 0) return undefined;
  const { observedGeneration, lastScaleTime, currentReplicas, desiredReplicas = 0 } = status ?? {};
  return {
    ...(observedGeneration !== undefined && { observedGeneration }),
    ...(lastScaleTime !== undefined && { lastScaleTime }),
    ...(currentReplicas ? { currentReplicas } : {}),
    desiredReplicas,
    ...(currentMetrics.length > 0 && { currentMetrics }),
    ...(conditions.length > 0 && { conditions }),
  };
}

function printCondition(condition: Readonly<HorizontalPodAutoscalerCondition>): unknown {
  const { type, status, lastTransitionTime = null, reason, message } = condition;
  return {
    type,
    status,
    lastTransitionTime,
    ...(reason && { reason }),
    ...(message && { message }),
  };
}

function readCondition(value: Readonly<Record<string, unknown>>): HorizontalPodAutoscalerCondition {
  const lastTransitionTime = optionalText(value["lastTransitionTime"]);
  const reason = optionalText(value["reason"]);
  const message = optionalText(value["message"]);
  return {
    type: text(value["type"]),
    status: text(value["status"]),
    ...(lastTransitionTime && { lastTransitionTime }),
    ...(reason && { reason }),
    ...(message && { message }),
  };
}

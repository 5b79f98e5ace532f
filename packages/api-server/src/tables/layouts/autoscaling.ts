import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
} from "@homeostat/object-model/autoscaling-v2";
import { age, nameOf } from "../cell-texts.ts";
import { AGE, column, NAME } from "../columns.ts";
import { layout, type Printed, type TableLayout } from "../table.ts";

export const HORIZONTAL_POD_AUTOSCALER: TableLayout = layout<HorizontalPodAutoscaler>({
  columns: [
    NAME,
    column(
      "Reference",
      "scaleTargetRef points to the target resource to scale, and is used to the pods for which metrics should be collected, as well as to actually change the replica count.",
    ),
    column(
      "Targets",
      "metrics contains the specifications for which to use to calculate the desired replica count (the maximum replica count across all metrics will be used).  The desired replica count is calculated multiplying the ratio between the target value and the current value by the current number of pods.  Ergo, metrics used must decrease as the pod count is increased, and vice-versa.  See the individual metric source types for more information about how each type of metric must respond. If not set, the default metric will be set to 80% average CPU utilization.",
    ),
    column(
      "MinPods",
      "minReplicas is the lower limit for the number of replicas to which the autoscaler can scale down.  It defaults to 1 pod.  minReplicas is allowed to be 0 if the alpha feature gate HPAScaleToZero is enabled and at least one Object or External metric is configured.  Scaling is active as long as at least one metric value is available.",
    ),
    column(
      "MaxPods",
      "maxReplicas is the upper limit for the number of replicas to which the autoscaler can scale up. It cannot be less that minReplicas.",
    ),
    column(
      "Replicas",
      "currentReplicas is current number of replicas of pods managed by this autoscaler, as last seen by the autoscaler.",
    ),
    AGE,
  ],
  cells: (autoscaler, now) => {
    const { spec, status } = autoscaler;
    return [
      nameOf(autoscaler),
      `${spec?.scaleTargetRef?.kind ?? ""}/${spec?.scaleTargetRef?.name ?? ""}`,
      metricTexts(spec?.metrics ?? [], status?.currentMetrics ?? []),
      spec?.minReplicas == null ? "<unset>" : String(spec.minReplicas),
      spec?.maxReplicas ?? 0,
      status?.currentReplicas ?? 0,
      age(autoscaler, now),
    ];
  },
});

/** The first two, and how many more there are. */
function metricTexts(
  specs: readonly Printed<MetricSpec>[],
  statuses: readonly Printed<MetricStatus>[],
): string {
  if (specs.length === 0) return "<none>";
  const texts = specs.slice(0, 2).map((spec, index) => metricText(spec, statuses[index] ?? {}));
  const more = specs.length - 2;
  return more > 0 ? `${texts.join(", ")} + ${more} more...` : texts.join(", ");
}

function metricText(spec: Printed<MetricSpec>, status: Printed<MetricStatus>): string {
  switch (spec.type) {
    case "External":
      return valueText(spec.external?.target, status.external?.current);
    case "Object":
      return valueText(spec.object?.target, status.object?.current);
    case "Pods": {
      const now = status.pods == null ? UNKNOWN : quantityText(status.pods.current?.averageValue);
      return `${now}/${quantityText(spec.pods?.target?.averageValue)}`;
    }
    case "Resource":
      return resourceText(spec.resource, status.resource);
    case "ContainerResource":
      return resourceText(spec.containerResource, status.containerResource);
    default:
      return "<unknown type>";
  }
}

interface Values {
  readonly value?: number | string | null;
  readonly averageValue?: number | string | null;
  readonly averageUtilization?: number | null;
}

/** An average if that is the aim, otherwise the value itself. */
function valueText(target: Values | null | undefined, current: Values | null | undefined): string {
  if (target?.averageValue != null) {
    return `${current?.averageValue ?? UNKNOWN}/${target.averageValue} (avg)`;
  }
  const now = current == null ? UNKNOWN : quantityText(current.value);
  return `${now}/${quantityText(target?.value)}`;
}

interface ResourceValues {
  readonly name?: string | null;
  readonly target?: Values | null;
  readonly current?: Values | null;
}

function resourceText(
  spec: ResourceValues | null | undefined,
  status: ResourceValues | null | undefined,
): string {
  const { name, target } = spec ?? {};
  if (target?.averageValue != null) {
    const now = status == null ? UNKNOWN : quantityText(status.current?.averageValue);
    return `${name ?? ""}: ${now}/${target.averageValue}`;
  }
  const share = status?.current?.averageUtilization;
  const aim = target?.averageUtilization;
  const now = share == null ? UNKNOWN : `${share}%`;
  return `${name ?? ""}: ${now}/${aim == null ? "<auto>" : `${aim}%`}`;
}

const UNKNOWN = "<unknown>";

function quantityText(quantity: number | string | null | undefined): string {
  return String(quantity ?? "<nil>");
}

/** Horizontal pod autoscalers of both versions. */
import { ownKey } from "@homeostat/object-model";
import type { HorizontalPodAutoscaler } from "@homeostat/object-model/autoscaling-v1";
import type {
  HorizontalPodAutoscalerSpec,
  HPAScalingRules,
} from "@homeostat/object-model/autoscaling-v2";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

const CPU_PERCENT = 80;
const OTHER_METRICS = "autoscaling.alpha.kubernetes.io/metrics";

export const horizontalPodAutoscalerRules: readonly NamedTypeRules[] = [
  rulesFor<HorizontalPodAutoscaler>("autoscaling.v1.HorizontalPodAutoscaler", {
    setDefaults(autoscaler) {
      autoscaler.spec ??= {};
      autoscaler.spec.minReplicas ??= 1;
    },
    normalize: targetCpu,
  }),
  rulesFor<HorizontalPodAutoscalerSpec>("autoscaling.v2.HorizontalPodAutoscalerSpec", {
    defaults: {
      minReplicas: 1,
      metrics: [
        {
          type: "Resource",
          resource: {
            name: "cpu",
            target: { type: "Utilization", averageUtilization: CPU_PERCENT },
          },
        },
      ],
    },
    setDefaults: setBehavior,
  }),
];

/** Version 1 keeps other metrics in an annotation; without any, the CPU is watched. */
function targetCpu(autoscaler: Unchecked<HorizontalPodAutoscaler>): void {
  const { spec, metadata } = autoscaler;
  if (!spec || ownKey(metadata?.annotations, OTHER_METRICS) !== undefined) return;
  spec.targetCPUUtilizationPercentage ??= CPU_PERCENT;
}

/** A behavior that says anything says it for both directions. */
function setBehavior(spec: Unchecked<HorizontalPodAutoscalerSpec>): void {
  const { behavior } = spec;
  if (!behavior) return;
  behavior.scaleUp = { ...scaleUpRules(), ...behavior.scaleUp };
  behavior.scaleDown = { ...scaleDownRules(), ...behavior.scaleDown };
}

function scaleUpRules(): Unchecked<HPAScalingRules> {
  return {
    stabilizationWindowSeconds: 0,
    selectPolicy: "Max",
    policies: [
      { type: "Pods", value: 4, periodSeconds: 15 },
      { type: "Percent", value: 100, periodSeconds: 15 },
    ],
  };
}

/** Without a window: how long to wait is an option of the controller. */
function scaleDownRules(): Unchecked<HPAScalingRules> {
  return {
    selectPolicy: "Max",
    policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
  };
}

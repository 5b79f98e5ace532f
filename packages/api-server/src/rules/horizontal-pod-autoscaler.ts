/** Horizontal pod autoscalers of both versions. They are validated in the second. */
import { ownKey } from "@homeostat/object-model";
import type { HorizontalPodAutoscaler as OldAutoscaler } from "@homeostat/object-model/autoscaling-v1";
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerSpec,
  HorizontalPodAutoscalerStatus,
  HPAScalingRules,
} from "@homeostat/object-model/autoscaling-v2";
import { all, type ChangeRule, fields, ifPresent, nonNegative, type Rule } from "@homeostat/schema";
import { autoscalerMetrics, hasInvalidObject } from "./autoscaling/metrics.ts";
import { objectReference } from "./autoscaling/object-reference.ts";
import { scalingRules } from "./autoscaling/scaling-rules.ts";
import { type NamedTypeRules, type RuleContext, rulesFor, type Unchecked } from "./type-rules.ts";

const CPU_PERCENT = 80;
const OTHER_METRICS = "autoscaling.alpha.kubernetes.io/metrics";

export const horizontalPodAutoscalerRules: readonly NamedTypeRules[] = [
  rulesFor<OldAutoscaler>("autoscaling.v1.HorizontalPodAutoscaler", {
    setDefaults(autoscaler) {
      autoscaler.spec ??= {};
      autoscaler.spec.minReplicas ??= 1;
    },
    normalize: targetCpu,
  }),
  rulesFor<HorizontalPodAutoscaler>("autoscaling.v2.HorizontalPodAutoscaler", {
    validate: (autoscaler, place) => autoscalerSpec(autoscaler?.spec, place.child("spec")),
    validateChange({ value, old }, place) {
      const at = place.knowing<AutoscalerContext>({ ...place.context, old: old?.spec });
      autoscalerSpec(value?.spec, at.child("spec"));
    },
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
function targetCpu(autoscaler: Unchecked<OldAutoscaler>): void {
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

interface AutoscalerContext extends RuleContext {
  /** What an update replaces: what it had may stay. */
  readonly old?: Readonly<HorizontalPodAutoscalerSpec> | undefined;
}

/** Scaling to nothing is a feature that is off, unless it was already asked for. */
const bounds: Rule<HorizontalPodAutoscalerSpec, AutoscalerContext> = (spec, place) => {
  const { minReplicas, maxReplicas = 0 } = spec ?? {};
  const least = place.context.old?.minReplicas === 0 ? 0 : 1;
  const max = place.child("maxReplicas");
  if (minReplicas !== undefined && minReplicas < least) {
    const why = `must be greater than or equal to ${least}`;
    place.child("minReplicas").invalid(minReplicas, why);
  }
  if (maxReplicas === 0) max.required("must be set and greater than 0");
  else if (maxReplicas < 0) max.invalid(maxReplicas, "must be greater than or equal to 1");
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    max.invalid(maxReplicas, "must be greater than or equal to `minReplicas`");
  }
};

const target: Rule<HorizontalPodAutoscalerSpec, AutoscalerContext> = (spec, place) => {
  const { old } = place.context;
  const { apiVersion, kind } = spec?.scaleTargetRef ?? {};
  const isSame =
    old !== undefined &&
    (old.scaleTargetRef?.apiVersion ?? "") === (apiVersion ?? "") &&
    (old.scaleTargetRef?.kind ?? "") === (kind ?? "");
  // The only kind of the core group that can be scaled.
  const isCore = kind === "ReplicationController";
  const group = isSame ? "any" : isCore ? "optional" : "required";
  objectReference(group)(spec?.scaleTargetRef, place.child("scaleTargetRef"));
};

const metrics: Rule<HorizontalPodAutoscalerSpec, AutoscalerContext> = (spec, place) => {
  const described = hasInvalidObject(place.context.old?.metrics) ? "any" : "optional";
  const at = place.child("metrics");
  const hasGlobal = autoscalerMetrics(spec?.metrics ?? [], described, at);
  if (spec?.minReplicas === 0 && !hasGlobal) {
    at.forbidden(
      "must specify at least one Object or External metric to support scaling to zero replicas",
    );
  }
};

const autoscalerSpec = all<HorizontalPodAutoscalerSpec, AutoscalerContext>(
  bounds,
  target,
  metrics,
  fields<HorizontalPodAutoscalerSpec, AutoscalerContext>({
    behavior: fields<HorizontalPodAutoscalerBehavior>({
      scaleUp: ifPresent(scalingRules),
      scaleDown: ifPresent(scalingRules),
    }),
  }),
);

const status = fields<HorizontalPodAutoscalerStatus>({
  currentReplicas: nonNegative,
  desiredReplicas: nonNegative,
});

export const autoscalerStatusChange: ChangeRule<HorizontalPodAutoscaler, RuleContext> = (
  { value },
  place,
) => status(value?.status, place.child("status"));

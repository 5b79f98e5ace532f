/** Groups with one or two kinds: autoscaling, policy, coordination, scheduling, node, flow control. */

import { FieldError, FieldPath } from "@homeostat/object-model";
import type { HorizontalPodAutoscaler } from "@homeostat/object-model/autoscaling-v2";
import type { Lease } from "@homeostat/object-model/coordination-v1";
import type { RuntimeClass } from "@homeostat/object-model/node-v1";
import type { PodDisruptionBudget } from "@homeostat/object-model/policy-v1";
import type { PriorityClass } from "@homeostat/object-model/scheduling-v1";
import type { Strategy } from "../registry/strategy.ts";
import { checkSegmentName } from "./core.ts";
import { deprecatedNodeLabel } from "./deprecated-node-labels.ts";
import { checkImmutable } from "./field-checks.ts";
import { keepSpec, statusOnly } from "./status-updates.ts";

/** Stored as autoscaling/v2. */
export const horizontalPodAutoscalers: Strategy<HorizontalPodAutoscaler> = {
  subresources: { status: statusOnly },
};

/** Kubernetes forgot to check their names beyond what a URL needs. */
export const podDisruptionBudgets: Strategy<PodDisruptionBudget> = {
  generation: true,
  unconditionalUpdate: false,
  checkName: checkSegmentName,
  subresources: { status: statusOnly },
};

export const leases: Strategy<Lease> = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  // Coordinated leader election is off by default.
  prepareForCreate({ spec }) {
    delete spec?.strategy;
    delete spec?.preferredHolder;
  },
  prepareForUpdate({ spec }, old) {
    if (old.spec?.strategy === undefined) delete spec?.strategy;
    if (old.spec?.preferredHolder === undefined) delete spec?.preferredHolder;
  },
  validate: checkLease,
  validateUpdate: checkLease,
};

function checkLease({ spec }: Readonly<Lease>): FieldError[] {
  const path = FieldPath.of("spec");
  const errors: FieldError[] = [];
  if (spec?.leaseDurationSeconds !== undefined && spec.leaseDurationSeconds <= 0) {
    const at = path.child("leaseDurationSeconds");
    errors.push(FieldError.invalid(at, spec.leaseDurationSeconds, "must be greater than 0"));
  }
  if (spec?.leaseTransitions !== undefined && spec.leaseTransitions < 0) {
    const why = "must be greater than or equal to 0";
    errors.push(FieldError.invalid(path.child("leaseTransitions"), spec.leaseTransitions, why));
  }
  return errors;
}

/** Its generation is 1 and stays so, whatever changes. */
export const priorityClasses: Strategy<PriorityClass> = {
  prepareForCreate({ metadata }) {
    metadata.generation = 1;
  },
  validateUpdate: (priorityClass, old) => [
    ...(priorityClass.value === old.value
      ? []
      : [FieldError.forbidden(FieldPath.of("value"), "may not be changed in an update.")]),
    ...checkImmutable({
      path: FieldPath.of("preemptionPolicy"),
      value: priorityClass.preemptionPolicy,
      old: old.preemptionPolicy,
    }),
  ],
};

export const runtimeClasses: Strategy<RuntimeClass> = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  validate: ({ handler }) => (handler ? [] : [FieldError.required(FieldPath.of("handler"))]),
  validateUpdate: (runtimeClass, old) =>
    checkImmutable({
      path: FieldPath.of("handler"),
      value: runtimeClass.handler ?? "",
      old: old.handler ?? "",
    }),
  warnings: ({ scheduling }) =>
    Object.keys(scheduling?.nodeSelector ?? {}).flatMap((key) => {
      const why = deprecatedNodeLabel(key);
      return why === undefined ? [] : [`scheduling.nodeSelector: ${why}`];
    }),
};

/** FlowSchemas and PriorityLevelConfigurations. */
export const flowControls: Strategy = {
  generation: true,
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        keepSpec(object, old);
        object.metadata = { ...old.metadata };
      },
    },
  },
};

/** Groups with one or two kinds: autoscaling, policy, coordination, scheduling, node, flow control. */

import type { KubernetesObject } from "@homeostat/object-model";
import type { HorizontalPodAutoscaler } from "@homeostat/object-model/autoscaling-v2";
import type { Lease } from "@homeostat/object-model/coordination-v1";
import type {
  FlowSchema,
  PriorityLevelConfiguration,
} from "@homeostat/object-model/flowcontrol-v1";
import type { RuntimeClass } from "@homeostat/object-model/node-v1";
import type { PodDisruptionBudget } from "@homeostat/object-model/policy-v1";
import type { PriorityClass } from "@homeostat/object-model/scheduling-v1";
import type { Strategy } from "../registry/strategy.ts";
import { changeCheckOf } from "../rules/change-check.ts";
import { flowSchemaStatusChange } from "../rules/flow-schema.ts";
import { autoscalerStatusChange } from "../rules/horizontal-pod-autoscaler.ts";
import { disruptionBudgetStatusChange } from "../rules/pod-disruption-budget.ts";
import { priorityLevelStatusChange } from "../rules/priority-level.ts";
import { runtimeClassAgain } from "../rules/runtime-class.ts";
import { checkSegmentName } from "./core.ts";
import { deprecatedNodeLabel } from "./deprecated-node-labels.ts";
import { keepSpec } from "./status-updates.ts";

/** Stored as autoscaling/v2. */
export const horizontalPodAutoscalers: Strategy<HorizontalPodAutoscaler> = {
  subresources: {
    status: { prepareForUpdate: keepSpec, validateUpdate: changeCheckOf(autoscalerStatusChange) },
  },
};

/** Kubernetes forgot to check their names beyond what a URL needs. */
export const podDisruptionBudgets: Strategy<PodDisruptionBudget> = {
  generation: true,
  unconditionalUpdate: false,
  checkName: checkSegmentName,
  subresources: {
    status: {
      prepareForUpdate: keepSpec,
      validateUpdate: changeCheckOf(disruptionBudgetStatusChange),
    },
  },
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
};

/** Its generation is 1 and stays so, whatever changes. */
export const priorityClasses: Strategy<PriorityClass> = {
  prepareForCreate({ metadata }) {
    metadata.generation = 1;
  },
};

export const runtimeClasses: Strategy<RuntimeClass> = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  revalidate: changeCheckOf(runtimeClassAgain),
  warnings: ({ scheduling }) =>
    Object.keys(scheduling?.nodeSelector ?? {}).flatMap((key) => {
      const why = deprecatedNodeLabel(key);
      return why === undefined ? [] : [`scheduling.nodeSelector: ${why}`];
    }),
};

export const flowSchemas: Strategy<FlowSchema> = {
  generation: true,
  subresources: {
    status: {
      prepareForUpdate: keepAllButStatus,
      validateUpdate: changeCheckOf(flowSchemaStatusChange),
    },
  },
};

export const priorityLevels: Strategy<PriorityLevelConfiguration> = {
  generation: true,
  subresources: {
    status: {
      prepareForUpdate: keepAllButStatus,
      validateUpdate: changeCheckOf(priorityLevelStatusChange),
    },
  },
};

function keepAllButStatus(object: KubernetesObject, old: Readonly<KubernetesObject>): void {
  keepSpec(object, old);
  const { managedFields } = object.metadata ?? {};
  object.metadata = { ...old.metadata, ...(managedFields && { managedFields }) };
}

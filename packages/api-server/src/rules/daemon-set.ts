/** Daemon sets. Their template-generation annotation comes from the strategy. */
import type {
  DaemonSet,
  DaemonSetSpec,
  DaemonSetStatus,
  DaemonSetUpdateStrategy,
  RollingUpdateDaemonSet,
} from "@homeostat/object-model/apps-v1";
import { all, type ChangeRule, fields, ifPresent, nonNegative, type Rule } from "@homeostat/schema";
import { internalForm } from "../resources/internal-form.ts";
import { immutablePart } from "./checks/immutable-parts.ts";
import { atMost100Percent, intOrPercent, numberOf } from "./checks/int-or-percent.ts";
import {
  hasInvalidLabelValue,
  isEmptySelector,
  labelSelector,
  labelSelectorOfAnyValues,
  printedSelector,
  readSelector,
} from "./checks/label-selectors.ts";
import { type NamedTypeRules, type RuleContext, rulesFor, type Unchecked } from "./type-rules.ts";
import { collisions } from "./workloads/replica-counts.ts";
import {
  knowingOldTemplate,
  longRunning,
  mismatch,
  podTemplate,
  type TemplateContext,
} from "./workloads/workload-template.ts";

export const daemonSetRules: readonly NamedTypeRules[] = [
  rulesFor<DaemonSet>("apps.v1.DaemonSet", {
    validate(daemonSet, place) {
      const at = place.child("spec");
      labelSelector(daemonSet?.spec?.selector, at.child("selector"));
      daemonSetSpec(daemonSet?.spec, at);
    },
    validateChange({ value, old }, place) {
      const at = place.child("spec");
      const change = { value: value?.spec?.selector, old: old?.spec?.selector };
      immutablePart("LabelSelector")(change, at.child("selector"));
      const selector = hasInvalidLabelValue(change.old) ? labelSelectorOfAnyValues : labelSelector;
      selector(change.value, at.child("selector"));
      daemonSetSpec(value?.spec, knowingOldTemplate(at, old?.spec?.template));
    },
  }),
  rulesFor<DaemonSetSpec>("apps.v1.DaemonSetSpec", { defaults: { revisionHistoryLimit: 10 } }),
  rulesFor<DaemonSetUpdateStrategy>("apps.v1.DaemonSetUpdateStrategy", {
    defaults: { type: "RollingUpdate" },
    setDefaults: setRollingUpdate,
    normalize({ rollingUpdate }) {
      if (rollingUpdate === undefined) return;
      rollingUpdate.maxUnavailable ??= 0;
      rollingUpdate.maxSurge ??= 0;
    },
  }),
];

function setRollingUpdate(strategy: Unchecked<DaemonSetUpdateStrategy>): void {
  if (strategy.type !== "RollingUpdate") return;
  strategy.rollingUpdate ??= {};
  strategy.rollingUpdate.maxUnavailable ??= 1;
  strategy.rollingUpdate.maxSurge ??= 0;
}

/** Here an absent selector is not said to be missing: it selects nothing. */
const selectedPods: Rule<DaemonSetSpec> = (spec, place) => {
  const podLabels = spec?.template?.metadata?.labels;
  if (readSelector(spec?.selector)?.matches(podLabels) === false) {
    mismatch(podLabels, place.child("template"));
  }
  if (spec?.selector !== undefined && isEmptySelector(spec.selector)) {
    const shown = printedSelector(spec.selector);
    place.child("selector").invalid(shown, "empty selector is invalid for daemonset");
  }
};

const rollingUpdate = all<RollingUpdateDaemonSet>(
  fields<RollingUpdateDaemonSet>({ maxUnavailable: intOrPercent, maxSurge: intOrPercent }),
  fields<RollingUpdateDaemonSet>({ maxUnavailable: atMost100Percent, maxSurge: atMost100Percent }),
  (value, place) => {
    const unavailable = numberOf(value?.maxUnavailable) !== 0;
    const surge = numberOf(value?.maxSurge) !== 0;
    if (unavailable && surge) {
      const why = "may not be set when maxUnavailable is non-zero";
      place.child("maxSurge").invalid(value?.maxSurge, why);
    } else if (!unavailable && !surge) {
      place.child("maxUnavailable").required("cannot be 0 when maxSurge is 0");
    }
  },
);

const updateStrategy: Rule<DaemonSetUpdateStrategy> = (value, place) => {
  switch (value?.type) {
    case "OnDelete":
      return;
    case "RollingUpdate": {
      const at = place.child("rollingUpdate");
      if (value.rollingUpdate !== undefined) rollingUpdate(value.rollingUpdate, at);
      else at.required();
      return;
    }
    default: {
      const shown = internalForm("apps.DaemonSetUpdateStrategy", value);
      place.notSupported(shown, ["RollingUpdate", "OnDelete"]);
    }
  }
};

/** All but the form of the selector. */
const daemonSetSpec = all<DaemonSetSpec, TemplateContext>(
  selectedPods,
  fields<DaemonSetSpec, TemplateContext>({
    template: [podTemplate, longRunning("DaemonSet")],
    minReadySeconds: nonNegative,
    updateStrategy,
    revisionHistoryLimit: ifPresent(nonNegative),
  }),
);

const status = fields<DaemonSetStatus>({
  currentNumberScheduled: nonNegative,
  numberMisscheduled: nonNegative,
  desiredNumberScheduled: nonNegative,
  numberReady: nonNegative,
  observedGeneration: nonNegative,
  updatedNumberScheduled: nonNegative,
  numberAvailable: nonNegative,
  numberUnavailable: nonNegative,
  collisionCount: nonNegative,
});

export const daemonSetStatusChange: ChangeRule<DaemonSet, RuleContext> = (
  { value, old },
  place,
) => {
  const at = place.child("status");
  status(value?.status, at);
  collisions({ value: value?.status, old: old?.status }, at);
};

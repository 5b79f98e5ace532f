/** Replication controllers: selector and labels are the template's unless they say otherwise. */
import { FieldError, FieldPath } from "@homeostat/object-model";
import type {
  ReplicationController,
  ReplicationControllerSpec,
  ReplicationControllerStatus,
} from "@homeostat/object-model/core-v1";
import { all, type ChangeRule, fields, nonNegative, type Rule } from "@homeostat/schema";
import { sameForm } from "../resources/internal-form.ts";
import { type NamedTypeRules, type RuleContext, rulesFor, type Unchecked } from "./type-rules.ts";
import { amongReplicas, atMost } from "./workloads/replica-counts.ts";
import {
  knowingOldTemplate,
  longRunning,
  mismatch,
  podTemplate,
  printedLabels,
  type TemplateContext,
} from "./workloads/workload-template.ts";

export const replicationControllerRules: readonly NamedTypeRules[] = [
  rulesFor<ReplicationController>("core.v1.ReplicationController", {
    setDefaults: takeTemplateLabels,
    validate: (controller, place) => controllerSpec(controller?.spec, place.child("spec")),
    validateChange({ value, old }, place) {
      const at = place.child("spec");
      controllerSpec(value?.spec, knowingOldTemplate(at, old?.spec?.template));
      nonConvertible({ value, old }, place);
    },
  }),
  rulesFor<ReplicationControllerSpec>("core.v1.ReplicationControllerSpec", {
    defaults: { replicas: 1 },
  }),
];

function takeTemplateLabels(controller: Unchecked<ReplicationController>): void {
  const { spec } = controller;
  const labels = spec?.template?.metadata?.labels;
  if (!spec || !labels) return;
  if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
  controller.metadata ??= {};
  if (Object.keys(controller.metadata.labels ?? {}).length === 0) {
    controller.metadata.labels = { ...labels };
  }
}

/** The selector is a plain map of labels. */
const selectedTemplate: Rule<ReplicationControllerSpec, TemplateContext> = (spec, place) => {
  const at = place.child("template");
  if (spec?.template === undefined) {
    at.required();
    return;
  }
  const podLabels = spec.template.metadata?.labels;
  const selected = Object.entries(spec.selector ?? {}).every(
    ([key, value]) =>
      podLabels !== undefined && Object.hasOwn(podLabels, key) && podLabels[key] === value,
  );
  if (!selected) mismatch(podLabels, at);
  podTemplate(spec.template, at);
  longRunning("ReplicationController")(spec.template, at);
};

const controllerSpec = all<ReplicationControllerSpec, TemplateContext>(
  fields<ReplicationControllerSpec, TemplateContext>({
    minReadySeconds: nonNegative,
    selector: (value, place) => {
      if (Object.keys(value ?? {}).length === 0) place.required();
    },
    replicas: (value, place) => {
      if (value === undefined) place.required();
      else nonNegative(value, place);
    },
  }),
  selectedTemplate,
);

const NON_CONVERTIBLE = "non-convertible.kubernetes.io/";

/** Annotations say what once could not be brought into the form of a ReplicaSet: it stays. */
const nonConvertible: ChangeRule<ReplicationController> = ({ value, old }, place) => {
  for (const [key, text] of Object.entries(old?.metadata?.annotations ?? {})) {
    if (!key.startsWith(NON_CONVERTIBLE)) continue;
    const field = key.slice(NON_CONVERTIBLE.length);
    if (!field.includes("selector")) {
      const why = "unknown non-convertible field";
      place.add(FieldError.notFound(FieldPath.of(field), text, why));
    } else if (!sameForm(value?.spec?.selector ?? {}, old?.spec?.selector ?? {})) {
      const shown = printedLabels(value?.spec?.selector);
      place
        .child("spec")
        .child("selector")
        .invalid(shown, "cannot update non-convertible selector");
    }
  }
};

const status = all<ReplicationControllerStatus>(
  fields<ReplicationControllerStatus>({
    replicas: nonNegative,
    fullyLabeledReplicas: nonNegative,
    readyReplicas: nonNegative,
    availableReplicas: nonNegative,
    observedGeneration: nonNegative,
  }),
  amongReplicas("fullyLabeledReplicas", "readyReplicas", "availableReplicas"),
  atMost("availableReplicas", "readyReplicas", "cannot be greater than readyReplicas"),
);

export const replicationControllerStatusChange: ChangeRule<ReplicationController, RuleContext> = (
  { value },
  place,
) => status(value?.status, place.child("status"));

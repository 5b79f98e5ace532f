/**
 * The template from which workloads make pods, and the kind PodTemplate. Labels and annotations are
 * named in errors as if they were fields of the template itself.
 */
import type { PodSpec, PodTemplate, PodTemplateSpec } from "@homeostat/object-model/core-v1";
import type { Rule } from "@homeostat/schema";
import { annotations, labels } from "./checks/labels.ts";
import type { PodFacts } from "./pod-facts.ts";
import { checkPodAnnotations, checkProfilesAgree } from "./pods/pod-annotations.ts";
import { podSpecRule } from "./pods/pod-spec-rule.ts";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

/** What the defaults make of a template that is not there. */
const NO_SPEC: PodSpec = {
  containers: [],
  dnsPolicy: "ClusterFirst",
  restartPolicy: "Always",
  terminationGracePeriodSeconds: 30,
};

/** `old` is the template that an update replaces: what it had wrong before rules got stricter stays. */
export function podTemplateSpecRule(old?: Readonly<PodTemplateSpec>): Rule<PodTemplateSpec> {
  return (template, place) => {
    const spec = template?.spec ?? NO_SPEC;
    const own = template?.metadata?.annotations;
    const facts: PodFacts = {
      isPod: false,
      spec,
      ...(old === undefined ? {} : { old: old.spec ?? NO_SPEC }),
    };
    const inside = place.knowing(facts);
    labels(template?.metadata?.labels, place.child("labels"));
    annotations(own, place.child("annotations"));
    checkPodAnnotations(
      { annotations: own, oldAnnotations: old?.metadata?.annotations, isUpdate: old !== undefined },
      inside.child("annotations"),
    );
    podSpecRule(spec, inside.child("spec"));
    checkProfilesAgree(own, spec, place.child("spec"));
    if ((spec.ephemeralContainers ?? []).length > 0) {
      const at = place.child("spec").child("ephemeralContainers");
      at.forbidden("ephemeral containers not allowed in pod template");
    }
  };
}

export const podTemplateRules: readonly NamedTypeRules[] = [
  rulesFor<PodTemplate>("core.v1.PodTemplate", {
    validate: (value, place) => podTemplateSpecRule()(value?.template, place.child("template")),
    validateChange: ({ value, old }, place) =>
      podTemplateSpecRule(old?.template ?? {})(value?.template, place.child("template")),
  }),
];

/**
 * Pods: what a pod spec has to be, in a pod and in every template of pods (volumes apart, see
 * `../volumes/`), what may become of a pod, and what may be reported of it. `pod-spec-rule.ts` lists
 * the fields of a spec in kube-apiserver's order and is the place to start; each part of a pod has its
 * file. This one adds what is asked of pods and not of templates.
 *
 * Rules below a spec know the pod around them (`../pod-facts.ts`), and allow on an update what the
 * old pod had wrong before a rule got stricter.
 */
import type { Pod, PodSpec } from "@homeostat/object-model/core-v1";
import type { ChangeRule, Place, Rule } from "@homeostat/schema";
import { checkPodUpdate } from "../../resources/pod-update.ts";
import { checkImageOfPod } from "./containers.ts";
import { factsOfPod } from "./facts-of-pod.ts";
import { checkAnnotationsOfPod, checkAnnotationUpdate } from "./pod-annotation-update.ts";
import { checkProfilesAgree } from "./pod-annotations.ts";
import { podSpecRule } from "./pod-spec-rule.ts";

const NO_SPEC: PodSpec = { containers: [] };

/** `old` is the pod that an update replaces. */
export function podRule(old?: Readonly<Pod>): Rule<Pod> {
  return (pod, place) => {
    if (pod === undefined) return;
    const facts = factsOfPod(pod, old);
    const { spec } = facts;
    const at = place.knowing(facts).child("spec");
    checkAnnotationsOfPod(pod, old, place);
    podSpecRule(spec, at);
    checkTokens(spec, at);
    for (const list of ["containers", "initContainers"] as const) {
      at.child(list).visitItems(spec[list] ?? [], checkImageOfPod);
    }
  };
}

/** A token is of a service account, which has to be known. */
function checkTokens(spec: Readonly<PodSpec>, place: Place): void {
  if (spec.serviceAccountName) return;
  for (const [index, volume] of (spec.volumes ?? []).entries()) {
    for (const [number, source] of (volume.projected?.sources ?? []).entries()) {
      if (!source.serviceAccountToken) continue;
      const projected = place.child("volumes").index(index).child("projected");
      const at = projected.child("sources").index(number).child("serviceAccountToken");
      at.forbidden("must not be specified when serviceAccountName is not set");
    }
  }
}

export const newPodRule: Rule<Pod> = (pod, place) => {
  podRule()(pod, place);
  const spec = pod?.spec ?? NO_SPEC;
  const at = place.child("spec");
  if ((spec.ephemeralContainers ?? []).length > 0) {
    at.child("ephemeralContainers").forbidden("cannot be set on create");
  }
  if (spec.nodeName && (spec.schedulingGates ?? []).length > 0) {
    at.child("nodeName").forbidden("cannot be set until all schedulingGates have been cleared");
  }
  checkProfilesAgree(pod?.metadata.annotations, spec, at);
};

export const changedPodRule: ChangeRule<Pod> = ({ value, old }, place) => {
  if (value === undefined || old === undefined) return;
  podRule(old)(value, place);
  checkAnnotationUpdate(value, old, place);
  place.add(...checkPodUpdate(value, old));
};

/** Where a pod likes to run: on which nodes, and beside which pods. */
import { checkDns1123Label } from "@homeostat/object-model";
import type {
  Affinity,
  NodeAffinity,
  PodAffinity,
  PodAffinityTerm,
  PodAntiAffinity,
  PreferredSchedulingTerm,
  WeightedPodAffinityTerm,
} from "@homeostat/object-model/core-v1";
import { eachLater, fields, ifPresent, type Rule } from "@homeostat/schema";
import {
  hasInvalidLabelValue,
  labelKey,
  labelSelector,
  labelSelectorOfAnyValues,
} from "./checks/label-selectors.ts";
import { checkMatchLabelKeys } from "./match-label-keys.ts";
import { hasInvalidNodeLabelValue, nodeSelector, nodeSelectorTerm } from "./node-selector.ts";

/** `old` is what an update replaces: what it had wrong in values of labels stays allowed. */
export function affinityRule(old?: Readonly<Affinity>): Rule<Affinity> {
  const term = podAffinityTerm(hasInvalidSelectors(old));
  const podAffinity = ifPresent(
    fields<PodAffinity | PodAntiAffinity>({
      requiredDuringSchedulingIgnoredDuringExecution: eachLater(term),
      preferredDuringSchedulingIgnoredDuringExecution: eachLater(
        fields<WeightedPodAffinityTerm>({ weight, podAffinityTerm: term }),
      ),
    }),
  );
  const before = old?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const required = nodeSelector({ anyLabelValues: hasInvalidNodeLabelValue(before) });
  return fields<Affinity>({
    nodeAffinity: fields<NodeAffinity>({
      requiredDuringSchedulingIgnoredDuringExecution: ifPresent(required),
      preferredDuringSchedulingIgnoredDuringExecution: eachLater(preferredNodes),
    }),
    podAffinity,
    podAntiAffinity: podAffinity,
  });
}

const weight: Rule<number> = (value = 0, place) => {
  if (value <= 0 || value > 100) place.invalid(value, "must be in the range 1-100");
};

const preferredNodes = fields<PreferredSchedulingTerm>({
  weight,
  preference: nodeSelectorTerm({ anyLabelValues: true }),
});

function podAffinityTerm(anyLabelValues: boolean): Rule<PodAffinityTerm> {
  const selector = anyLabelValues ? labelSelectorOfAnyValues : labelSelector;
  return (term, place) => {
    selector(term?.labelSelector, place.child("labelSelector"));
    selector(term?.namespaceSelector, place.child("namespaceSelector"));
    place.visitItems(term?.namespaces ?? [], (namespace, _, here) => {
      for (const problem of checkDns1123Label(namespace)) {
        here.child("namespace").invalid(namespace, problem);
      }
    });
    checkMatchLabelKeys(term ?? {}, place);
    const { topologyKey = "" } = term ?? {};
    const at = place.child("topologyKey");
    if (topologyKey === "") at.required("can not be empty");
    labelKey(topologyKey, at);
  };
}

function hasInvalidSelectors(affinity: Readonly<Affinity> | undefined): boolean {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some((side) => {
    const preferred = side?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const terms = [
      ...(side?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...preferred.map((weighted) => weighted?.podAffinityTerm),
    ];
    return terms.some(
      (term) =>
        hasInvalidLabelValue(term?.labelSelector) || hasInvalidLabelValue(term?.namespaceSelector),
    );
  });
}

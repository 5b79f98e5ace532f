/**
 * What workloads share: a selector, and a template of the pods it has to match. Rules of the pods
 * themselves are in `../pods/`; here is what a workload asks of its template on top of them.
 */
import type { PodTemplateSpec } from "@homeostat/object-model/core-v1";
import type { LabelSelector as LabelSelectorObject } from "@homeostat/object-model/meta-v1";
import type { Place, Rule } from "@homeostat/schema";
import {
  isEmptySelector,
  labelSelector,
  printedSelector,
  readSelector,
} from "../checks/label-selectors.ts";
import { annotations, labels } from "../checks/labels.ts";
import type { PodFacts } from "../pod-facts.ts";
import { podTemplateSpecRule } from "../pod-template.ts";
import { checkPodAnnotations } from "../pods/pod-annotations.ts";
import type { RuleContext } from "../type-rules.ts";

/** Of an update: the template before, since what it had may stay. */
export interface TemplateContext extends RuleContext {
  readonly oldTemplate?: PodTemplateSpec | undefined;
}

/** For the rules of an update. */
export function knowingOldTemplate(
  place: Place<RuleContext>,
  oldTemplate: PodTemplateSpec | undefined,
): Place<TemplateContext> {
  return place.knowing<TemplateContext>({ ...place.context, oldTemplate: oldTemplate ?? {} });
}

/** A spec with both. */
interface SelectingSpec {
  readonly selector?: LabelSelectorObject;
  readonly template?: PodTemplateSpec;
}

/** Has to be there and to select something. `workload` is how messages call it. */
export function workloadSelector(workload: string): Rule<LabelSelectorObject> {
  return (selector, place) => {
    if (selector === undefined) {
      place.required();
      return;
    }
    labelSelector(selector, place);
    if (isEmptySelector(selector)) {
      place.invalid(printedSelector(selector), `empty selector is invalid for ${workload}`);
    }
  };
}

/** A template whose pods are those that the selector selects, and run for ever. */
export function selectedTemplate(workload: string): Rule<SelectingSpec, TemplateContext> {
  return (spec, place) => {
    const selector = readSelector(spec?.selector);
    if (selector === undefined) {
      const value = printedSelector(spec?.selector);
      place.child("selector").invalid(value, "invalid label selector");
      return;
    }
    const at = place.child("template");
    const podLabels = spec?.template?.metadata?.labels;
    if (!selector.isEmpty() && !selector.matches(podLabels)) mismatch(podLabels, at);
    podTemplate(spec?.template, at);
    longRunning(workload)(spec?.template, at);
  };
}

/** Says that the labels of a template are not those of the selector. */
export function mismatch(
  podLabels: Readonly<Record<string, string>> | undefined,
  template: Place,
): void {
  const at = template.child("metadata").child("labels");
  at.invalid(printedLabels(podLabels), "`selector` does not match template `labels`");
}

/** Pods that are replaced whenever they end. */
export function longRunning(workload: string): Rule<PodTemplateSpec> {
  return (template, place) => {
    const { restartPolicy = "", activeDeadlineSeconds } = template?.spec ?? {};
    const at = place.child("spec");
    if (restartPolicy !== "Always")
      at.child("restartPolicy").notSupported(restartPolicy, ["Always"]);
    if (activeDeadlineSeconds === undefined) return;
    const why = `activeDeadlineSeconds in ${workload} is not Supported`;
    at.child("activeDeadlineSeconds").forbidden(why);
  };
}

/** Labels and annotations of the template. */
export const templateMetadata: Rule<PodTemplateSpec, TemplateContext> = (template, place) => {
  const own = template?.metadata?.annotations;
  const { oldTemplate } = place.context;
  labels(template?.metadata?.labels, place.child("labels"));
  annotations(own, place.child("annotations"));
  const facts: PodFacts = { isPod: false, spec: template?.spec ?? { containers: [] } };
  checkPodAnnotations(
    {
      annotations: own,
      oldAnnotations: oldTemplate?.metadata?.annotations,
      isUpdate: oldTemplate !== undefined,
    },
    place.knowing(facts).child("annotations"),
  );
};

/** The template as such. */
export const podTemplate: Rule<PodTemplateSpec, TemplateContext> = (template, place) =>
  podTemplateSpecRule(place.context.oldTemplate)(template, place);

/** In the order Go prints a map. */
export function printedLabels(
  map: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | null {
  if (map === undefined) return null;
  return Object.fromEntries(Object.entries(map).sort(([one], [two]) => (one < two ? -1 : 1)));
}

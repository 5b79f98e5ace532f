/**
 * What may change in a pod that exists: images, deadlines (downwards), more tolerations, fewer
 * scheduling gates, and where it may be placed while it is gated. Everything else is refused with
 * the difference. The rules come in kube-apiserver's order, and some end the check.
 */

import { encodeJson, FieldError, FieldPath, ownKey } from "@homeostat/object-model";
import type {
  Affinity,
  Container,
  NodeAffinity,
  NodeSelectorTerm,
  Pod,
  PodSchedulingGate,
  PodSpec,
  Toleration,
} from "@homeostat/object-model/core-v1";
import { Place } from "@homeostat/schema";
import { nameOf } from "../rules/pods/container-lists.ts";
import { tolerationsRule } from "../rules/tolerations.ts";
import { diffOfParts } from "./field-checks.ts";
import { internalForm, internalList, sameInternal, samePointer } from "./internal-form.ts";

const SPEC = FieldPath.of("spec");
const MAX_INT32 = 2 ** 31 - 1;

const UPDATABLE = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",");

export function checkPodUpdate(pod: Readonly<Pod>, old: Readonly<Pod>): FieldError[] {
  const errors: FieldError[] = [];
  const spec = pod.spec ?? { containers: [] };
  const oldSpec = old.spec ?? { containers: [] };
  for (const list of ["containers", "initContainers"] as const) {
    const path = SPEC.child(list);
    const containers = spec[list] ?? [];
    if (containers.length !== (oldSpec[list] ?? []).length) {
      return [
        ...errors,
        FieldError.forbidden(path, "pod updates may not add or remove containers"),
      ];
    }
    for (const each of checkImages(containers, path)) errors.push(each);
  }
  const deadline = checkDeadline(spec, oldSpec);
  for (const each of deadline.errors) errors.push(each);
  if (deadline.final) return errors;
  for (const each of checkTolerations(spec.tolerations ?? [], oldSpec.tolerations ?? []))
    errors.push(each);
  for (const each of checkGates(spec.schedulingGates ?? [], oldSpec.schedulingGates ?? []))
    errors.push(each);
  if (sameInternal("PodSpec", spec, oldSpec)) return errors;
  return [...errors, ...checkFixedFields(spec, oldSpec)];
}

function checkImages(containers: readonly Container[], path: FieldPath): FieldError[] {
  return containers.flatMap(({ image = "" }, index) => {
    const field = path.index(index).child("image");
    if (image === "") return [FieldError.required(field)];
    if (image.trim() === image) return [];
    return [FieldError.invalid(field, image, "must not have leading or trailing whitespace")];
  });
}

interface Verdict {
  readonly errors: readonly FieldError[];
  /** No further rule is looked at. */
  readonly final: boolean;
}

function checkDeadline(spec: Readonly<PodSpec>, old: Readonly<PodSpec>): Verdict {
  const path = SPEC.child("activeDeadlineSeconds");
  const seconds = spec.activeDeadlineSeconds;
  const before = old.activeDeadlineSeconds;
  const refuse = (why: string, final: boolean): Verdict => ({
    errors: [FieldError.invalid(path, seconds, why)],
    final,
  });
  if (seconds === undefined) {
    if (before === undefined) return { errors: [], final: false };
    return refuse("must not update from a positive integer to nil value", false);
  }
  if (seconds < 0 || seconds > MAX_INT32) {
    return refuse(`must be between 0 and ${MAX_INT32}, inclusive`, true);
  }
  if (before !== undefined && before < seconds) {
    return refuse("must be less than or equal to previous value", true);
  }
  return { errors: [], final: false };
}

function checkTolerations(
  tolerations: readonly Toleration[],
  old: readonly Toleration[],
): FieldError[] {
  const forms = new Set(tolerations.map(withoutSeconds));
  const kept = old.every((before) => forms.has(withoutSeconds(before)));
  const place = Place.root(undefined, SPEC.child("tolerations"));
  if (kept) tolerationsRule(tolerations, place);
  else place.forbidden("existing toleration can not be modified except its tolerationSeconds");
  return place.errors;
}

function withoutSeconds(toleration: Toleration): string {
  return encodeJson(internalForm("Toleration", { ...toleration, tolerationSeconds: undefined }));
}

/** Of gates with one name the last is told. */
function checkGates(
  gates: readonly PodSchedulingGate[],
  old: readonly PodSchedulingGate[],
): FieldError[] {
  const added = new Map([...gates.entries()].map(([index, gate]) => [nameOf(gate), index]));
  for (const gate of old) added.delete(nameOf(gate));
  return [...added].map(([name, index]) => {
    const path = SPEC.child("schedulingGates").index(index).child("name");
    const why = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return FieldError.forbidden(path, why);
  });
}

/** Takes out what may change, then asks whether anything else did. */
function checkFixedFields(spec: Readonly<PodSpec>, old: Readonly<PodSpec>): FieldError[] {
  const errors: FieldError[] = [];
  const rest: Record<string, unknown> = { ...spec };
  rest["containers"] = withImagesOf(spec.containers, old.containers);
  if (spec.initContainers) {
    rest["initContainers"] = withImagesOf(spec.initContainers, old.initContainers);
  }
  rest["activeDeadlineSeconds"] = old.activeDeadlineSeconds;
  rest["schedulingGates"] = old.schedulingGates;
  rest["tolerations"] = old.tolerations;
  if ((old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1) {
    rest["terminationGracePeriodSeconds"] = old.terminationGracePeriodSeconds;
  }
  if ((old.schedulingGates ?? []).length > 0) {
    for (const each of checkNodeSelector(spec, old)) errors.push(each);
    rest["nodeSelector"] = old.nodeSelector;
    for (const each of checkNodeAffinity(spec.affinity?.nodeAffinity, old.affinity?.nodeAffinity))
      errors.push(each);
    rest["affinity"] = withNodeAffinityOf(spec.affinity, old.affinity);
  }
  if (!sameInternal("PodSpec", rest, old)) {
    const why = `pod updates may not change fields other than ${UPDATABLE}`;
    errors.push(FieldError.forbidden(SPEC, `${why}\n${diffOfParts("PodSpec", old, rest)}`));
  }
  return errors;
}

function withImagesOf(
  containers: readonly Container[] | undefined,
  old: readonly Container[] | undefined,
): readonly unknown[] | undefined {
  return containers?.map((container, index) => ({ ...container, image: old?.[index]?.image }));
}

function checkNodeSelector(spec: Readonly<PodSpec>, old: Readonly<PodSpec>): FieldError[] {
  const kept = Object.entries(old.nodeSelector ?? {}).every(
    ([key, value]) => ownKey(spec.nodeSelector, key) === value,
  );
  if (kept) return [];
  const why = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  return [FieldError.invalid(SPEC.child("nodeSelector"), spec.nodeSelector, why)];
}

function checkNodeAffinity(
  affinity: Readonly<NodeAffinity> | undefined,
  old: Readonly<NodeAffinity> | undefined,
): FieldError[] {
  const before = old?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (before.length === 0) return [];
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const path = SPEC.child(
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
  );
  if (terms.length !== before.length) {
    const why = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    const value = internalList("NodeSelectorTerm", terms.length > 0 ? terms : undefined);
    return [FieldError.invalid(path, value, why)];
  }
  return terms.flatMap((term, index) => {
    if (onlyAdds(term, before[index]!)) return [];
    const value = internalForm("NodeSelectorTerm", term);
    const why = "only additions are allowed (no mutations or deletions)";
    return [FieldError.invalid(path.index(index), value, why)];
  });
}

/** An empty term matches nothing, so adding to it would widen where the pod may go. */
function onlyAdds(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = ["matchExpressions", "matchFields"] as const;
  const count = (from: NodeSelectorTerm): number =>
    lists.reduce((sum, list) => sum + (from[list] ?? []).length, 0);
  if (count(old) === 0) return count(term) === 0;
  return lists.every((list) => {
    const kept = old[list] ?? [];
    const begins = (term[list] ?? []).slice(0, kept.length);
    return sameInternal("NodeSelectorTerm", { [list]: begins }, { [list]: kept });
  });
}

function withNodeAffinityOf(
  affinity: Readonly<Affinity> | undefined,
  old: Readonly<Affinity> | undefined,
): unknown {
  const before = old?.nodeAffinity;
  if (samePointer("NodeAffinity", affinity?.nodeAffinity, before)) return affinity;
  if (affinity === undefined) return { nodeAffinity: before };
  if (old === undefined && !affinity.podAffinity && !affinity.podAntiAffinity) return undefined;
  return { ...affinity, nodeAffinity: before };
}

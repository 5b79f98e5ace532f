/**
 * The resize and ephemeralcontainers subresources of pods: each lets one part of the spec change
 * and takes the rest from the pod as it is.
 */

import { FieldError, FieldPath, ownKey } from "@homeostat/object-model";
import type {
  Container,
  Pod,
  PodSpec,
  ResourceRequirements,
} from "@homeostat/object-model/core-v1";
import { Place } from "@homeostat/schema";
import type { SubresourceStrategy } from "../registry/strategy.ts";
import { checkAnnotationUpdate } from "../rules/pods/pod-annotation-update.ts";
import { MIRROR_POD } from "../rules/pods/pod-annotations.ts";
import { podRule } from "../rules/pods/pod-rule.ts";
import { diffOfParts } from "./field-checks.ts";
import { sameInternal } from "./internal-form.ts";
import { qualityOfService } from "./pod-quality.ts";
import { keepMetadata, keepSpec } from "./status-updates.ts";

const SPEC = FieldPath.of("spec");
/** Errors of the pod as a whole: how kube-apiserver prints a path without a name. */
const WHOLE = FieldPath.of("[]");

export const ephemeralContainers: SubresourceStrategy<Pod> = {
  prepareForUpdate(pod, old) {
    const containers = pod.spec?.ephemeralContainers;
    keepSpec(pod, old);
    keepStatus(pod, old);
    keepMetadata(pod, old);
    const { ephemeralContainers: _, ...spec } = pod.spec ?? { containers: [] };
    pod.spec = containers === undefined ? spec : { ...spec, ephemeralContainers: containers };
  },

  validateUpdate(pod, old) {
    if (isMirror(old)) {
      return [FieldError.forbidden(WHOLE, "static pods do not support ephemeral containers")];
    }
    const place = Place.root(undefined);
    podRule(old)(pod, place);
    checkAnnotationUpdate(pod, old, place);
    const { errors } = place;
    const path = SPEC.child("ephemeralContainers");
    const byName = new Map(
      (pod.spec?.ephemeralContainers ?? []).map((container) => [container.name, container]),
    );
    for (const before of old.spec?.ephemeralContainers ?? []) {
      const container = byName.get(before.name);
      const what = `existing ephemeral containers ${JSON.stringify(before.name)}`;
      if (container === undefined) {
        errors.push(FieldError.forbidden(path, `${what} may not be removed\n`));
      } else if (!sameInternal("EphemeralContainer", container, before)) {
        const diff = diffOfParts("EphemeralContainer", before, container);
        errors.push(FieldError.forbidden(path, `${what} may not be changed\n${diff}`));
      }
    }
    return errors;
  },
};

export const resize: SubresourceStrategy<Pod> = {
  prepareForUpdate(pod, old) {
    // No containers are stored as null.
    const containers = resized(pod.spec?.containers, old.spec?.containers ?? undefined);
    const initContainers = resized(pod.spec?.initContainers, old.spec?.initContainers);
    // Containers that were added or removed are left for the check to refuse.
    if (containers === undefined || initContainers === undefined) return;
    const resources = pod.spec?.resources;
    keepSpec(pod, old);
    keepStatus(pod, old);
    keepMetadata(pod, old);
    const spec: PodSpec = { ...pod.spec, containers };
    if (spec.initContainers !== undefined) spec.initContainers = initContainers;
    if (resources === undefined) delete spec.resources;
    else spec.resources = resources;
    pod.spec = spec;
  },

  validateUpdate(pod, old) {
    if (isMirror(old)) return [FieldError.forbidden(WHOLE, "static pods cannot be resized")];
    if (old.spec?.os?.name === "windows") {
      return [FieldError.forbidden(WHOLE, "windows pods cannot be resized")];
    }
    const place = Place.root(undefined);
    podRule(old)(pod, place);
    return [...place.errors, ...checkResize(pod, old)];
  },
};

function checkResize(pod: Readonly<Pod>, old: Readonly<Pod>): FieldError[] {
  const spec = pod.spec ?? { containers: [] };
  const before = old.spec ?? { containers: [] };
  const errors: FieldError[] = [];
  if ((old.status?.qosClass || qualityOfService(before)) !== qualityOfService(spec)) {
    const why = "Pod QOS Class may not change as a result of resizing";
    errors.push(FieldError.invalid(SPEC, pod.status?.qosClass ?? "", why));
  }
  if (!nodeCanResize(old)) {
    errors.push(FieldError.forbidden(SPEC, "Pod running on node without support for resize"));
  }
  for (const each of checkPodLevel(spec.resources, before.resources)) errors.push(each);
  const order = [
    ...checkOrder("containers", spec, before),
    ...checkOrder("initContainers", spec, before),
  ];
  if (order.length > 0) return [...errors, ...order];
  for (const each of checkRemovals("initContainers", spec, before)) errors.push(each);
  for (const each of checkRemovals("containers", spec, before)) errors.push(each);
  for (const each of checkOtherResources(spec, before)) errors.push(each);
  return errors;
}

/** A running container that does not tell its resources runs on a node that cannot change them. */
function nodeCanResize(pod: Readonly<Pod>): boolean {
  const running = pod.status?.containerStatuses?.find((status) => status.state?.running);
  return running === undefined || running.resources !== undefined;
}

function checkPodLevel(
  resources: ResourceRequirements | undefined,
  old: ResourceRequirements | undefined,
): FieldError[] {
  const path = SPEC.child("resources");
  if (!saysAnything(resources) && !saysAnything(old)) return [];
  if (old !== undefined && resources === undefined) {
    return [FieldError.forbidden(path, "pod-level resources cannot be removed")];
  }
  const errors: FieldError[] = [];
  for (const list of ["requests", "limits"] as const) {
    if (removes(resources?.[list], old?.[list])) {
      const why = `pod-level resource ${list} cannot be removed`;
      errors.push(FieldError.forbidden(path.child(list), why));
    }
  }
  const [rest, before] = [resources, old].map((each) => ({
    resources: { ...withoutCompute(each), claims: each?.claims },
  }));
  if (!sameInternal("Container", rest, before)) {
    const why = "only cpu and memory resources are mutable at pod-level";
    errors.push(FieldError.forbidden(SPEC, why));
  }
  return errors;
}

function saysAnything(resources: ResourceRequirements | undefined): boolean {
  const { requests = {}, limits = {} } = resources ?? {};
  return Object.keys(requests).length + Object.keys(limits).length > 0;
}

type ContainerList = "containers" | "initContainers";

function checkOrder(
  list: ContainerList,
  spec: Readonly<PodSpec>,
  old: Readonly<PodSpec>,
): FieldError[] {
  const containers = spec[list] ?? [];
  const before = old[list] ?? [];
  if (containers.length !== before.length) {
    const why = `${list} may not be added or removed on resize`;
    return [FieldError.forbidden(SPEC.child(list), why)];
  }
  return containers.flatMap((container, index) => {
    if (container.name === before[index]!.name) return [];
    const why = `${list} may not be renamed or reordered on resize`;
    return [FieldError.forbidden(SPEC.child(list).index(index).child("name"), why)];
  });
}

function checkRemovals(
  list: ContainerList,
  spec: Readonly<PodSpec>,
  old: Readonly<PodSpec>,
): FieldError[] {
  return (spec[list] ?? []).flatMap(({ resources }, index) => {
    const before = old[list]?.[index]?.resources;
    const path = SPEC.child(list).index(index).child("resources");
    return (["requests", "limits"] as const)
      .filter((kind) => removes(resources?.[kind], before?.[kind]))
      .map((kind) => FieldError.forbidden(path.child(kind), `resource ${kind} cannot be removed`));
  });
}

/** Apart from cpu and memory nothing of the resources may change. */
function checkOtherResources(spec: Readonly<PodSpec>, old: Readonly<PodSpec>): FieldError[] {
  const errors: FieldError[] = [];
  const differs = (list: ContainerList, index: number): boolean => {
    const container = spec[list]![index]!;
    const before = old[list]![index]!;
    const claims = before.resources?.claims;
    return !sameInternal(
      "Container",
      { ...container, resources: withoutCompute(container.resources) },
      { ...before, resources: { ...withoutCompute(before.resources), claims } },
    );
  };
  for (const index of (spec.containers ?? []).keys()) {
    if (differs("containers", index)) {
      errors.push(FieldError.forbidden(SPEC, "only cpu and memory resources are mutable"));
    }
  }
  for (const index of (spec.initContainers ?? []).keys()) {
    if (differs("initContainers", index)) {
      const path = SPEC.child("initContainers").index(index);
      const why = "only cpu and memory resources for init or sidecar containers are mutable";
      errors.push(FieldError.forbidden(path, why));
    }
    for (const each of checkRestart(index, spec, old)) errors.push(each);
  }
  return errors;
}

/** An init container that ends by itself cannot be restarted to be given other resources. */
function checkRestart(
  index: number,
  spec: Readonly<PodSpec>,
  old: Readonly<PodSpec>,
): readonly FieldError[] {
  const container = spec.initContainers?.[index];
  if (container === undefined || container.restartPolicy === "Always") return [];
  if (sameInternal("Container", container, old.initContainers?.[index])) return [];
  const restarts = (container.resizePolicy ?? []).filter(
    ({ restartPolicy }) => restartPolicy === "RestartContainer",
  );
  const path = SPEC.child("initContainers").index(index);
  const why =
    "non-sidecar init containers with a resize policy of RestartContainer cannot be resized";
  return restarts.map(() => FieldError.forbidden(path, why));
}

/** Claims are left out too: a container that has some cannot be resized. */
function withoutCompute(resources: ResourceRequirements | undefined): object {
  const rest = (amounts: ResourceRequirements["limits"]): object =>
    Object.fromEntries(
      Object.entries(amounts ?? {}).filter(([name]) => name !== "cpu" && name !== "memory"),
    );
  return { limits: rest(resources?.limits), requests: rest(resources?.requests) };
}

function removes(
  amounts: ResourceRequirements["limits"],
  old: ResourceRequirements["limits"],
): boolean {
  return Object.keys(old ?? {}).some((name) => ownKey(amounts, name) === undefined);
}

/** The old containers with new resources; undefined where the lists are not of one length. */
function resized(
  containers: readonly Container[] = [],
  old: readonly Container[] = [],
): Container[] | undefined {
  if (containers.length !== old.length) return undefined;
  if (containers.some((container, index) => container.name !== old[index]!.name)) {
    return [...containers];
  }
  return old.map((before, index) => {
    const { resources, resizePolicy } = containers[index]!;
    const { resources: _, resizePolicy: __, ...rest } = before;
    return {
      ...rest,
      ...(resources === undefined ? {} : { resources }),
      ...(resizePolicy === undefined ? {} : { resizePolicy }),
    };
  });
}

function keepStatus(pod: Pod, old: Readonly<Pod>): void {
  if (old.status === undefined) delete pod.status;
  else pod.status = old.status;
}

function isMirror(pod: Readonly<Pod>): boolean {
  return ownKey(pod.metadata.annotations, MIRROR_POD) !== undefined;
}

/**
 * The kinds of the apps group. Their selectors never change; a StatefulSet fixes nearly everything
 * else, and a DaemonSet counts the changes of its template in an annotation.
 */

import {
  checkDns1123Label,
  encodeJson,
  FieldError,
  FieldPath,
  type KubernetesObject,
  ownKey,
  setOwnKey,
} from "@homeostat/object-model";
import type {
  ControllerRevision,
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
  StatefulSetSpec,
} from "@homeostat/object-model/apps-v1";
import type { PersistentVolumeClaim, PodTemplateSpec } from "@homeostat/object-model/core-v1";
import type { NameCheck, Strategy, SubresourceStrategy } from "../registry/strategy.ts";
import { checkImmutablePart, FIELD_IS_IMMUTABLE } from "./field-checks.ts";
import { sameForm, sameInternal, samePointer } from "./internal-form.ts";
import { preparePodTemplate } from "./pod-template.ts";
import { fractional, podWarnings } from "./pod-warnings.ts";
import { keepMetadata, keepSpec, statusOnly } from "./status-updates.ts";

const SELECTOR = FieldPath.of("spec", "selector");

/** For names that become part of the names of pods. */
export function podNameWarnings(name: string | undefined): readonly string[] {
  const problems = checkDns1123Label(name ?? "");
  if (problems.length === 0) return [];
  const advice =
    "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended";
  return [`${advice}: [${problems.join(" ")}]`];
}

/** Labels stay, annotations pass. */
const deploymentStatus: SubresourceStrategy<Deployment> = {
  prepareForUpdate(deployment, old) {
    keepSpec(deployment, old);
    keepMetadata(deployment, old, ["labels"]);
  },
  validateUpdate: (deployment, old) =>
    checkCollisions(deployment.status?.collisionCount, old.status?.collisionCount),
};

export const deployments: Strategy<Deployment> = {
  generation: true,
  prepareForCreate: (deployment) => preparePodTemplate(deployment.spec?.template),
  prepareForUpdate(deployment, old) {
    preparePodTemplate(deployment.spec?.template, old.spec?.template);
    // Alone among the kinds: a changed annotation is a new generation.
    const { metadata } = deployment;
    if (!sameForm(metadata.annotations ?? null, old.metadata.annotations ?? null)) {
      metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
  },
  validateUpdate: (deployment, old) =>
    checkImmutablePart("LabelSelector", {
      path: SELECTOR,
      value: deployment.spec?.selector,
      old: old.spec?.selector,
    }),
  warnings: (deployment, old) => [
    ...(old === undefined ? podNameWarnings(deployment.metadata.name) : []),
    ...templateWarnings(deployment, old),
  ],
  subresources: { status: deploymentStatus },
};

export const replicaSets: Strategy<ReplicaSet> = {
  generation: true,
  prepareForCreate: (replicaSet) => preparePodTemplate(replicaSet.spec?.template),
  prepareForUpdate: (replicaSet, old) =>
    preparePodTemplate(replicaSet.spec?.template, old.spec?.template),
  validateUpdate: (replicaSet, old) =>
    checkImmutablePart("LabelSelector", {
      path: SELECTOR,
      value: replicaSet.spec?.selector,
      old: old.spec?.selector,
    }),
  warnings: (replicaSet, old) => [
    ...(old === undefined ? podNameWarnings(replicaSet.metadata.name) : []),
    ...templateWarnings(replicaSet, old),
  ],
  subresources: { status: statusOnly },
};

/** Its name is a part of host names. */
const checkStatefulSetName: NameCheck = (name) => checkDns1123Label(name);

/** What an update of a StatefulSet may change. */
const STATEFUL_SET_UPDATABLE = [
  "replicas",
  "template",
  "updateStrategy",
  "minReadySeconds",
  "ordinals",
  "revisionHistoryLimit",
  "persistentVolumeClaimRetentionPolicy",
] as const satisfies readonly (keyof StatefulSetSpec)[];

export const statefulSets: Strategy<StatefulSet> = {
  generation: true,
  checkName: checkStatefulSetName,
  prepareForCreate(statefulSet) {
    dropMaxUnavailable(statefulSet, undefined);
    preparePodTemplate(statefulSet.spec?.template);
  },
  prepareForUpdate(statefulSet, old) {
    dropMaxUnavailable(statefulSet, old);
    preparePodTemplate(statefulSet.spec?.template, old.spec?.template);
  },
  validateUpdate(statefulSet, old) {
    if (sameFixedFields(statefulSet.spec, old.spec)) return [];
    const why =
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
    return [FieldError.forbidden(FieldPath.of("spec"), why)];
  },
  warnings: (statefulSet, old) => [
    ...templateWarnings(statefulSet, old),
    ...(statefulSet.spec?.volumeClaimTemplates ?? []).flatMap((claim, index) =>
      claimWarnings(claim, index, old === undefined),
    ),
    ...((statefulSet.spec?.revisionHistoryLimit ?? 0) < 0
      ? [
          "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended",
        ]
      : []),
  ],
  subresources: {
    status: {
      prepareForUpdate: keepSpec,
      validateUpdate: (statefulSet: Readonly<StatefulSet>, old: Readonly<StatefulSet>) =>
        checkCollisions(statefulSet.status?.collisionCount, old.status?.collisionCount),
    },
  },
};

/** A feature that is off by default. */
function dropMaxUnavailable(
  statefulSet: StatefulSet,
  old: Readonly<StatefulSet> | undefined,
): void {
  if (old?.spec?.updateStrategy?.rollingUpdate?.maxUnavailable !== undefined) return;
  delete statefulSet.spec?.updateStrategy?.rollingUpdate?.maxUnavailable;
}

function sameFixedFields(
  spec: Readonly<StatefulSetSpec> | undefined,
  old: Readonly<StatefulSetSpec> | undefined,
): boolean {
  const fixed = (from: Readonly<StatefulSetSpec> | undefined): StatefulSetSpec => {
    const rest = { ...from } as Partial<StatefulSetSpec>;
    for (const name of STATEFUL_SET_UPDATABLE) delete rest[name];
    return rest as StatefulSetSpec;
  };
  const { selector, volumeClaimTemplates, ...rest } = fixed(spec);
  const { selector: oldSelector, volumeClaimTemplates: oldTemplates, ...oldRest } = fixed(old);
  return (
    samePointer("LabelSelector", selector, oldSelector) &&
    sameForm(rest, oldRest) &&
    sameClaims(volumeClaimTemplates ?? [], oldTemplates ?? [])
  );
}

function sameClaims(
  claims: readonly PersistentVolumeClaim[],
  old: readonly PersistentVolumeClaim[],
): boolean {
  return (
    claims.length === old.length &&
    claims.every((claim, index) => {
      const before = old[index]!;
      return (
        claim.metadata?.name === before.metadata?.name &&
        sameForm(claim.metadata?.labels ?? null, before.metadata?.labels ?? null) &&
        sameForm(claim.metadata?.annotations ?? null, before.metadata?.annotations ?? null) &&
        sameInternal("PersistentVolumeClaimSpec", claim.spec, before.spec)
      );
    })
  );
}

function claimWarnings(
  claim: PersistentVolumeClaim,
  index: number,
  created: boolean,
): readonly string[] {
  const at = FieldPath.of("spec", "volumeClaimTemplates").index(index);
  // kube-apiserver names the path differently on update.
  const path = (created ? at : at.child("Spec")).child("resources");
  return (["requests", "limits"] as const).flatMap((list) =>
    fractional(claim.spec?.resources?.[list], "storage", path.child(list)),
  );
}

const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

export const daemonSets: Strategy<DaemonSet> = {
  generation: true,
  prepareForCreate(daemonSet) {
    preparePodTemplate(daemonSet.spec?.template);
    setTemplateGeneration(daemonSet, Math.max(templateGeneration(daemonSet), 1));
  },
  prepareForUpdate(daemonSet, old) {
    preparePodTemplate(daemonSet.spec?.template, old.spec?.template);
    const same = sameInternal("PodTemplateSpec", daemonSet.spec?.template, old.spec?.template);
    setTemplateGeneration(daemonSet, templateGeneration(old) + (same ? 0 : 1));
  },
  validateUpdate: (daemonSet, old) =>
    checkImmutablePart("LabelSelector", {
      path: SELECTOR,
      value: daemonSet.spec?.selector,
      old: old.spec?.selector,
    }),
  warnings: (daemonSet, old) =>
    old !== undefined && templateGeneration(daemonSet) === templateGeneration(old)
      ? []
      : podWarnings(daemonSet.spec?.template ?? {}, "spec.template"),
  subresources: {
    status: {
      prepareForUpdate: keepSpec,
      validateUpdate: (daemonSet: Readonly<DaemonSet>, old: Readonly<DaemonSet>) =>
        checkCollisions(daemonSet.status?.collisionCount, old.status?.collisionCount),
    },
  },
};

function templateGeneration(daemonSet: Readonly<DaemonSet>): number {
  return Number(ownKey(daemonSet.metadata.annotations, TEMPLATE_GENERATION) ?? 0);
}

function setTemplateGeneration({ metadata }: DaemonSet, generation: number): void {
  metadata.annotations = { ...metadata.annotations };
  setOwnKey(metadata.annotations, TEMPLATE_GENERATION, String(generation));
}

export const controllerRevisions: Strategy<ControllerRevision> = {
  validate(revision) {
    const path = FieldPath.of("data");
    const errors = checkRevision(revision);
    if (revision.data === undefined) {
      errors.push(FieldError.required(path, "data is mandatory"));
    } else if (typeof revision.data !== "object" || Array.isArray(revision.data)) {
      errors.push(FieldError.required(path, "data must be a valid JSON object"));
    }
    return errors;
  },
  validateUpdate: (revision, old) => [
    ...checkRevision(revision),
    ...checkData(revision.data, old.data),
  ],
};

/** The data is compared as text: another order of its keys is another revision. */
function checkData(
  data: ControllerRevision["data"],
  old: ControllerRevision["data"],
): FieldError[] {
  if (textOf(data) === textOf(old)) return [];
  return [FieldError.invalid(FieldPath.of("data"), data, FIELD_IS_IMMUTABLE)];
}

function textOf(data: ControllerRevision["data"]): string {
  return encodeJson(data ?? null);
}

function checkRevision({ revision }: Readonly<ControllerRevision>): FieldError[] {
  // Absent for 0.
  if (!(revision < 0)) return [];
  const why = "must be greater than or equal to 0";
  return [FieldError.invalid(FieldPath.of("revision"), revision, why)];
}

function checkCollisions(count: number | undefined, old: number | undefined): FieldError[] {
  if (old === undefined || (count ?? -1) >= old) return [];
  const path = FieldPath.of("status", "collisionCount");
  return [FieldError.invalid(path, count ?? 0, "cannot be decremented")];
}

/** What the template deserves to hear: on create, and when an update is a new generation. */
export function templateWarnings(
  object: KubernetesObject & { readonly spec?: { readonly template?: PodTemplateSpec } },
  old: Readonly<KubernetesObject> | undefined,
): readonly string[] {
  if (old !== undefined && object.metadata?.generation === old.metadata?.generation) return [];
  return podWarnings(object.spec?.template ?? {}, "spec.template");
}

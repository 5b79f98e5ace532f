/**
 * The kinds of the apps group, except for what makes them valid, which is in `../rules/`. A DaemonSet
 * counts the changes of its template in an annotation.
 */

import {
  checkDns1123Label,
  FieldPath,
  type KubernetesObject,
  ownKey,
  setOwnKey,
} from "@homeostat/object-model";
import type {
  DaemonSet,
  Deployment,
  ReplicaSet,
  StatefulSet,
} from "@homeostat/object-model/apps-v1";
import type { PersistentVolumeClaim, PodTemplateSpec } from "@homeostat/object-model/core-v1";
import type { NameCheck, Strategy, SubresourceStrategy } from "../registry/strategy.ts";
import { changeCheckOf } from "../rules/change-check.ts";
import { daemonSetStatusChange } from "../rules/daemon-set.ts";
import { deploymentStatusChange } from "../rules/deployment.ts";
import { replicaSetStatusChange } from "../rules/replica-set.ts";
import { statefulSetStatusChange } from "../rules/stateful-set.ts";
import { sameForm, sameInternal } from "./internal-form.ts";
import { preparePodTemplate } from "./pod-template.ts";
import { fractional, podWarnings } from "./pod-warnings.ts";
import { keepMetadata, keepSpec } from "./status-updates.ts";

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
  validateUpdate: changeCheckOf(deploymentStatusChange),
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
  warnings: (replicaSet, old) => [
    ...(old === undefined ? podNameWarnings(replicaSet.metadata.name) : []),
    ...templateWarnings(replicaSet, old),
  ],
  subresources: {
    status: { prepareForUpdate: keepSpec, validateUpdate: changeCheckOf(replicaSetStatusChange) },
  },
};

/** Its name is a part of host names. */
const checkStatefulSetName: NameCheck = (name) => checkDns1123Label(name);

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
      validateUpdate: changeCheckOf(statefulSetStatusChange),
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
  warnings: (daemonSet, old) =>
    old !== undefined && templateGeneration(daemonSet) === templateGeneration(old)
      ? []
      : podWarnings(daemonSet.spec?.template ?? {}, "spec.template"),
  subresources: {
    status: {
      prepareForUpdate: keepSpec,
      validateUpdate: changeCheckOf(daemonSetStatusChange),
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

/** What the template deserves to hear: on create, and when an update is a new generation. */
export function templateWarnings(
  object: KubernetesObject & { readonly spec?: { readonly template?: PodTemplateSpec } },
  old: Readonly<KubernetesObject> | undefined,
): readonly string[] {
  if (old !== undefined && object.metadata?.generation === old.metadata?.generation) return [];
  return podWarnings(object.spec?.template ?? {}, "spec.template");
}

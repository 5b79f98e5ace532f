/**
 * PersistentVolumes and their claims. A volume never changes its source; a claim changes its size
 * and class once it is bound, its volume once, and nothing else.
 */

import {
  FieldError,
  FieldPath,
  ownKey,
  Quantity,
  timeOfMilliseconds,
} from "@homeostat/object-model";
import type {
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeSpec,
  VolumeNodeAffinity,
} from "@homeostat/object-model/core-v1";
import { Place } from "@homeostat/schema";
import type { Strategy, SubresourceStrategy } from "../registry/strategy.ts";
import { changeCheckOf } from "../rules/change-check.ts";
import { volumeAgain, volumeSpecAgain } from "../rules/persistent-volume.ts";
import { claimStatus } from "../rules/persistent-volume-claim.ts";
import { checkImmutable, diffOfParts, FIELD_IS_IMMUTABLE, printedPart } from "./field-checks.ts";
import { sameInternal, samePointer } from "./internal-form.ts";
import { checkObjectMeta, subdomainNamed } from "./object-meta.ts";
import { fractional, nodeTermWarnings } from "./pod-warnings.ts";
import { keepSpec } from "./status-updates.ts";
import { warnAt } from "./warn-at.ts";

const SPEC = FieldPath.of("spec");
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const CLASS_PATH = SPEC.child("volumeAttributesClassName");

const DEPRECATED_ANNOTATIONS = [
  [CLASS_ANNOTATION, 'deprecated since v1.8; use "storageClassName" attribute instead'],
  [
    "volume.beta.kubernetes.io/mount-options",
    'deprecated since v1.31; use "mountOptions" attribute instead',
  ],
] as const;

const DEPRECATED_SOURCES = [
  ["cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"],
] as const satisfies readonly (readonly [keyof PersistentVolumeSpec, string, string])[];

/** Notes when the phase changed, unless the reporter does. */
const volumeStatus: SubresourceStrategy<PersistentVolume> = {
  prepareForUpdate(volume, old, context) {
    keepSpec(volume, old);
    volume.status ??= {};
    const before = old.status?.lastPhaseTransitionTime;
    const given = volume.status.lastPhaseTransitionTime;
    if ((old.status?.phase ?? "") !== (volume.status.phase ?? "")) {
      if (given === undefined || given === before) {
        volume.status.lastPhaseTransitionTime = timeOfMilliseconds(context.now);
      }
    } else if (given === undefined && before !== undefined) {
      volume.status.lastPhaseTransitionTime = before;
    }
  },
};

const checkSpecAgain = changeCheckOf(volumeSpecAgain);

export const persistentVolumes: Strategy<PersistentVolume> = {
  prepareForCreate(volume, context) {
    volume.status = {
      phase: "Pending",
      lastPhaseTransitionTime: timeOfMilliseconds(context.now),
    };
  },

  revalidate: changeCheckOf(volumeAgain),

  // Kubernetes looks at metadata and spec twice, and says everything twice.
  validateUpdate(volume, old, context) {
    const errors = [
      ...checkObjectMeta(volume.metadata, subdomainNamed(false)),
      ...checkSpecAgain(volume, old, context),
    ];
    const source = withExpandSecretOf(volume.spec, old.spec);
    if (!sameInternal("PersistentVolumeSource", source, old.spec)) {
      const diff = diffOfParts("PersistentVolumeSource", old.spec, source);
      const why = "spec.persistentvolumesource is immutable after creation";
      errors.push(FieldError.forbidden(SPEC.child("persistentvolumesource"), `${why}\n${diff}`));
    }
    errors.push(
      ...checkImmutable({
        path: FieldPath.of("volumeMode"),
        value: volume.spec?.volumeMode,
        old: old.spec?.volumeMode,
      }),
      ...checkNodeAffinity(volume.spec, old.spec),
    );
    const { volumeAttributesClassName } = volume.spec ?? {};
    if (
      old.spec?.volumeAttributesClassName !== undefined &&
      volumeAttributesClassName === undefined
    ) {
      const why = "update from non-nil value to nil is forbidden";
      errors.push(FieldError.forbidden(CLASS_PATH, why));
    }
    return errors;
  },

  warnings: ({ metadata, spec }) => [
    ...DEPRECATED_ANNOTATIONS.flatMap(([key, why]) =>
      ownKey(metadata.annotations, key) === undefined
        ? []
        : [warnAt(FieldPath.of("metadata", "annotations").key(key), why)],
    ),
    ...(spec?.persistentVolumeReclaimPolicy === "Recycle"
      ? [
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
        ]
      : []),
    ...(spec?.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap((term, index) => {
      const path = SPEC.child("nodeAffinity", "required", "nodeSelectorTerms");
      return nodeTermWarnings(term, path.index(index), false);
    }),
    ...DEPRECATED_SOURCES.flatMap(([source, name, why]) =>
      spec?.[source] === undefined ? [] : [warnAt(SPEC.child(name), why)],
    ),
  ],

  subresources: { status: volumeStatus },
};

/** The secret for expanding may be added to a volume that has none. */
function withExpandSecretOf(
  spec: Readonly<PersistentVolumeSpec> | undefined,
  old: Readonly<PersistentVolumeSpec> | undefined,
): unknown {
  if (!old?.csi || old.csi.controllerExpandSecretRef || !spec?.csi) return spec;
  const { controllerExpandSecretRef: _, ...csi } = spec.csi;
  return { ...spec, csi };
}

function checkNodeAffinity(
  spec: Readonly<PersistentVolumeSpec> | undefined,
  old: Readonly<PersistentVolumeSpec> | undefined,
): FieldError[] {
  const before = old?.nodeAffinity;
  if (before === undefined) return [];
  const given = spec?.nodeAffinity;
  if (samePointer("VolumeNodeAffinity", given, withStableLabels(before, given))) return [];
  const why = `${FIELD_IS_IMMUTABLE}, except for updating from beta label to GA`;
  const value = printedPart("VolumeNodeAffinity", given);
  return [FieldError.invalid(FieldPath.of("nodeAffinity"), value, why)];
}

const STABLE_LABELS: ReadonlyMap<string, string> = new Map([
  ["failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"],
  ["failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"],
  ["beta.kubernetes.io/os", "kubernetes.io/os"],
  ["beta.kubernetes.io/arch", "kubernetes.io/arch"],
  ["beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"],
]);

/** The old affinity, with the labels of nodes renamed that the new one names by their stable name. */
function withStableLabels(
  old: Readonly<VolumeNodeAffinity>,
  given: Readonly<VolumeNodeAffinity> | undefined,
): Readonly<VolumeNodeAffinity> {
  const terms = old.required?.nodeSelectorTerms;
  if (terms === undefined) return old;
  const nodeSelectorTerms = terms.map((term, index): NodeSelectorTerm => {
    const renamed = given?.required?.nodeSelectorTerms?.[index];
    return Object.assign(
      withStableKeys("matchExpressions", term, renamed),
      withStableKeys("matchFields", term, renamed),
    );
  });
  return { ...old, required: { ...old.required, nodeSelectorTerms } };
}

function withStableKeys(
  list: "matchExpressions" | "matchFields",
  term: Readonly<NodeSelectorTerm>,
  given: Readonly<NodeSelectorTerm> | undefined,
): Partial<NodeSelectorTerm> {
  const requirements = term[list];
  if (requirements === undefined) return {};
  const renamed: NodeSelectorRequirement[] = [];
  for (const [index, requirement] of requirements.entries()) {
    const other: Partial<NodeSelectorRequirement> | undefined = given?.[list]?.[index];
    const key = other === undefined ? undefined : (other.key ?? "");
    // A label without another name may also lose its name: that is refused elsewhere.
    const isStable = (STABLE_LABELS.get(requirement.key) ?? "") === key;
    renamed.push(isStable ? { ...requirement, key } : requirement);
  }
  return { [list]: renamed };
}

export const persistentVolumeClaims: Strategy<PersistentVolumeClaim> = {
  prepareForCreate(claim) {
    claim.status = { phase: "Pending" };
    if (claim.spec !== undefined) joinDataSources(claim.spec, undefined);
  },

  prepareForUpdate(claim, old) {
    if (claim.spec !== undefined) joinDataSources(claim.spec, old.spec);
  },

  validateUpdate: checkClaimUpdate,

  warnings: ({ metadata, spec }) => [
    ...(ownKey(metadata.annotations, CLASS_ANNOTATION) === undefined
      ? []
      : [
          `metadata.annotations[${CLASS_ANNOTATION}]: deprecated since v1.8; use "storageClassName" attribute instead`,
        ]),
    ...(["requests", "limits"] as const).flatMap((list) =>
      fractional(spec?.resources?.[list], "storage", SPEC.child("resources", list)),
    ),
  ],

  subresources: {
    status: {
      prepareForUpdate: keepSpec,
      validateUpdate(claim, _old, context) {
        const place = Place.root(context);
        claimStatus(claim, place);
        return place.errors;
      },
    },
  },
};

/** `dataSource` and `dataSourceRef` say the same, unless the reference leaves the namespace. */
function joinDataSources(
  spec: PersistentVolumeClaimSpec,
  old: Readonly<PersistentVolumeClaimSpec> | undefined,
): void {
  const crossing = spec.dataSourceRef?.namespace;
  if (crossing && old?.dataSourceRef === undefined) delete spec.dataSourceRef;
  const { dataSource } = spec;
  if (dataSource && !spec.dataSourceRef && !old?.dataSource) {
    const { apiGroup = "", kind } = dataSource;
    const isClaim = kind === "PersistentVolumeClaim" && apiGroup === "";
    const isSnapshot = kind === "VolumeSnapshot" && apiGroup === "snapshot.storage.k8s.io";
    if (!isClaim && !isSnapshot) delete spec.dataSource;
  }
  if (spec.dataSource && !spec.dataSourceRef) {
    spec.dataSourceRef = { ...spec.dataSource };
  } else if (spec.dataSourceRef && !spec.dataSource && !spec.dataSourceRef.namespace) {
    const { namespace: _, ...source } = spec.dataSourceRef;
    spec.dataSource = source;
  }
}

function checkClaimUpdate(
  claim: Readonly<PersistentVolumeClaim>,
  old: Readonly<PersistentVolumeClaim>,
): FieldError[] {
  const errors: FieldError[] = [];
  const spec: Readonly<PersistentVolumeClaimSpec> = claim.spec ?? {};
  const before: Readonly<PersistentVolumeClaimSpec> = old.spec ?? {};
  const given = withChangeableOf(claim, old);
  for (const each of given.errors) errors.push(each);
  const kept = before.volumeName ? before : { ...before, volumeName: spec.volumeName };
  if (!sameInternal("PersistentVolumeClaimSpec", given.spec, kept)) {
    const why =
      "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
    const diff = diffOfParts("PersistentVolumeClaimSpec", kept, given.spec);
    errors.push(FieldError.forbidden(SPEC, `${why}\n${diff}`));
  }
  errors.push(
    ...checkShrinking(claim, old),
    ...checkImmutable({
      path: FieldPath.of("volumeMode"),
      value: spec.volumeMode,
      old: before.volumeMode,
    }),
  );
  const className = spec.volumeAttributesClassName;
  if (
    className !== before.volumeAttributesClassName &&
    old.status?.currentVolumeAttributesClassName !== undefined &&
    !className
  ) {
    const to = className === undefined ? "nil" : "empty string";
    const why = `update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`;
    errors.push(FieldError.forbidden(CLASS_PATH, why));
  }
  return errors;
}

/** The new spec with what may change put back, and what is wrong with the class annotation. */
function withChangeableOf(
  claim: Readonly<PersistentVolumeClaim>,
  old: Readonly<PersistentVolumeClaim>,
): { readonly spec: Record<string, unknown>; readonly errors: readonly FieldError[] } {
  const spec: Record<string, unknown> = { ...claim.spec };
  const className = claim.spec?.storageClassName;
  const oldName = old.spec?.storageClassName;
  const annotated = ownKey(claim.metadata.annotations, CLASS_ANNOTATION);
  const wasAnnotated = ownKey(old.metadata.annotations, CLASS_ANNOTATION);
  const errors: FieldError[] = [];
  const becomesField =
    wasAnnotated !== undefined &&
    oldName === undefined &&
    className === wasAnnotated &&
    (annotated ?? wasAnnotated) === wasAnnotated;
  if (becomesField) delete spec["storageClassName"];
  else {
    errors.push(
      ...checkImmutable({
        path: FieldPath.of("metadata", "annotations", CLASS_ANNOTATION),
        value: annotated ?? "",
        old: wasAnnotated ?? "",
      }),
    );
    const firstSet = className !== undefined && oldName === undefined;
    if (firstSet && (wasAnnotated ?? className) === className) delete spec["storageClassName"];
  }
  if (claim.status?.phase === "Bound") {
    const requests = claim.spec?.resources?.requests;
    if (requests !== undefined) {
      const storage = ownKey(old.spec?.resources?.requests, "storage") ?? "0";
      spec["resources"] = { ...claim.spec?.resources, requests: { ...requests, storage } };
    }
    spec["volumeAttributesClassName"] = old.spec?.volumeAttributesClassName;
  }
  return { spec, errors };
}

/** A failed expansion may be taken back, down to what the claim has. */
function checkShrinking(
  claim: Readonly<PersistentVolumeClaim>,
  old: Readonly<PersistentVolumeClaim>,
): FieldError[] {
  const storage = (amounts: { [key: string]: string | number } | undefined): Quantity =>
    Quantity.fromJson(ownKey(amounts, "storage") ?? "0");
  const size = storage(claim.spec?.resources?.requests);
  if (size.compare(storage(old.spec?.resources?.requests)) >= 0) return [];
  if (size.compare(storage(old.status?.capacity)) > 0) return [];
  const path = SPEC.child("resources", "requests", "storage");
  return [FieldError.forbidden(path, "field can not be less than status.capacity")];
}

/**
 * What a persistent volume is: on its own, or inline in an attachment, where only a CSI volume can
 * be and nothing that has to do with claims.
 */
import { posix } from "node:path";
import { ownKey, Quantity } from "@homeostat/object-model";
import type { PersistentVolumeSpec, VolumeNodeAffinity } from "@homeostat/object-model/core-v1";
import { ifPresent, ifSet, type Place, type Rule, required } from "@homeostat/schema";
import { knownChoice } from "../checks/choices.ts";
import { positiveQuantity, type QuantityValue } from "../checks/quantities.ts";
import { hasInvalidNodeLabelValue, nodeSelector } from "../node-selector.ts";
import { accessModes } from "./access-modes.ts";
import { className, volumeMode } from "./claim-spec.ts";
import { persistentCsi } from "./csi-sources.ts";
import * as disks from "./disk-sources.ts";
import { hostPath, localVolume } from "./file-sources.ts";
import { persistentIscsi } from "./iscsi-sources.ts";
import * as networks from "./network-sources.ts";
import { oneSource, type SourceRule, sourceOf } from "./one-source.ts";

interface VolumeFacts {
  /** "" inside of an attachment. */
  readonly volumeName: string;
}

const SOURCES: readonly SourceRule<PersistentVolumeSpec, VolumeFacts>[] = [
  sourceOf("hostPath", hostPath),
  sourceOf("gcePersistentDisk", disks.gceDisk, { named: "persistentDisk" }),
  sourceOf("awsElasticBlockStore", disks.awsDisk),
  sourceOf("glusterfs", networks.persistentGlusterfs),
  sourceOf("flocker", networks.flocker),
  sourceOf("nfs", networks.nfs),
  sourceOf("rbd", networks.rbd),
  sourceOf("quobyte", networks.quobyte),
  sourceOf("cephfs", networks.cephfs, { namedTwice: "cephFS" }),
  sourceOf("iscsi", (source, place) => persistentIscsi(place.context.volumeName)(source, place)),
  sourceOf("cinder", disks.persistentCinder),
  sourceOf("fc", networks.fibreChannel),
  sourceOf("flexVolume", disks.flexVolume, { always: true }),
  sourceOf("azureFile", disks.persistentAzureFile),
  sourceOf("vsphereVolume", disks.vsphereDisk),
  sourceOf("photonPersistentDisk", disks.photonDisk),
  sourceOf("portworxVolume", disks.portworx),
  sourceOf("azureDisk", disks.azureDisk),
  sourceOf("scaleIO", disks.scaleIO),
  sourceOf("local", localVolume, { thenVolume: localNeedsNode }),
  sourceOf("storageos", disks.persistentStorageOS),
  sourceOf("csi", persistentCsi),
];

const volumeSource = oneSource(SOURCES);
const reclaimPolicy = knownChoice("Delete", "Recycle", "Retain");

/** `old` is the spec that an update replaces. */
export function checkVolumeSpec(
  spec: Readonly<PersistentVolumeSpec>,
  place: Place,
  facts: VolumeFacts & { readonly old?: Readonly<PersistentVolumeSpec> },
): void {
  checkAccessModes(spec, place);
  checkCapacity(spec.capacity, place.child("capacity"));
  const policy = place.child("persistentVolumeReclaimPolicy");
  ifSet(reclaimPolicy)(spec.persistentVolumeReclaimPolicy, policy);
  ifPresent(nodeAffinity(facts.old))(spec.nodeAffinity, place.child("nodeAffinity"));
  volumeSource(spec, place.knowing(facts));
  checkRecycledRoot(spec, policy);
  ifSet(className)(spec.storageClassName, place.child("storageClassName"));
  volumeMode(spec.volumeMode, place.child("volumeMode"));
  checkAttributesClass(spec, place);
}

const NOT_INLINE = "may not be specified in the context of inline volumes";

/** The volume inside of an attachment. */
export const inlineVolumeSpec: Rule<PersistentVolumeSpec> = (given, place) => {
  const spec = given ?? {};
  if (spec.claimRef) place.child("claimRef").forbidden(NOT_INLINE);
  if (Object.keys(spec.capacity ?? {}).length > 0) place.child("capacity").forbidden(NOT_INLINE);
  if (!spec.csi) {
    place.child("csi").required("has to be specified in the context of inline volumes");
  }
  checkAccessModes(spec, place);
  const policy = place.child("persistentVolumeReclaimPolicy");
  if ((spec.persistentVolumeReclaimPolicy || "Retain") !== "Retain") {
    policy.forbidden("may only be Retain in the context of inline volumes");
  }
  if (spec.nodeAffinity) place.child("nodeAffinity").forbidden(NOT_INLINE);
  // Nothing counts as an affinity here, so a local volume is always refused.
  const { nodeAffinity: _, ...source } = spec;
  volumeSource(source, place.knowing({ volumeName: "" }));
  checkRecycledRoot(spec, policy);
  if (spec.storageClassName) place.child("storageClassName").forbidden(NOT_INLINE);
  if ((spec.volumeMode ?? "Filesystem") !== "Filesystem") {
    const why = "may not specify volumeMode other than Filesystem in the context of inline volumes";
    place.child("volumeMode").forbidden(why);
  }
};

function checkAccessModes(spec: Readonly<PersistentVolumeSpec>, place: Place): void {
  required(spec.accessModes, place.child("accessModes"));
  accessModes(spec.accessModes, place.child("accessModes"));
}

/** Storage, and nothing else. */
function checkCapacity(
  capacity: { readonly [key: string]: QuantityValue } | undefined,
  place: Place,
): void {
  const names = Object.keys(capacity ?? {}).sort();
  if (names.length === 0) place.required();
  if (names.length !== 1 || names[0] !== "storage") {
    place.notSupported(printedAmounts(capacity, names), ["storage"]);
  }
  for (const name of names) {
    const amount = ownKey(capacity, name) ?? "0";
    basicAmount(amount, place.key(name));
    positiveQuantity(amount, place.key(name));
  }
}

export const basicAmount: Rule<QuantityValue> = (amount = "0", place) => {
  const value = Quantity.fromJson(amount).value();
  if (value < 0n) place.invalid(value, "must be a valid resource quantity");
};

function printedAmounts(
  amounts: { readonly [key: string]: QuantityValue } | undefined,
  names: readonly string[],
): object | null {
  if (amounts === undefined) return null;
  return Object.fromEntries(
    names.map((name) => [name, Quantity.fromJson(ownKey(amounts, name) ?? "0").toString()]),
  );
}

function nodeAffinity(old: Readonly<PersistentVolumeSpec> | undefined): Rule<VolumeNodeAffinity> {
  const anyLabelValues = hasInvalidNodeLabelValue(old?.nodeAffinity?.required);
  return (affinity, place) => {
    const at = place.child("required");
    if (affinity?.required) nodeSelector({ anyLabelValues })(affinity.required, at);
    else at.required("must specify required node constraints");
  };
}

function localNeedsNode(spec: PersistentVolumeSpec, place: Place, isFirst: boolean): void {
  if (!isFirst || spec.nodeAffinity) return;
  place.child("nodeAffinity").required("Local volume requires node affinity");
}

/** Recycling deletes what is in the volume. */
function checkRecycledRoot(spec: Readonly<PersistentVolumeSpec>, place: Place): void {
  if (spec.persistentVolumeReclaimPolicy !== "Recycle" || !spec.hostPath?.path) return;
  if (posix.normalize(spec.hostPath.path) !== "/") return;
  place.forbidden("may not be 'recycle' for a hostPath mount of '/'");
}

function checkAttributesClass(spec: Readonly<PersistentVolumeSpec>, place: Place): void {
  const name = spec.volumeAttributesClassName;
  if (name === undefined) return;
  const at = place.child("volumeAttributesClassName");
  if (name === "") at.required("an empty string is disallowed");
  else className(name, at);
  if (!spec.csi) {
    place.child("csi").required("has to be specified when using volumeAttributesClassName");
  }
}

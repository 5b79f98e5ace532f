/**
 * The volumes of a pod. Each has one source; every kind of source has its rule in this folder, shared
 * with persistent volumes where they have the same source.
 */
import { checkDns1123Subdomain } from "@homeostat/object-model";
import type { Volume } from "@homeostat/object-model/core-v1";
import { dns1123Label, firstOf, type Place, required } from "@homeostat/schema";
import { ephemeralVolume } from "./claim-template.ts";
import { csi } from "./csi-sources.ts";
import * as disks from "./disk-sources.ts";
import * as files from "./file-sources.ts";
import { iscsi, iscsiVolumeName } from "./iscsi-sources.ts";
import * as networks from "./network-sources.ts";
import { oneSource, type SourceRule, sourceOf } from "./one-source.ts";
import { projected } from "./projected-source.ts";

/** What the rules of volumes need to know of the pod they are in. */
interface PodOfVolumes {
  /** "" where it is not known: in templates, and for a name that is still to be generated. */
  readonly podName: string;
  /** A Pod and not a template. */
  readonly isPod: boolean;
  /** Projected tokens may lie outside of their volume: the pod that is updated has one that does. */
  readonly anyTokenPath: boolean;
}

type PodSource = SourceRule<Volume, PodOfVolumes>;

const ephemeral: PodSource = sourceOf("ephemeral", ephemeralVolume, { thenVolume: claimName });

const SOURCES: readonly PodSource[] = [
  sourceOf("emptyDir", files.emptyDir),
  sourceOf("hostPath", files.hostPath),
  sourceOf("gitRepo", files.gitRepo),
  sourceOf("gcePersistentDisk", disks.gceDisk, { named: "persistentDisk" }),
  sourceOf("awsElasticBlockStore", disks.awsDisk),
  sourceOf("secret", files.secret),
  sourceOf("nfs", networks.nfs),
  sourceOf("iscsi", iscsi, { thenVolume: iscsiVolumeName }),
  sourceOf("glusterfs", networks.glusterfs),
  sourceOf("flocker", networks.flocker),
  sourceOf("persistentVolumeClaim", (claim, place) => {
    required(claim?.claimName, place.child("claimName"));
  }),
  sourceOf("rbd", networks.rbd),
  sourceOf("cinder", disks.cinder),
  sourceOf("cephfs", networks.cephfs, { namedTwice: "cephFS" }),
  sourceOf("quobyte", networks.quobyte),
  sourceOf("downwardAPI", files.downwardApi, { namedTwice: "downwarAPI" }),
  sourceOf("fc", networks.fibreChannel),
  sourceOf("flexVolume", disks.flexVolume),
  sourceOf("configMap", files.configMap),
  sourceOf("azureFile", disks.azureFile),
  sourceOf("vsphereVolume", disks.vsphereDisk),
  sourceOf("photonPersistentDisk", disks.photonDisk),
  sourceOf("portworxVolume", disks.portworx),
  sourceOf("azureDisk", disks.azureDisk),
  sourceOf("storageos", disks.storageOS),
  sourceOf("projected", projected),
  sourceOf("scaleIO", disks.scaleIO),
  sourceOf("csi", csi),
  ephemeral,
  sourceOf("image", files.image),
];

const volumeSource = oneSource(SOURCES);
const volumeName = firstOf(required, dns1123Label);

/** Reports what is wrong and returns the volumes that are right, by name: what mounts may refer to. */
export function volumesRule(
  volumes: readonly Volume[] | undefined,
  spot: Place,
  pod: PodOfVolumes,
): ReadonlyMap<string, Volume> {
  // Which are right has to be known before mounts are looked at.
  const place = spot.atOnce();
  const right = new Map<string, Volume>();
  const created = claimsToCreate(volumes ?? [], pod.podName);
  for (const [index, volume] of (volumes ?? []).entries()) {
    const at = place.knowing(pod).index(index);
    const before = place.errors.length;
    const name = volume.name ?? "";
    volumeSource(volume, at);
    volumeName(name, at.child("name"));
    if (right.has(name)) at.child("name").duplicate(name);
    if (place.errors.length === before) right.set(name, volume);
    const claim = volume.persistentVolumeClaim?.claimName ?? "";
    if (volume.persistentVolumeClaim && created.has(claim)) {
      const why = "must not reference a PVC that gets created for an ephemeral volume";
      at.child("persistentVolumeClaim").child("claimName").invalid(claim, why);
    }
  }
  return right;
}

function claimsToCreate(volumes: readonly Volume[], podName: string): ReadonlySet<string> {
  if (podName === "") return new Set();
  const ephemerals: readonly Partial<Volume>[] = volumes.filter((volume) => volume.ephemeral);
  return new Set(ephemerals.map(({ name = "" }) => `${podName}-${name}`));
}

/** The claim of an ephemeral volume is named after the pod and the volume. */
function claimName(volume: Partial<Volume>, place: Place<PodOfVolumes>, isFirst: boolean): void {
  const { podName } = place.context;
  const { name = "" } = volume;
  if (!isFirst || podName === "" || name === "") return;
  const claim = `${podName}-${name}`;
  for (const problem of checkDns1123Subdomain(claim)) {
    place.child("name").invalid(name, `PVC name ${JSON.stringify(claim)}: ${problem}`);
  }
}

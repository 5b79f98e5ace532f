import { ownKey } from "@homeostat/object-model";
import type { PersistentVolumeClaim } from "@homeostat/object-model/core-v1";
import type { StorageClass } from "@homeostat/object-model/storage-v1";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "./admission.ts";
import { defaultClass } from "./default-class.ts";
import type { KnownObjects } from "./known-objects.ts";

const MARKS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];
/** An older way to name the class. */
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

/** A claim that names no class gets the default one, where there is one. */
export class DefaultStorageClass implements AdmissionPlugin {
  readonly name = "DefaultStorageClass";
  readonly resources: readonly string[] = ["persistentvolumeclaims"];
  readonly #classes: KnownObjects<StorageClass>;

  constructor(classes: KnownObjects<StorageClass>) {
    this.#classes = classes;
  }

  mutate({ operation, object }: AdmittedChange, { subresource }: AdmissionRequest): void {
    if (operation !== "CREATE" || subresource !== "") return;
    const claim = object as PersistentVolumeClaim;
    if (claimClass(claim) !== undefined) return;
    const found = defaultClass(this.#classes.list(), MARKS)?.metadata?.name;
    if (found !== undefined) claim.spec = { ...claim.spec, storageClassName: found };
  }
}

/** The class a claim names, "" included; undefined where it names none. */
export function claimClass({
  metadata,
  spec,
}: Readonly<PersistentVolumeClaim>): string | undefined {
  return ownKey(metadata?.annotations, CLASS_ANNOTATION) ?? spec?.storageClassName;
}

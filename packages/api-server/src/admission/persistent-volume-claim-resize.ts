import { ownKey, Quantity } from "@homeostat/object-model";
import type { PersistentVolumeClaim } from "@homeostat/object-model/core-v1";
import type { StorageClass } from "@homeostat/object-model/storage-v1";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "./admission.ts";
import { claimClass } from "./default-storage-class.ts";
import type { KnownObjects } from "./known-objects.ts";
import { forbidden } from "./refusal.ts";

/** A claim grows only where its class says that its volumes can. */
export class PersistentVolumeClaimResize implements AdmissionPlugin {
  readonly name = "PersistentVolumeClaimResize";
  readonly resources: readonly string[] = ["persistentvolumeclaims"];
  readonly #classes: KnownObjects<StorageClass>;

  constructor(classes: KnownObjects<StorageClass>) {
    this.#classes = classes;
  }

  validate(change: Readonly<AdmittedChange>, request: AdmissionRequest): void {
    if (change.operation !== "UPDATE" || request.subresource !== "") return;
    const claim = change.object as PersistentVolumeClaim;
    const old = change.old as PersistentVolumeClaim;
    if (sizeOf(claim).compare(sizeOf(old)) <= 0) return;
    if (old.status?.phase !== "Bound") {
      const why = "Only bound persistent volume claims can be expanded";
      throw forbidden(change, request, why);
    }
    if (this.#mayGrow(claim, old)) return;
    const why =
      "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";
    throw forbidden(change, request, why);
  }

  #mayGrow(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
    const name = claimClass(claim) ?? "";
    if (name === "" || name !== claimClass(old)) return false;
    return this.#classes.get(name)?.allowVolumeExpansion === true;
  }
}

function sizeOf({ spec }: PersistentVolumeClaim): Quantity {
  return Quantity.parse(String(ownKey(spec?.resources?.requests, "storage") ?? "0"));
}

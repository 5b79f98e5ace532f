/** Volumes of CSI drivers. */
import { checkDns1123Subdomain } from "@homeostat/object-model";
import type {
  CSIPersistentVolumeSource,
  CSIVolumeSource,
  SecretReference,
} from "@homeostat/object-model/core-v1";
import {
  dns1123Label,
  dns1123Subdomain,
  fields,
  firstOf,
  ifPresent,
  type Rule,
  required,
} from "@homeostat/schema";
import { csiDriverName } from "../checks/csi-driver-names.ts";

export const csi: Rule<CSIVolumeSource> = (source, place) => {
  csiDriverName(source?.driver, place.child("driver"));
  const { nodePublishSecretRef } = source ?? {};
  if (nodePublishSecretRef === undefined) return;
  const { name = "" } = nodePublishSecretRef;
  if (name === "") place.child("nodePublishSecretRef").child("name").required();
  for (const problem of name === "" ? [] : checkDns1123Subdomain(name)) {
    // The path leaves the reference out in Kubernetes too.
    place.child("name").invalid(name, problem);
  }
};

const secretReference = ifPresent(
  fields<SecretReference>({
    name: firstOf(required, dns1123Subdomain),
    namespace: firstOf(required, dns1123Label),
  }),
);

export const persistentCsi: Rule<CSIPersistentVolumeSource> = fields<CSIPersistentVolumeSource>({
  driver: csiDriverName,
  volumeHandle: required,
  controllerPublishSecretRef: secretReference,
  controllerExpandSecretRef: secretReference,
  nodePublishSecretRef: secretReference,
  nodeExpandSecretRef: secretReference,
});

/** Storage classes and drivers. */
import type { CSIDriverSpec, StorageClass } from "@homeostat/object-model/storage-v1";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

export const storageClassRules: readonly NamedTypeRules[] = [
  rulesFor<StorageClass>("storage.v1.StorageClass", {
    defaults: { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" },
  }),
  rulesFor<CSIDriverSpec>("storage.v1.CSIDriverSpec", {
    defaults: {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: "ReadWriteOnceWithFSType",
      volumeLifecycleModes: ["Persistent"],
      requiresRepublish: false,
      seLinuxMount: false,
    },
  }),
];

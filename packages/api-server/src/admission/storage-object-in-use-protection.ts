import type { AdmissionPlugin } from "./admission.ts";

/** By resource. */
const FINALIZERS: Readonly<Record<string, string>> = {
  persistentvolumes: "kubernetes.io/pv-protection",
  persistentvolumeclaims: "kubernetes.io/pvc-protection",
  volumeattributesclasses: "kubernetes.io/vac-protection",
};

/** Volumes, claims and classes stay while somebody uses them: a controller releases them. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  resources: [
    "persistentvolumes",
    "persistentvolumeclaims",
    "volumeattributesclasses.storage.k8s.io",
  ],
  mutate: ({ operation, object }, { subresource, served }) => {
    if (operation !== "CREATE" || subresource !== "") return;
    const finalizer = FINALIZERS[served.stored.groupResource.resource]!;
    const metadata = (object!.metadata ??= {});
    const given = metadata.finalizers ?? [];
    if (!given.includes(finalizer)) metadata.finalizers = [...given, finalizer];
  },
};

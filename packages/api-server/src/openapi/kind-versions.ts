import type { KindVersions } from "./schema-of-message.ts";

/**
 * Where options of requests and watch events exist as kinds: in every group-version that
 * kube-apiserver 1.36 has heard of, served or not.
 */
const OF_RESOURCES = `
 v1
admissionregistration.k8s.io v1 v1alpha1 v1beta1
apps v1 v1beta1 v1beta2
authentication.k8s.io v1 v1alpha1 v1beta1
authorization.k8s.io v1 v1beta1
autoscaling v1 v2
batch v1 v1beta1
certificates.k8s.io v1 v1alpha1 v1beta1
coordination.k8s.io v1 v1alpha2 v1beta1
discovery.k8s.io v1 v1beta1
events.k8s.io v1 v1beta1
extensions v1beta1
flowcontrol.apiserver.k8s.io v1 v1beta1 v1beta2 v1beta3
internal.apiserver.k8s.io v1alpha1
networking.k8s.io v1 v1beta1
node.k8s.io v1 v1alpha1 v1beta1
policy v1 v1beta1
rbac.authorization.k8s.io v1 v1alpha1 v1beta1
resource.k8s.io v1 v1alpha3 v1beta1 v1beta2
scheduling.k8s.io v1 v1alpha2 v1beta1
storage.k8s.io v1 v1alpha1 v1beta1
storagemigration.k8s.io v1beta1`;

const OF_SERVERS = `
admission.k8s.io v1 v1beta1
apiextensions.k8s.io v1 v1beta1
apiregistration.k8s.io v1 v1beta1
imagepolicy.k8s.io v1alpha1`;

/** As documents of custom resources have them. */
export const CUSTOM_KIND_VERSIONS: KindVersions = read(OF_RESOURCES);

/** As the one document of everything has them. */
export const ALL_KIND_VERSIONS: KindVersions = [...CUSTOM_KIND_VERSIONS, ...read(OF_SERVERS)].sort(
  ([a], [b]) => (a < b ? -1 : a > b ? 1 : 0),
);

/** As the document of a group-version has them: its own, and that of the core. */
export function kindVersionsOf(group: string, version: string): KindVersions {
  const core = ["", "v1"] as const;
  return group === "" ? [core] : [core, [group, version]];
}

function read(text: string): KindVersions {
  return text
    .slice(1)
    .split("\n")
    .flatMap((line) => {
      const [group = "", ...versions] = line.split(" ");
      return versions.map((version) => [group, version] as const);
    });
}

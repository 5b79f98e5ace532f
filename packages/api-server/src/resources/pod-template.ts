/**
 * What happens to a pod spec on its way in, in pods and in every template of pods: the two names of
 * the service account become one, and fields of features that are off by default disappear unless
 * the object had them before.
 */

import type {
  Container,
  PodSpec,
  PodTemplateSpec,
  ProjectedVolumeSource,
} from "@homeostat/object-model/core-v1";

/** Once held init containers; no longer read, and never kept. */
const INIT_CONTAINER_ANNOTATIONS = [
  "pod.beta.kubernetes.io/init-containers",
  "pod.alpha.kubernetes.io/init-containers",
  "pod.beta.kubernetes.io/init-container-statuses",
  "pod.alpha.kubernetes.io/init-container-statuses",
];

export function preparePodTemplate(
  template: PodTemplateSpec | undefined,
  old?: Readonly<PodTemplateSpec>,
): void {
  if (template === undefined) return;
  dropInitContainerAnnotations(template.metadata);
  preparePodSpec(template.spec, old?.spec);
}

export function dropInitContainerAnnotations(
  metadata: { annotations?: { [key: string]: string } } | undefined,
): void {
  const annotations = metadata?.annotations;
  if (annotations === undefined) return;
  for (const key of INIT_CONTAINER_ANNOTATIONS) delete annotations[key];
}

export function preparePodSpec(
  spec: PodSpec | undefined,
  old: Readonly<PodSpec> | undefined,
): void {
  if (spec === undefined) return;
  nameServiceAccount(spec);
  if (old?.schedulingGroup === undefined) delete spec.schedulingGroup;
  if (!projects(old, "clusterTrustBundle")) dropProjections(spec, "clusterTrustBundle");
  if (!projects(old, "podCertificate")) dropProjections(spec, "podCertificate");
  if (!containersOf(old).some((container) => container.lifecycle?.stopSignal !== undefined)) {
    dropStopSignals(spec);
  }
}

/** Every container of a pod: init, ordinary and ephemeral. */
function containersOf(spec: Readonly<PodSpec> | undefined): readonly Container[] {
  return [
    ...(spec?.initContainers ?? []),
    ...(spec?.containers ?? []),
    ...((spec?.ephemeralContainers ?? []) as readonly Container[]),
  ];
}

function nameServiceAccount(spec: PodSpec): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (!name) return;
  // Parts of an unchanged object may be frozen: only what differs is written.
  if (spec.serviceAccountName !== name) spec.serviceAccountName = name;
  if (spec.serviceAccount !== name) spec.serviceAccount = name;
}

type Projection = "clusterTrustBundle" | "podCertificate";

function projectionsOf(spec: Readonly<PodSpec> | undefined): readonly ProjectedVolumeSource[] {
  return (spec?.volumes ?? []).flatMap((volume) => volume.projected ?? []);
}

function projects(spec: Readonly<PodSpec> | undefined, kind: Projection): boolean {
  return projectionsOf(spec).some(({ sources }) =>
    sources?.some((source) => source[kind] !== undefined),
  );
}

function dropProjections(spec: PodSpec, kind: Projection): void {
  for (const { sources } of projectionsOf(spec)) {
    for (const source of sources ?? []) delete source[kind];
  }
}

function dropStopSignals(spec: PodSpec): void {
  for (const container of containersOf(spec)) {
    if (container.lifecycle?.stopSignal === undefined) continue;
    delete container.lifecycle.stopSignal;
    if (!container.lifecycle.postStart && !container.lifecycle.preStop) delete container.lifecycle;
  }
}

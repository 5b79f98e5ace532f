import type {
  Container,
  EphemeralContainer,
  PodSpec,
  Volume,
} from "@homeostat/object-model/core-v1";

/** Whether a pod names any secret: to pull images, in its environment or as a volume. */
export function namesSecrets(spec: PodSpec): boolean {
  const containers = [
    ...(spec.initContainers ?? []),
    ...spec.containers,
    ...(spec.ephemeralContainers ?? []),
  ];
  return (
    (spec.imagePullSecrets ?? []).some(({ name }) => Boolean(name)) ||
    containers.some(readsSecret) ||
    (spec.volumes ?? []).some((volume) => secretsOf(volume).some(Boolean))
  );
}

function readsSecret({ env = [], envFrom = [] }: Container | EphemeralContainer): boolean {
  return (
    envFrom.some(({ secretRef }) => Boolean(secretRef?.name)) ||
    env.some(({ valueFrom }) => Boolean(valueFrom?.secretKeyRef?.name))
  );
}

function secretsOf(volume: Volume): readonly (string | undefined)[] {
  return [
    volume.azureFile?.secretName,
    volume.cephfs?.secretRef?.name,
    volume.cinder?.secretRef?.name,
    volume.flexVolume?.secretRef?.name,
    ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
    volume.rbd?.secretRef?.name,
    volume.secret?.secretName,
    volume.scaleIO?.secretRef?.name,
    volume.iscsi?.secretRef?.name,
    volume.storageos?.secretRef?.name,
    volume.csi?.nodePublishSecretRef?.name,
  ];
}

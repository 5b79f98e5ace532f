/** How containers use the volumes of their pod: mounted as directories, or raw as block devices. */
import type { Container, VolumeDevice, VolumeMount } from "@homeostat/object-model/core-v1";
import type { Place } from "@homeostat/schema";
import { optionalChoice } from "../checks/choices.ts";
import { descendingPath, hasBacksteps } from "../checks/paths.ts";
import type { ContainerFacts } from "./container-facts.ts";
import { nameOf } from "./container-lists.ts";

type ContainerPlace = Place<ContainerFacts>;

const propagation = optionalChoice("Bidirectional", "HostToContainer", "None");

/** Some errors are told at the list instead of the mount, as kube-apiserver does. */
export function checkVolumeMounts(container: Readonly<Container>, place: ContainerPlace): void {
  const devices = new Map(
    (container.volumeDevices ?? []).map((device) => [nameOf(device), device.devicePath ?? ""]),
  );
  const devicePaths = new Set(devices.values());
  const paths = new Set<string>();
  const mounts: readonly Partial<VolumeMount>[] = container.volumeMounts ?? [];
  place.child("volumeMounts").visitItems(mounts, (mount, at, list) => {
    const { name = "", mountPath = "", subPath, subPathExpr } = mount;
    if (name === "") at.child("name").required();
    if (!place.context.volumes.has(name)) at.child("name").notFound(name);
    if (mountPath === "") at.child("mountPath").required();
    if (paths.has(mountPath)) at.child("mountPath").invalid(mountPath, "must be unique");
    paths.add(mountPath);
    if (devices.has(name)) {
      at.child("name").invalid(name, "must not already exist in volumeDevices");
    }
    if (devicePaths.has(mountPath)) {
      const why = "must not already exist as a path in volumeDevices";
      at.child("mountPath").invalid(mountPath, why);
    }
    if (subPath) descendingPath(subPath, list.child("subPath"));
    if (subPathExpr) {
      if (subPath) {
        const why = "subPathExpr and subPath are mutually exclusive";
        at.child("subPathExpr").invalid(subPathExpr, why);
      }
      descendingPath(subPathExpr, list.child("subPathExpr"));
    }
    checkPropagation(mount, container, list.child("mountPropagation"));
    checkRecursiveReadOnly(mount, list.child("recursiveReadOnly"));
  });
}

function checkPropagation(
  mount: Partial<VolumeMount>,
  container: Readonly<Container>,
  place: ContainerPlace,
): void {
  propagation(mount.mountPropagation, place);
  if (mount.mountPropagation === "Bidirectional" && !container.securityContext?.privileged) {
    place.forbidden("Bidirectional mount propagation is available only to privileged containers");
  }
}

function checkRecursiveReadOnly(mount: Partial<VolumeMount>, place: ContainerPlace): void {
  const { recursiveReadOnly, readOnly, mountPropagation = "None" } = mount;
  switch (recursiveReadOnly) {
    case undefined:
    case "Disabled":
      return;
    case "Enabled":
    case "IfPossible":
      if (!readOnly) place.forbidden("may only be specified when readOnly is true");
      if (mountPropagation !== "None") {
        place.forbidden("may only be specified when mountPropagation is None or not specified");
      }
      return;
    default:
      place.notSupported(recursiveReadOnly, ["Disabled", "Enabled", "IfPossible"]);
  }
}

export function checkVolumeDevices(container: Readonly<Container>, place: ContainerPlace): void {
  // Of mounts with one name the last counts, and above of devices.
  const mounts = new Map(
    (container.volumeMounts ?? []).map((mount) => [nameOf(mount), mount.mountPath ?? ""]),
  );
  const mountPaths = new Set(mounts.values());
  const paths = new Set<string>();
  const names = new Set<string>();
  const devices: readonly Partial<VolumeDevice>[] = container.volumeDevices ?? [];
  place.child("volumeDevices").visitItems(devices, (device, at) => {
    const { name = "", devicePath = "" } = device;
    checkDeviceName(name, names, at);
    if (devicePath === "") at.child("devicePath").required();
    if (paths.has(devicePath)) at.child("devicePath").invalid(devicePath, "must be unique");
    if (hasBacksteps(devicePath)) {
      at.child("devicePath").invalid(devicePath, "can not contain backsteps ('..')");
    } else {
      paths.add(devicePath);
    }
    if (mounts.has(name)) {
      at.child("name").invalid(name, "must not already exist in volumeMounts");
    }
    if (mountPaths.has(devicePath)) {
      const why = "must not already exist as a path in volumeMounts";
      at.child("devicePath").invalid(devicePath, why);
    }
    if (name !== "") names.add(name);
  });
}

/** Only volumes that come from claims can be used as blocks. */
function checkDeviceName(name: string, taken: ReadonlySet<string>, place: ContainerPlace): void {
  const volume = place.context.volumes.get(name);
  const at = place.child("name");
  if (name === "") at.required();
  if (taken.has(name)) at.invalid(name, "must be unique");
  if (volume === undefined) at.notFound(name);
  else if (!volume.persistentVolumeClaim && !volume.ephemeral) {
    const why =
      "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
    at.invalid(name, why);
  }
}

/** What a pod may say depends on the operating system of its node; `place` is always the spec's. */
import type { PodSecurityContext, PodSpec, SecurityContext } from "@homeostat/object-model/core-v1";
import { isZero, type Place } from "@homeostat/schema";
import { containersOf, nameOf, visitContainers } from "./container-lists.ts";

const SYSTEMS = ["linux", "windows"];

export function checkOperatingSystem(spec: Readonly<PodSpec>, place: Place): void {
  if (spec.os === undefined) return;
  const name = nameOf(spec.os);
  const at = place.child("os");
  if (name === "") at.child("name").required();
  else if (!SYSTEMS.includes(name)) at.notSupported(name, SYSTEMS);
  else if (name === "linux") checkLinux(spec, place);
  else checkWindows(spec, place);
}

function checkLinux(spec: Readonly<PodSpec>, place: Place): void {
  const refuse = (context: { windowsOptions?: object } | undefined, at: Place): void => {
    if (context?.windowsOptions === undefined) return;
    const options = at.child("securityContext").child("windowsOptions");
    options.forbidden("windows options cannot be set for a linux pod");
  };
  refuse(spec.securityContext, place);
  visitContainers(spec, place, (container, at) => refuse(container.securityContext, at));
}

/** Names without a dot are fields of the spec; the order is that of the errors. */
const NOT_ON_WINDOWS = [
  "securityContext.appArmorProfile",
  "securityContext.seLinuxOptions",
  "hostUsers",
  "hostPID",
  "hostIPC",
  "securityContext.seccompProfile",
  "securityContext.fsGroup",
  "securityContext.fsGroupChangePolicy",
  "securityContext.sysctls",
  "shareProcessNamespace",
  "securityContext.runAsUser",
  "securityContext.runAsGroup",
  "securityContext.supplementalGroups",
  "securityContext.supplementalGroupsPolicy",
  "securityContext.seLinuxChangePolicy",
] as const;

/** Of these, the ones that count only when they say something; the others count when they are there. */
const VALUES: ReadonlySet<string> = new Set(["hostPID", "hostIPC", "securityContext.sysctls"]);

const NOT_IN_WINDOWS_CONTAINERS: readonly (keyof SecurityContext)[] = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
];

function checkWindows(spec: Readonly<PodSpec>, place: Place): void {
  const why = "cannot be set for a windows pod";
  for (const path of NOT_ON_WINDOWS) {
    const [head = "", name] = path.split(".");
    const value: unknown =
      name === undefined
        ? spec[head as keyof PodSpec]
        : spec.securityContext?.[name as keyof PodSecurityContext];
    if (VALUES.has(path) ? !isZero(value) : value !== undefined) place.child(path).forbidden(why);
  }
  visitContainers(spec, place, (container, at) => {
    for (const name of NOT_IN_WINDOWS_CONTAINERS) {
      if (container.securityContext?.[name] === undefined) continue;
      at.child("securityContext").child(name).forbidden(why);
    }
  });
}

/** Windows containers that run as processes of the host: all of a pod or none. */
export function checkHostProcess(spec: Readonly<PodSpec>, place: Place): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const all = containersOf(spec);
  const onHost = all.filter(
    ({ securityContext }) => securityContext?.windowsOptions?.hostProcess ?? ofPod,
  ).length;
  visitContainers(spec, place, (container, at) => {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (ofPod === undefined || own === undefined || own === ofPod) return;
    const why = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
    at.child("securityContext.windowsOptions.hostProcess").invalid(own, why);
  });
  if (onHost === 0) return;
  if (onHost !== all.length) {
    const why =
      "If pod contains any hostProcess containers then all containers must be HostProcess containers";
    place.invalid("", why);
  }
  if (!spec.hostNetwork) {
    const why = "hostNetwork must be true if pod contains any hostProcess containers";
    place.child("hostNetwork").invalid(false, why);
  }
}

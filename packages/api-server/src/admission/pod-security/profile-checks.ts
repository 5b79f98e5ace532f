import { ownKey } from "@homeostat/object-model";
import type { SELinuxOptions } from "@homeostat/object-model/core-v1";
import {
  type CheckedPod,
  containersNamed,
  containersOf,
  isWindows,
  namesOf,
  plural,
  quoted,
  type SecurityCheck,
  setters,
  sorted,
} from "./security-check.ts";

const APP_ARMOR_PREFIX = "container.apparmor.security.beta.kubernetes.io/";
const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
const PROFILE_TYPES = new Set(["RuntimeDefault", "Localhost"]);

function isBadType(profile: { readonly type?: string } | undefined): boolean {
  return profile !== undefined && !PROFILE_TYPES.has(profile.type ?? "");
}

export const appArmorProfile: SecurityCheck = (pod) => {
  const { securityContext } = pod.spec;
  const byPod = isBadType(securityContext?.appArmorProfile);
  const names = namesOf(pod, (each) => isBadType(each.securityContext?.appArmorProfile));
  const values = sorted([
    ...(byPod ? [securityContext?.appArmorProfile?.type ?? ""] : []),
    ...containersOf(pod)
      .map((each) => each.securityContext?.appArmorProfile)
      .filter(isBadType)
      .map((profile) => profile?.type ?? ""),
  ]);
  const annotations = Object.entries(pod.metadata.annotations ?? {})
    .filter(([key, value]) => key.startsWith(APP_ARMOR_PREFIX) && !isGoodAnnotation(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const who = [
    setters(byPod, names),
    annotations.length > 0 ? plural("annotation", annotations.length) : undefined,
  ].filter((each) => each !== undefined);
  if (who.length === 0) return undefined;
  const all = [...values, ...sorted(annotations)];
  return {
    reason: plural("forbidden AppArmor profile", all.length),
    detail: `${who.join(" and ")} must not set AppArmor profile type to ${quoted(all)}`,
  };
};

function isGoodAnnotation(value: string): boolean {
  return value === "" || value === "runtime/default" || value.startsWith("localhost/");
}

/** Before there was a field for it. */
export const seccompAnnotations: SecurityCheck = (pod) => {
  const { annotations } = pod.metadata;
  const keys = [SECCOMP_POD, ...containersOf(pod).map(({ name }) => `${SECCOMP_CONTAINER}${name}`)];
  const bad = sorted(
    keys.flatMap((key) => {
      const value = ownKey(annotations, key);
      if (value === undefined || isGoodSeccomp(value)) return [];
      return [`${key}=${JSON.stringify(value)}`];
    }),
  );
  if (bad.length === 0) return undefined;
  const detail = `forbidden ${plural("annotation", bad.length)} ${bad.join(", ")}`;
  return { reason: "seccompProfile", detail };
};

function isGoodSeccomp(value: string): boolean {
  return (
    value === "runtime/default" || value === "docker/default" || value.startsWith("localhost/")
  );
}

export const seccompBaseline: SecurityCheck = (pod) => {
  const byPod = isBadType(pod.spec.securityContext?.seccompProfile);
  const bad = containersOf(pod).filter((each) => isBadType(each.securityContext?.seccompProfile));
  const who = setters(
    byPod,
    bad.map(({ name }) => name),
  );
  if (who === undefined) return undefined;
  const values = sorted([
    ...(byPod ? [pod.spec.securityContext?.seccompProfile?.type ?? ""] : []),
    ...bad.map((each) => each.securityContext?.seccompProfile?.type ?? ""),
  ]);
  const detail = `${who} must not set securityContext.seccompProfile.type to ${quoted(values)}`;
  return { reason: "seccompProfile", detail };
};

/** There has to be one. */
export const seccompRestricted: SecurityCheck = (pod) => {
  const bad = seccompBaseline(pod);
  if (bad !== undefined) return bad;
  if (pod.spec.securityContext?.seccompProfile !== undefined) return undefined;
  const names = namesOf(pod, (each) => each.securityContext?.seccompProfile === undefined);
  if (names.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `pod or ${containersNamed(names)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};

export const seccompRestricted1_25: SecurityCheck = (pod) =>
  isWindows(pod) ? undefined : seccompRestricted(pod);

const SELINUX_1_0 = ["", "container_t", "container_init_t", "container_kvm_t"];

export const seLinux1_0: SecurityCheck = seLinuxOf(SELINUX_1_0);
export const seLinux1_31: SecurityCheck = seLinuxOf([...SELINUX_1_0, "container_engine_t"]);

function seLinuxOf(types: readonly string[]): SecurityCheck {
  const isBad = (options: SELinuxOptions | undefined): boolean =>
    options !== undefined &&
    (!types.includes(options.type ?? "") || Boolean(options.user) || Boolean(options.role));
  return (pod: CheckedPod) => {
    const ofPod = pod.spec.securityContext?.seLinuxOptions;
    const containers = namesOf(pod, (each) => isBad(each.securityContext?.seLinuxOptions));
    const who = setters(isBad(ofPod), containers);
    if (who === undefined) return undefined;
    const set = [
      ofPod,
      ...containersOf(pod).map((each) => each.securityContext?.seLinuxOptions),
    ].filter((each) => each !== undefined);
    const badTypes = sorted(
      set.map(({ type = "" }) => type).filter((each) => !types.includes(each)),
    );
    const what = [
      ...(badTypes.length > 0 ? [`${plural("type", badTypes.length)} ${quoted(badTypes)}`] : []),
      ...(set.some(({ user }) => Boolean(user)) ? ["user may not be set"] : []),
      ...(set.some(({ role }) => Boolean(role)) ? ["role may not be set"] : []),
    ];
    const detail = `${who} set forbidden securityContext.seLinuxOptions: ${what.join("; ")}`;
    return { reason: "seLinuxOptions", detail };
  };
}

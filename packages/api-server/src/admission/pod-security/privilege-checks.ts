import {
  type AnyContainer,
  containersNamed,
  containersOf,
  hasOwnUsers,
  isWindows,
  namesOf,
  plural,
  quoted,
  type SecurityCheck,
  setters,
  sorted,
} from "./security-check.ts";

export const privileged: SecurityCheck = (pod) => {
  const names = namesOf(pod, (each) => each.securityContext?.privileged === true);
  if (names.length === 0) return undefined;
  const detail = `${containersNamed(names)} must not set securityContext.privileged=true`;
  return { reason: "privileged", detail };
};

export const allowPrivilegeEscalation: SecurityCheck = (pod) => {
  const names = namesOf(pod, (each) => each.securityContext?.allowPrivilegeEscalation !== false);
  if (names.length === 0) return undefined;
  const detail = `${containersNamed(names)} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: "allowPrivilegeEscalation != false", detail };
};

export const allowPrivilegeEscalation1_25: SecurityCheck = (pod) =>
  isWindows(pod) ? undefined : allowPrivilegeEscalation(pod);

const DEFAULT_CAPABILITIES = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

export const capabilitiesBaseline: SecurityCheck = (pod) => {
  const detail = badlyAdded(pod, (capability) => DEFAULT_CAPABILITIES.has(capability));
  return detail === undefined ? undefined : { reason: "non-default capabilities", detail };
};

export const capabilitiesRestricted: SecurityCheck = (pod) => {
  const keeping = namesOf(
    pod,
    ({ securityContext }) => securityContext?.capabilities?.drop?.includes("ALL") !== true,
  );
  const added = badlyAdded(pod, (capability) => capability === "NET_BIND_SERVICE");
  const details = [
    ...(keeping.length > 0
      ? [`${containersNamed(keeping)} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...(added === undefined ? [] : [added]),
  ];
  if (details.length === 0) return undefined;
  return { reason: "unrestricted capabilities", detail: details.join("; ") };
};

export const capabilitiesRestricted1_25: SecurityCheck = (pod) =>
  isWindows(pod) ? undefined : capabilitiesRestricted(pod);

function badlyAdded(
  pod: Parameters<SecurityCheck>[0],
  isAllowed: (capability: string) => boolean,
): string | undefined {
  const badOf = ({ securityContext }: AnyContainer): string[] =>
    (securityContext?.capabilities?.add ?? []).filter((each) => !isAllowed(each));
  const names = namesOf(pod, (each) => badOf(each).length > 0);
  if (names.length === 0) return undefined;
  const bad = sorted(containersOf(pod).flatMap(badOf));
  return `${containersNamed(names)} must not include ${quoted(bad)} in securityContext.capabilities.add`;
}

export const procMount: SecurityCheck = (pod) => {
  const bad = containersOf(pod).filter(
    ({ securityContext }) => (securityContext?.procMount ?? "Default") !== "Default",
  );
  if (bad.length === 0) return undefined;
  const names = bad.map(({ name }) => name);
  const types = sorted(bad.map(({ securityContext }) => securityContext?.procMount ?? ""));
  const detail = `${containersNamed(names)} must not set securityContext.procMount to ${quoted(types)}`;
  return { reason: "procMount", detail };
};

export const procMount1_35: SecurityCheck = (pod) =>
  hasOwnUsers(pod) ? undefined : procMount(pod);

export const runAsNonRoot: SecurityCheck = (pod) => {
  const ofPod = pod.spec.securityContext?.runAsNonRoot;
  const refusing = namesOf(pod, (each) => each.securityContext?.runAsNonRoot === false);
  const who = setters(ofPod === false, refusing);
  const reason = "runAsNonRoot != true";
  if (who !== undefined) {
    return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  }
  if (ofPod === true) return undefined;
  const silent = namesOf(pod, (each) => each.securityContext?.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  const detail = `pod or ${containersNamed(silent)} must set securityContext.runAsNonRoot=true`;
  return { reason, detail };
};

export const runAsNonRoot1_35: SecurityCheck = (pod) =>
  hasOwnUsers(pod) ? undefined : runAsNonRoot(pod);

export const runAsUser: SecurityCheck = (pod) => {
  const containers = namesOf(pod, (each) => each.securityContext?.runAsUser === 0);
  const who = setters(pod.spec.securityContext?.runAsUser === 0, containers);
  return who === undefined
    ? undefined
    : { reason: "runAsUser=0", detail: `${who} must not set runAsUser=0` };
};

export const runAsUser1_35: SecurityCheck = (pod) =>
  hasOwnUsers(pod) ? undefined : runAsUser(pod);

const GOOD_VOLUMES = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
] as const;

const BAD_VOLUMES = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
] as const;

export const restrictedVolumes: SecurityCheck = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter((volume) =>
    GOOD_VOLUMES.every((type) => volume[type] === undefined),
  );
  if (bad.length === 0) return undefined;
  const types = sorted(
    bad.map((volume) => BAD_VOLUMES.find((type) => volume[type] !== undefined) ?? "unknown"),
  );
  const names = quoted(bad.map(({ name }) => name));
  const verb = bad.length === 1 ? "uses" : "use";
  return {
    reason: "restricted volume types",
    detail: `${plural("volume", bad.length)} ${names} ${verb} ${plural("restricted volume type", types.length)} ${quoted(types)}`,
  };
};

/** How all containers of a pod are confined, and kernel settings that are the pod's own. */
import type { PodSecurityContext, PodSpec, Sysctl } from "@homeostat/object-model/core-v1";
import { eachLater, fields, ifPresent, type Place, type Rule } from "@homeostat/schema";
import { optionalChoice } from "../checks/choices.ts";
import { groupId, userId } from "../checks/posix-ids.ts";
import type { PodFacts } from "../pod-facts.ts";
import { nameOf } from "./container-lists.ts";
import { appArmorProfileRule, seccompProfileRule } from "./security-profiles.ts";
import { windowsOptionsRule } from "./windows-options.ts";

const SYSCTL_MAX = 253;
const SEGMENT = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const SYSCTL_FORM = `^(${SEGMENT}[\\./])*${SEGMENT}$`;
const sysctlName = new RegExp(SYSCTL_FORM);

const IPC_SYSCTLS: ReadonlySet<string> = new Set([
  "kernel.sem",
  "kernel.shmall",
  "kernel.shmmax",
  "kernel.shmmni",
  "kernel.shm_rmid_forced",
  "kernel.shm",
  "kernel.msgmax",
  "kernel.msgmnb",
  "kernel.msgmni",
  "kernel.msg",
]);

const sysctlsRule: Rule<readonly Sysctl[], PodFacts> = (list, place) => {
  const { spec, old } = place.context;
  const names = new Set<string>();
  const hadHostSysctl = (old?.securityContext?.sysctls ?? []).some(
    (sysctl) => problemOnHost(nameOf(sysctl), old) !== undefined,
  );
  place.visitItems(list ?? [], (sysctl, item) => {
    const name = nameOf(sysctl);
    const at = item.child("name");
    if (name === "") at.required();
    else if (name.length > SYSCTL_MAX || !sysctlName.test(name)) {
      at.invalid(name, `must have at most ${SYSCTL_MAX} characters and match regex ${SYSCTL_FORM}`);
    } else if (names.has(name)) at.duplicate(name);
    const problem = hadHostSysctl ? undefined : problemOnHost(name, spec);
    if (problem !== undefined) at.invalid(name, problem);
    names.add(name);
  });
};

/** Settings of a namespace that the pod shares with its host are the host's to make. */
function problemOnHost(name: string, spec: Readonly<PodSpec> | undefined): string | undefined {
  const [plain = ""] = dotted(name).split("*");
  if (spec?.hostNetwork && plain.startsWith("net.")) {
    return "may not be specified when 'hostNetwork' is true";
  }
  const isIpc = IPC_SYSCTLS.has(plain) || plain.startsWith("fs.mqueue.");
  return spec?.hostIPC && isIpc ? "may not be specified when 'hostIPC' is true" : undefined;
}

/** A name may be written with slashes, dots then being part of a segment. */
function dotted(name: string): string {
  const separator = /[./]/.exec(name)?.[0];
  if (separator !== "/") return name;
  return name.replace(/[./]/g, (char) => (char === "/" ? "." : "/"));
}

/** The two are not told apart by where they are in the API: internally both are security. */
const sharedProcesses: Rule<PodSecurityContext, PodFacts> = (_, place) => {
  const { shareProcessNamespace, hostPID } = place.context.spec;
  if (!shareProcessNamespace || !hostPID) return;
  const why = "ShareProcessNamespace and HostPID cannot both be enabled";
  place.child("shareProcessNamespace").invalid(true, why);
};

/** Other policies wait for a feature; a pod that has one keeps it. */
function checkSeLinuxChange(value: string | undefined, place: Place<PodFacts>): void {
  const had = place.context.old?.securityContext?.seLinuxChangePolicy !== undefined;
  optionalChoice(...(had ? ["MountOption", "Recursive"] : ["Recursive"]))(value, place);
}

const ids = fields<PodSecurityContext, PodFacts>({
  fsGroup: ifPresent(groupId),
  runAsUser: ifPresent(userId),
  runAsGroup: ifPresent(groupId),
  supplementalGroups: eachLater(groupId),
});

const rest = fields<PodSecurityContext, PodFacts>({
  sysctls: sysctlsRule,
  fsGroupChangePolicy: optionalChoice("Always", "OnRootMismatch"),
  seccompProfile: seccompProfileRule,
  windowsOptions: windowsOptionsRule,
  appArmorProfile: appArmorProfileRule,
  supplementalGroupsPolicy: optionalChoice("Merge", "Strict"),
  seLinuxChangePolicy: checkSeLinuxChange,
});

export const podSecurityContextRule: Rule<PodSecurityContext, PodFacts> = (context, place) => {
  ids(context, place);
  sharedProcesses(context, place);
  rest(context, place);
};

import {
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbesAndLifecycle,
  sysctls1_0,
  sysctls1_27,
  sysctls1_29,
  sysctls1_32,
  windowsHostProcess,
} from "./host-checks.ts";
import type { LevelVersion } from "./policy.ts";
import {
  allowPrivilegeEscalation,
  allowPrivilegeEscalation1_25,
  capabilitiesBaseline,
  capabilitiesRestricted,
  capabilitiesRestricted1_25,
  privileged,
  procMount,
  procMount1_35,
  restrictedVolumes,
  runAsNonRoot,
  runAsNonRoot1_35,
  runAsUser,
  runAsUser1_35,
} from "./privilege-checks.ts";
import {
  appArmorProfile,
  seccompAnnotations,
  seccompBaseline,
  seccompRestricted,
  seccompRestricted1_25,
  seLinux1_0,
  seLinux1_31,
} from "./profile-checks.ts";
import type { CheckedPod, SecurityCheck, Violation } from "./security-check.ts";

/** A check in its forms: each counts from a minor version of Kubernetes on, until the next does. */
interface Standard {
  readonly since: readonly (readonly [minor: number, check: SecurityCheck])[];
  /** Of the baseline: what this one makes superfluous. */
  readonly overrides?: string;
}

/** In the order in which violations are told. */
const BASELINE: Readonly<Record<string, Standard>> = {
  appArmorProfile: { since: [[0, appArmorProfile]] },
  capabilities: { since: [[0, capabilitiesBaseline]] },
  hostNamespaces: { since: [[0, hostNamespaces]] },
  hostPathVolumes: { since: [[0, hostPathVolumes]] },
  hostPorts: { since: [[0, hostPorts]] },
  hostProbesAndLifecycle: { since: [[34, hostProbesAndLifecycle]] },
  privileged: { since: [[0, privileged]] },
  procMount: {
    since: [
      [0, procMount],
      [35, procMount1_35],
    ],
  },
  seLinuxOptions: {
    since: [
      [0, seLinux1_0],
      [31, seLinux1_31],
    ],
  },
  seccompProfile: {
    since: [
      [0, seccompAnnotations],
      [19, seccompBaseline],
    ],
  },
  sysctls: {
    since: [
      [0, sysctls1_0],
      [27, sysctls1_27],
      [29, sysctls1_29],
      [32, sysctls1_32],
    ],
  },
  windowsHostProcess: { since: [[0, windowsHostProcess]] },
};

const RESTRICTED: readonly Standard[] = [
  {
    since: [
      [8, allowPrivilegeEscalation],
      [25, allowPrivilegeEscalation1_25],
    ],
  },
  {
    since: [
      [22, capabilitiesRestricted],
      [25, capabilitiesRestricted1_25],
    ],
    overrides: "capabilities",
  },
  { since: [[35, procMount]], overrides: "procMount" },
  { since: [[0, restrictedVolumes]], overrides: "hostPathVolumes" },
  {
    since: [
      [0, runAsNonRoot],
      [35, runAsNonRoot1_35],
    ],
  },
  {
    since: [
      [23, runAsUser],
      [35, runAsUser1_35],
    ],
  },
  {
    since: [
      [19, seccompRestricted],
      [25, seccompRestricted1_25],
    ],
    overrides: "seccompProfile",
  },
];

/** What of a pod is forbidden by a standard. */
export function violations(pod: CheckedPod, { level, minor }: LevelVersion): Violation[] {
  if (level === "privileged") return [];
  const restricted = level === "restricted" ? RESTRICTED : [];
  const overridden = new Set(
    restricted
      .filter((each) => checkAt(each, minor) !== undefined)
      .map(({ overrides }) => overrides),
  );
  const baseline = Object.entries(BASELINE)
    .filter(([name]) => !overridden.has(name))
    .map(([, each]) => each);
  return [...baseline, ...restricted]
    .map((each) => checkAt(each, minor)?.(pod))
    .filter((found) => found !== undefined);
}

function checkAt({ since }: Standard, minor: number): SecurityCheck | undefined {
  return since.findLast(([from]) => from <= minor)?.[1];
}

export function printDetails(found: readonly Violation[]): string {
  return found
    .map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`))
    .join(", ");
}

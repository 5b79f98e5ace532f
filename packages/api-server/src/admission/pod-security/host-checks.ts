import type { Container, LifecycleHandler, Probe } from "@homeostat/object-model/core-v1";
import {
  containersNamed,
  containersOf,
  namesOf,
  plural,
  quoted,
  type SecurityCheck,
  setters,
  sorted,
} from "./security-check.ts";

export const hostNamespaces: SecurityCheck = ({ spec }) => {
  const used = (["hostNetwork", "hostPID", "hostIPC"] as const).filter(
    (name) => spec[name] === true,
  );
  if (used.length === 0) return undefined;
  return { reason: "host namespaces", detail: used.map((name) => `${name}=true`).join(", ") };
};

export const hostPathVolumes: SecurityCheck = ({ spec }) => {
  const names = (spec.volumes ?? [])
    .filter(({ hostPath }) => hostPath !== undefined)
    .map(({ name }) => name);
  if (names.length === 0) return undefined;
  return {
    reason: "hostPath volumes",
    detail: `${plural("volume", names.length)} ${quoted(names)}`,
  };
};

export const hostPorts: SecurityCheck = (pod) => {
  const portsOf = ({ ports = [] }: Pick<Container, "ports">): number[] =>
    ports.map(({ hostPort = 0 }) => hostPort).filter((port) => port !== 0);
  const names = namesOf(pod, (each) => portsOf(each).length > 0);
  if (names.length === 0) return undefined;
  const ports = sorted(containersOf(pod).flatMap(portsOf).map(String));
  const verb = names.length === 1 ? "uses" : "use";
  return {
    reason: "hostPort",
    detail: `${containersNamed(names)} ${verb} ${plural("hostPort", ports.length)} ${ports.join(", ")}`,
  };
};

export const hostProbesAndLifecycle: SecurityCheck = (pod) => {
  const hostsOf = (each: Partial<Container>): string[] =>
    [
      each.livenessProbe,
      each.readinessProbe,
      each.startupProbe,
      each.lifecycle?.postStart,
      each.lifecycle?.preStop,
    ].flatMap(hostsAsked);
  const names = sorted(namesOf(pod, (each) => hostsOf(each).length > 0));
  if (names.length === 0) return undefined;
  const hosts = sorted(containersOf(pod).flatMap(hostsOf));
  const verb = names.length === 1 ? "uses" : "use";
  return {
    reason: "probe or lifecycle host",
    detail: `${containersNamed(names)} ${verb} ${plural("probe or lifecycle host", hosts.length)} ${quoted(hosts)}`,
  };
};

function hostsAsked(asking: LifecycleHandler | Probe | undefined): string[] {
  return [asking?.httpGet?.host, asking?.tcpSocket?.host].filter(
    (host) => host !== undefined && host !== "",
  ) as string[];
}

export const windowsHostProcess: SecurityCheck = (pod) => {
  const who = setters(
    pod.spec.securityContext?.windowsOptions?.hostProcess === true,
    namesOf(pod, (each) => each.securityContext?.windowsOptions?.hostProcess === true),
  );
  if (who === undefined) return undefined;
  const detail = `${who} must not set securityContext.windowsOptions.hostProcess=true`;
  return { reason: "hostProcess", detail };
};

const SYSCTLS_1_0 = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
];
const SYSCTLS_1_27 = [...SYSCTLS_1_0, "net.ipv4.ip_local_reserved_ports"];
const SYSCTLS_1_29 = [
  ...SYSCTLS_1_27,
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
];
const SYSCTLS_1_32 = [...SYSCTLS_1_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"];

export const sysctls1_0: SecurityCheck = sysctlsOf(SYSCTLS_1_0);
export const sysctls1_27: SecurityCheck = sysctlsOf(SYSCTLS_1_27);
export const sysctls1_29: SecurityCheck = sysctlsOf(SYSCTLS_1_29);
export const sysctls1_32: SecurityCheck = sysctlsOf(SYSCTLS_1_32);

function sysctlsOf(allowed: readonly string[]): SecurityCheck {
  return ({ spec }) => {
    const names = (spec.securityContext?.sysctls ?? []).map(({ name }) => name);
    const bad = names.filter((name) => !allowed.includes(name));
    if (bad.length === 0) return undefined;
    return { reason: "forbidden sysctls", detail: bad.join(", ") };
  };
}

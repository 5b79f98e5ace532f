/** Pods that break rules about several fields at once. */
import { type ExtraProbe, extras } from "../probe.ts";

const container = "spec.containers[0]";
const security = `${container}.securityContext`;
const annotation = (key: string): string => `metadata.annotations[${JSON.stringify(key)}]`;
const mirror = annotation("kubernetes.io/config.mirror");
const appArmor = annotation("container.apparmor.security.beta.kubernetes.io/app");
const seccomp = annotation("seccomp.security.alpha.kubernetes.io/pod");
const repeat = (count: number, print: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => print(i));
const env = (valueFrom: Record<string, object>) => ({
  [`${container}.env`]: [{ name: "X", valueFrom: JSON.parse(JSON.stringify(valueFrom)) }],
});
const field = (fieldPath: string) => env({ fieldRef: { fieldPath } });
const amount = (resource: string, divisor: string) =>
  env({ resourceFieldRef: { containerName: "app", resource, divisor } });

export const podExtras: readonly ExtraProbe[] = [
  ...extras("plain", "create", {
    "mirror without node": { [mirror]: "x" },
    "mirror with node": { [mirror]: "x", "spec.nodeName": "node-1" },
    "mirror with claims": {
      [mirror]: "x",
      "spec.nodeName": "node-1",
      "spec.resourceClaims": [{ name: "a", resourceClaimName: "b" }],
      [`${container}.resources.claims`]: [{ name: "a" }],
    },
    "deletion cost": { [annotation("controller.kubernetes.io/pod-deletion-cost")]: "1.5" },
    "deletion cost with zero": {
      [annotation("controller.kubernetes.io/pod-deletion-cost")]: "+01",
    },
    "tolerations annotation": { [annotation("scheduler.alpha.kubernetes.io/tolerations")]: "{" },
    "app armor of no container": {
      [annotation("container.apparmor.security.beta.kubernetes.io/none")]: "runtime/default",
    },
    "app armor nonsense": { [appArmor]: "nonsense" },
    "app armor by annotation": { [appArmor]: "localhost/mine" },
    "app armor unconfined, field default": {
      [appArmor]: "unconfined",
      [`${security}.appArmorProfile`]: { type: "RuntimeDefault" },
    },
    "app armor default, field unconfined": {
      [appArmor]: "runtime/default",
      [`${security}.appArmorProfile`]: { type: "Unconfined" },
    },
    "app armor localhost, field other": {
      [appArmor]: "localhost/a",
      [`${security}.appArmorProfile`]: { type: "Localhost", localhostProfile: "b" },
    },
    "app armor default, field localhost": {
      [appArmor]: "runtime/default",
      [`${security}.appArmorProfile`]: { type: "Localhost", localhostProfile: "b" },
    },
    "seccomp nonsense": { [seccomp]: "nonsense" },
    "seccomp by annotation": { [seccomp]: "localhost/../a" },
    "seccomp default, field unconfined": {
      [seccomp]: "runtime/default",
      "spec.securityContext.seccompProfile": { type: "Unconfined" },
    },
    "seccomp localhost, field other": {
      [seccomp]: "localhost/a",
      "spec.securityContext.seccompProfile": { type: "Localhost", localhostProfile: "b" },
    },
    "seccomp of container": {
      [annotation("container.seccomp.security.alpha.kubernetes.io/app")]: "unconfined",
      [`${security}.seccompProfile`]: { type: "RuntimeDefault" },
    },
    "two containers of one name": { "spec.containers[1]": { name: "app", image: "b" } },
    "container and init container of one name": {
      "spec.initContainers": [{ name: "app", image: "b" }],
    },
    "many containers": {
      "spec.containers": repeat(30, (i) => `c${i}`).map((name) => ({ name, image: "x" })),
    },
    "ephemeral containers": { "spec.ephemeralContainers": [{ name: "debug", image: "b" }] },
    "host network and a host port": {
      "spec.hostNetwork": true,
      [`${container}.ports`]: [{ containerPort: 80, hostPort: 81 }],
    },
    "host ports twice": {
      [`${container}.ports`]: [
        { containerPort: 80, hostPort: 81 },
        { containerPort: 82, hostPort: 81 },
      ],
    },
    "host ports on two addresses": {
      [`${container}.ports`]: [
        { containerPort: 80, hostPort: 81, hostIP: "10.1.1.1" },
        { containerPort: 82, hostPort: 81, hostIP: "10.1.1.2" },
      ],
    },
    "user namespace with host namespaces": {
      "spec.hostUsers": false,
      "spec.hostPID": true,
      "spec.hostIPC": true,
      "spec.hostNetwork": true,
    },
    "user namespace with devices": {
      "spec.hostUsers": false,
      "spec.volumes": [{ name: "d", persistentVolumeClaim: { claimName: "c" } }],
      [`${container}.volumeDevices`]: [{ name: "d", devicePath: "/dev/d" }],
    },
    "unmasked without user namespace": { [`${security}.procMount`]: "Unmasked" },
    "unmasked with user namespace": {
      [`${security}.procMount`]: "Unmasked",
      "spec.hostUsers": false,
    },
    "no escalation but privileged": {
      [security]: { allowPrivilegeEscalation: false, privileged: true },
    },
    "no escalation but administrator": {
      [security]: { allowPrivilegeEscalation: false, capabilities: { add: ["CAP_SYS_ADMIN"] } },
    },
    "host process and shared processes": {
      "spec.hostPID": true,
      "spec.shareProcessNamespace": true,
    },
    "network sysctl on the host's": {
      "spec.hostNetwork": true,
      "spec.securityContext": { sysctls: [{ name: "net.core.somaxconn", value: "1" }] },
    },
    "ipc sysctl on the host's": {
      "spec.hostIPC": true,
      "spec.securityContext": { sysctls: [{ name: "kernel.shm_rmid_forced", value: "1" }] },
    },
    "sysctls twice": {
      "spec.securityContext": {
        sysctls: [
          { name: "net/core/somaxconn", value: "1" },
          { name: "net.core.somaxconn", value: "1" },
        ],
      },
    },
    "sysctl with slashes": {
      "spec.securityContext": { sysctls: [{ name: "a/b.c/d", value: "1" }] },
    },
    "gates and a node": { "spec.nodeName": "node-1", "spec.schedulingGates": [{ name: "a" }] },
    "many name servers": {
      "spec.dnsConfig": { nameservers: repeat(4, (i) => `10.1.1.${i}`) },
    },
    "many search paths": { "spec.dnsConfig": { searches: repeat(33, (i) => `s${i}`) } },
    "long search list": { "spec.dnsConfig": { searches: repeat(12, () => "a".repeat(200)) } },
    "no policy without name servers": { "spec.dnsPolicy": "None" },
    "search path with underscore": {
      "spec.dnsConfig": { searches: ["_tcp.a.example", ".", "a."] },
    },
    "subscripted label": field("metadata.labels['a']"),
    "subscripted annotation": field("metadata.annotations['a b']"),
    "subscripted name": field("metadata.name['a']"),
    "pod addresses": field("status.podIPs"),
    "host address": field("status.hostIP"),
    "node name": field("spec.nodeName"),
    "label without subscript": field("metadata.labels"),
    "memory divided by": amount("limits.memory", "1m"),
    "cpu divided by": amount("requests.cpu", "2"),
    "storage divided by": amount("limits.ephemeral-storage", "5"),
    "huge pages divided by": amount("requests.hugepages-2Mi", "7"),
    "unknown resource": amount("limits.gpu", "1"),
    "file key": env({ fileKeyRef: { volumeName: "none", path: "a", key: "b" } }),
    "resize policy of a pod that never restarts": {
      "spec.restartPolicy": "Never",
      [`${container}.resizePolicy`]: [
        { resourceName: "memory", restartPolicy: "RestartContainer" },
      ],
    },
    "restart rules": {
      [`${container}.restartPolicy`]: "Never",
      [`${container}.restartPolicyRules`]: [
        { action: "Restart", exitCodes: { operator: "In", values: [42] } },
      ],
    },
    "restart rules without policy": {
      [`${container}.restartPolicyRules`]: [
        { action: "Restart", exitCodes: { operator: "In", values: [42] } },
      ],
    },
    "bad restart rules": {
      [`${container}.restartPolicy`]: "OnFailure",
      [`${container}.restartPolicyRules`]: [
        { action: "Bad" },
        { action: "Restart", exitCodes: { operator: "Bad", values: [] } },
      ],
    },
    "stop signal without system": { [`${container}.lifecycle.stopSignal`]: "SIGTERM" },
    "stop signal of linux": {
      "spec.os": { name: "linux" },
      [`${container}.lifecycle.stopSignal`]: "SIGUSR1",
    },
    "stop signal of windows": {
      "spec.os": { name: "windows" },
      [`${container}.lifecycle.stopSignal`]: "SIGUSR1",
    },
    "hostname override": { "spec.hostnameOverride": "a.b", "spec.setHostnameAsFQDN": true },
    "hostname override on the host": { "spec.hostnameOverride": "a", "spec.hostNetwork": true },
    "bad hostname override": { "spec.hostnameOverride": "A_b" },
    "pod resources below": {
      "spec.resources": { limits: { cpu: "1" }, requests: { cpu: "1" } },
      [`${container}.resources`]: { limits: { cpu: "2" }, requests: { cpu: "2" } },
    },
    "pod huge pages below": {
      "spec.resources": { limits: { "hugepages-2Mi": "2Mi", cpu: "1" } },
      [`${container}.resources`]: { limits: { "hugepages-2Mi": "4Mi" }, requests: { cpu: "1" } },
    },
    "pod resources on windows": {
      "spec.os": { name: "windows" },
      "spec.resources": { limits: { cpu: "1" } },
    },
    "requests above limits": {
      [`${container}.resources`]: { limits: { cpu: "1" }, requests: { cpu: "2" } },
    },
    "huge pages without cpu": {
      [`${container}.resources`]: { limits: { "hugepages-2Mi": "2Mi" } },
    },
    "huge pages of an odd amount": {
      [`${container}.resources`]: { limits: { "hugepages-2Mi": "3Mi", cpu: "1" } },
    },
    "extended resource without limit": {
      [`${container}.resources`]: { requests: { "example.com/gpu": "1" } },
    },
    "extended resource of other amounts": {
      [`${container}.resources`]: {
        requests: { "example.com/gpu": "1" },
        limits: { "example.com/gpu": "2" },
      },
    },
    "claims of no pod claim": {
      [`${container}.resources.claims`]: [{ name: "none" }, { name: "none" }],
    },
    "probes of both kinds": {
      [`${container}.livenessProbe`]: { exec: { command: ["a"] }, tcpSocket: { port: 1 } },
      [`${container}.readinessProbe`]: { exec: {}, terminationGracePeriodSeconds: 5 },
      [`${container}.startupProbe`]: { exec: { command: ["a"] }, successThreshold: 2 },
    },
    "two match label keys": {
      "metadata.labels.version": "1",
      "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution": [
        {
          topologyKey: "zone",
          labelSelector: { matchLabels: { version: "1" } },
          matchLabelKeys: ["version"],
          mismatchLabelKeys: ["version"],
        },
      ],
    },
    "match label keys in spread": {
      "metadata.labels.version": "1",
      "spec.topologySpreadConstraints": [
        {
          maxSkew: 1,
          topologyKey: "zone",
          whenUnsatisfiable: "DoNotSchedule",
          labelSelector: { matchLabels: { version: "1" } },
          matchLabelKeys: ["version", "other", "version"],
        },
        {
          maxSkew: 1,
          topologyKey: "zone",
          whenUnsatisfiable: "DoNotSchedule",
          matchLabelKeys: ["other"],
        },
      ],
    },
    "pod group": { "spec.schedulingGroup": {} },
    "negative grace": { "spec.terminationGracePeriodSeconds": -1 },
    "tolerations of all kinds": {
      "spec.tolerations": [
        { key: "a", operator: "Exists", value: "b" },
        { operator: "Equal", value: "b" },
        { key: "a", operator: "Lt", value: "x" },
        { key: "a", operator: "Gt", value: "05" },
        { key: "a", value: "b", effect: "NoSchedule", tolerationSeconds: 5 },
      ],
    },
    "selector terms of all kinds": {
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms":
        [
          {
            matchExpressions: [
              { key: "a", operator: "Gt", values: ["1", "2"] },
              { key: "a", operator: "Lt", values: ["x"] },
              { key: "a", operator: "In", values: ["bad value!"] },
              { key: "a", operator: "Exists", values: ["b"] },
              { key: "a", operator: "DoesNotExist" },
            ],
            matchFields: [
              { key: "metadata.name", operator: "In", values: ["a", "b"] },
              { key: "metadata.other", operator: "NotIn", values: ["Bad_Name"] },
              { key: "metadata.name", operator: "Exists" },
            ],
          },
        ],
    },
  }),
];

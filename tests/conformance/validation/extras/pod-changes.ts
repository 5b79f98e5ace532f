/** Init containers, Windows, updates and the subresources of pods: rules about several fields at once. */
import { type ExtraProbe, extras } from "../probe.ts";

const container = "spec.containers[0]";
const security = `${container}.securityContext`;
const annotation = (key: string): string => `metadata.annotations[${JSON.stringify(key)}]`;
const mirror = annotation("kubernetes.io/config.mirror");
const appArmor = annotation("container.apparmor.security.beta.kubernetes.io/app");

const terms =
  "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";

export const podChangeExtras: readonly ExtraProbe[] = [
  ...extras("init", "create", {
    "resize policy of an init container": {
      "spec.initContainers[1].resizePolicy": [
        { resourceName: "cpu", restartPolicy: "RestartContainer" },
      ],
    },
    "probes of an init container": {
      "spec.initContainers[1].livenessProbe": { exec: { command: ["a"] } },
      "spec.initContainers[1].lifecycle": { postStart: { exec: { command: ["a"] } } },
    },
    "restart rules of a sidecar": {
      "spec.initContainers[0].restartPolicyRules": [
        { action: "Restart", exitCodes: { operator: "In", values: [1] } },
      ],
    },
    "sidecar of another policy": { "spec.initContainers[0].restartPolicy": "Sometimes" },
  }),
  ...extras("windows", "create", {
    "linux fields": {
      "spec.hostPID": true,
      "spec.hostIPC": true,
      "spec.hostUsers": true,
      "spec.securityContext.seLinuxOptions": {},
      "spec.securityContext.runAsUser": 1,
      "spec.securityContext.sysctls": [{ name: "a", value: "b" }],
      [`${security}.privileged`]: true,
      [`${security}.capabilities`]: {},
    },
    "host process alone": { "spec.securityContext.windowsOptions.hostProcess": true },
    "host process on the host": {
      "spec.securityContext.windowsOptions.hostProcess": true,
      "spec.hostNetwork": true,
    },
    "host process of one container": {
      [`${security}.windowsOptions.hostProcess`]: true,
      "spec.hostNetwork": true,
    },
    "user names": {
      "spec.securityContext.windowsOptions.runAsUserName": "a\\b\\c",
      [`${security}.windowsOptions.runAsUserName`]: 'bad"name',
    },
    "long user name": { [`${security}.windowsOptions.runAsUserName`]: "a".repeat(110) },
    "domain only": { [`${security}.windowsOptions.runAsUserName`]: "domain\\" },
    "dotted domain": { [`${security}.windowsOptions.runAsUserName`]: ".a\\b" },
  }),
  ...extras("plain", "update", {
    "mirror annotation added": { [mirror]: "x" },
    "app armor annotation added": { [appArmor]: "unconfined" },
    "ephemeral container": { "spec.ephemeralContainers": [{ name: "debug", image: "b" }] },
    "toleration added": { "spec.tolerations": [{ key: "a", operator: "Exists" }] },
    "image and grace": { [`${container}.image`]: "b", "spec.terminationGracePeriodSeconds": 1 },
    "image emptied": { [`${container}.image`]: " b" },
    "deadline set": { "spec.activeDeadlineSeconds": 5 },
    "host network": { "spec.hostNetwork": true },
  }),
  ...extras("gated", "update", {
    "gates removed": { "spec.schedulingGates": [] },
    "gate replaced": { "spec.schedulingGates": [{ name: "example.com/other" }] },
    "node selector added": { "spec.nodeSelector": { a: "b" } },
    "node affinity added": {
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms":
        [{ matchExpressions: [{ key: "a", operator: "Exists" }] }],
    },
    "node chosen": { "spec.nodeName": "node-1" },
    "priority changed": { "spec.priority": 5 },
  }),
  ...extras("scheduling", "update", {
    "toleration seconds lowered": { "spec.tolerations[0].tolerationSeconds": 5 },
    "deadline raised": { "spec.activeDeadlineSeconds": 700 },
    "deadline lowered": { "spec.activeDeadlineSeconds": 500 },
    "deadline negative": { "spec.activeDeadlineSeconds": -5 },
  }),
  ...extras("plain", "ephemeralcontainers", {
    added: {
      "spec.ephemeralContainers": [{ name: "debug", image: "b", targetContainerName: "app" }],
    },
    "of an unknown target": {
      "spec.ephemeralContainers": [{ name: "debug", image: "b", targetContainerName: "none" }],
    },
    "of a taken name": { "spec.ephemeralContainers": [{ name: "app", image: "b" }] },
    "with forbidden fields": {
      "spec.ephemeralContainers": [
        {
          name: "debug",
          image: "b",
          ports: [{ containerPort: 80 }],
          livenessProbe: { exec: { command: ["a"] } },
          lifecycle: { preStop: { exec: { command: ["a"] } } },
          resources: { limits: { cpu: "1" } },
          resizePolicy: [{ resourceName: "cpu", restartPolicy: "NotRequired" }],
          restartPolicy: "Always",
        },
      ],
    },
    "without name": { "spec.ephemeralContainers": [{ image: "b" }, { name: "x" }] },
    "with a mount": {
      "spec.ephemeralContainers": [
        {
          name: "debug",
          image: "b",
          volumeMounts: [{ name: "none", mountPath: "/a", subPath: "b" }],
        },
      ],
    },
    "with another image": { "spec.containers[0].image": "other" },
  }),
  ...extras("containers", "resize", {
    "cpu and memory": {
      "spec.containers[0].resources.requests.cpu": "600m",
      "spec.containers[0].resources.limits.memory": "2Gi",
    },
    "memory lowered": { "spec.containers[0].resources.limits.memory": "600Mi" },
    storage: { "spec.containers[0].resources.limits.ephemeral-storage": "9Gi" },
    "requests removed": { "spec.containers[0].resources.requests.cpu": undefined },
    "limits removed": { "spec.containers[0].resources.limits.cpu": undefined },
    "another quality": {
      "spec.containers[0].resources": {
        limits: { cpu: "2", memory: "1Gi", "ephemeral-storage": "2Gi" },
        requests: { cpu: "2", memory: "1Gi", "ephemeral-storage": "1Gi" },
      },
      "spec.containers[1].resources": {
        limits: { cpu: "1", memory: "1Gi" },
        requests: { cpu: "1", memory: "1Gi" },
      },
    },
    "requests above limits": { "spec.containers[0].resources.requests.cpu": "9" },
    negative: { "spec.containers[0].resources.requests.cpu": "-1" },
    "container renamed": { "spec.containers[1].name": "renamed" },
    "container removed": { "spec.containers[1]": undefined },
    "another image": { "spec.containers[0].image": "other" },
    "labels too": { "metadata.labels": { a: "b" } },
  }),
  ...extras("init", "resize", {
    "init container": { "spec.initContainers[1].resources.requests.cpu": "2" },
    sidecar: { "spec.initContainers[0].resources": { requests: { cpu: "1" } } },
    "pod level": { "spec.resources.limits.cpu": "5" },
    "pod level removed": { "spec.resources": undefined },
    "init container removed": { "spec.initContainers[1]": undefined },
  }),
  ...extras("windows", "resize", {
    cpu: { "spec.containers[0].resources": { requests: { cpu: "1" } } },
  }),
  ...extras("finished", "status", {
    "running again": { "status.containerStatuses[0].state": { running: {} } },
    "waiting again": { "status.containerStatuses[0].state": { waiting: {} } },
    "container gone": { "status.containerStatuses": [] },
    "another exit code": { "status.containerStatuses[0].state.terminated.exitCode": 1 },
    "resources of a device": {
      "status.containerStatuses[0].allocatedResourcesStatus": [{ name: "claim:none" }],
    },
    "another quality": { "status.qosClass": "Guaranteed" },
    "unknown container": { "status.containerStatuses[0].name": "none" },
  }),
  ...extras("mirrored", "update", {
    "mirror annotation changed": { [mirror]: "y" },
    "mirror annotation removed": { [mirror]: undefined },
    "app armor annotation changed": { [appArmor]: "runtime/default" },
    "app armor annotation removed": { [appArmor]: undefined },
  }),
  ...extras("mirrored", "ephemeralcontainers", {
    added: { "spec.ephemeralContainers": [{ name: "debug", image: "b" }] },
  }),
  ...extras("mirrored", "resize", {
    cpu: { "spec.containers[0].resources": { requests: { cpu: "1" } } },
  }),
  ...extras("held", "update", {
    "selector changed": { "spec.nodeSelector.disk": "hdd" },
    "selector removed": { "spec.nodeSelector": undefined },
    "selector added to": { "spec.nodeSelector.other": "x" },
    "affinity removed": { "spec.affinity": undefined },
    "affinity preferred": {
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution": [
        { weight: 1, preference: { matchExpressions: [{ key: "b", operator: "Exists" }] } },
      ],
    },
    "term added": { [`${terms}[1]`]: { matchExpressions: [{ key: "b", operator: "Exists" }] } },
    "term narrowed": { [`${terms}[0].matchExpressions[1]`]: { key: "b", operator: "Exists" } },
    "term changed": { [`${terms}[0].matchExpressions[0].key`]: "c" },
    "gates removed and selector changed": {
      "spec.schedulingGates": [],
      "spec.nodeSelector.disk": "hdd",
    },
  }),
];

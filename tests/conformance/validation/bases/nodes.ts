import type { Node } from "@homeostat/object-model/core-v1";
import type { ProbedKind, Variants } from "../probe.ts";

const time = "2020-01-01T00:00:00Z";

const variants = {
  plain: {
    metadata: { labels: { zone: "a" }, annotations: { a: "b" } },
    spec: {
      podCIDR: "10.1.0.0/24",
      podCIDRs: ["10.1.0.0/24", "fd00:1::/64"],
      providerID: "cloud://1",
      unschedulable: true,
      taints: [
        { key: "dedicated", value: "a", effect: "NoSchedule" },
        { key: "example.com/x", effect: "NoExecute", timeAdded: time },
      ],
    },
    status: {
      capacity: { cpu: "4", memory: "8Gi", pods: "110", "example.com/gpu": "1" },
      allocatable: { cpu: "4", memory: "8Gi", pods: "110", "hugepages-2Mi": "0" },
      phase: "Running",
      conditions: [
        {
          type: "Ready",
          status: "True",
          lastHeartbeatTime: time,
          lastTransitionTime: time,
          reason: "KubeletReady",
          message: "x",
        },
      ],
      addresses: [
        { type: "InternalIP", address: "10.9.0.1" },
        { type: "Hostname", address: "node-1" },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
      nodeInfo: {
        machineID: "m",
        systemUUID: "s",
        bootID: "b",
        kernelVersion: "6",
        osImage: "o",
        containerRuntimeVersion: "containerd://2",
        kubeletVersion: "v1.36.3",
        kubeProxyVersion: "v1.36.3",
        operatingSystem: "linux",
        architecture: "amd64",
        swap: { capacity: 1 },
      },
      images: [{ names: ["registry.example/app:1"], sizeBytes: 5 }],
      volumesInUse: ["kubernetes.io/csi/a^b"],
      volumesAttached: [{ name: "kubernetes.io/csi/a^b", devicePath: "/dev/x" }],
      runtimeHandlers: [
        { name: "", features: { recursiveReadOnlyMounts: true, userNamespaces: false } },
      ],
      features: { supplementalGroupsPolicy: true },
    },
  },
  bare: {},
} satisfies Variants<Node>;

export const nodes: ProbedKind = {
  name: "nodes",
  group: "",
  version: "v1",
  plural: "nodes",
  variants,
};

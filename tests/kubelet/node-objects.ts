/** What a node says of itself. */
import { microTimeOfMilliseconds, timeOfMilliseconds } from "@homeostat/object-model";

export interface NodeShape {
  readonly name: string;
  /** Where its kubelet listens. */
  readonly address: string;
  readonly port: number;
}

const RESOURCES = {
  cpu: "16",
  memory: "64Gi",
  pods: "500",
  "ephemeral-storage": "200Gi",
};

/** Seconds that a lease is good for without being renewed. */
const LEASE_SECONDS = 40;

export function nodeObject({ name }: NodeShape): object {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
      },
    },
  };
}

/** A strategic merge patch: conditions of others stay. */
export function nodeStatus({ name, address, port }: NodeShape, now: number): object {
  const at = timeOfMilliseconds(now);
  const condition = (type: string, status: string, reason: string): object => ({
    type,
    status,
    reason,
    message: reason,
    lastHeartbeatTime: at,
  });
  return {
    status: {
      capacity: RESOURCES,
      allocatable: RESOURCES,
      addresses: [
        { type: "InternalIP", address },
        { type: "Hostname", address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
      // API servers may pass WebSockets on as they are.
      declaredFeatures: ["ExtendWebSocketsToKubelet"],
      nodeInfo: {
        machineID: name,
        systemUUID: name,
        bootID: name,
        kernelVersion: "6.0.0",
        osImage: "fake",
        containerRuntimeVersion: "fake://1.0.0",
        kubeletVersion: "v1.36.3",
        kubeProxyVersion: "",
        operatingSystem: "linux",
        architecture: "amd64",
      },
      conditions: [
        condition("MemoryPressure", "False", "KubeletHasSufficientMemory"),
        condition("DiskPressure", "False", "KubeletHasNoDiskPressure"),
        condition("PIDPressure", "False", "KubeletHasSufficientPID"),
        condition("Ready", "True", "KubeletReady"),
      ],
    },
  };
}

export function leaseObject(node: string, { uid, now }: { uid: string; now: number }): object {
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      name: node,
      namespace: "kube-node-lease",
      ownerReferences: [{ apiVersion: "v1", kind: "Node", name: node, uid }],
    },
    spec: leaseSpec(node, now),
  };
}

export function leaseSpec(node: string, now: number): object {
  return {
    holderIdentity: node,
    leaseDurationSeconds: LEASE_SECONDS,
    renewTime: microTimeOfMilliseconds(now),
  };
}

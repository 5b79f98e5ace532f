/** Rules about several fields at once: the small kinds of the core group. */
import { type ExtraProbe, extras } from "../probe.ts";

export const coreExtras: Readonly<Record<string, readonly ExtraProbe[]>> = {
  services: [
    ...extras("plain", "create", {
      "none and an address": { "spec.clusterIPs": ["None", "10.0.0.77"], "spec.clusterIP": "None" },
      "two addresses of a family": {
        "spec.clusterIP": "10.0.0.77",
        "spec.clusterIPs": ["10.0.0.77", "10.0.0.78"],
      },
      "both families": { "spec.ipFamilyPolicy": "RequireDualStack" },
      "both families preferred": { "spec.ipFamilyPolicy": "PreferDualStack" },
      "the other family": { "spec.ipFamilies": ["IPv6"] },
      "address of the other family": { "spec.clusterIP": "fd00::1", "spec.ipFamilies": ["IPv4"] },
      "no affinity but its config": {
        "spec.sessionAffinity": "None",
        "spec.sessionAffinityConfig": { clientIP: { timeoutSeconds: 5 } },
      },
      "long affinity": {
        "spec.sessionAffinity": "ClientIP",
        "spec.sessionAffinityConfig": { clientIP: { timeoutSeconds: 86_401 } },
      },
      "headless node port": { "spec.type": "NodePort", "spec.clusterIP": "None" },
      "headless balancer": { "spec.type": "LoadBalancer", "spec.clusterIP": "None" },
      "external name with an address": {
        "spec.type": "ExternalName",
        "spec.externalName": "a.example",
        "spec.clusterIP": "10.0.0.77",
        "spec.ipFamilies": ["IPv4"],
        "spec.ipFamilyPolicy": "SingleStack",
      },
      "external name with node ports": {
        "spec.type": "ExternalName",
        "spec.externalName": "a.example.",
        "spec.ports": [{ port: 80, nodePort: 30_001 }],
      },
      "kubelet's port": { "spec.type": "LoadBalancer", "spec.ports": [{ port: 10_250 }] },
      "node port twice": {
        "spec.type": "NodePort",
        "spec.ports": [
          { name: "a", port: 80, nodePort: 30_002 },
          { name: "b", port: 81, nodePort: 30_002 },
        ],
      },
      "ports of two protocols": {
        "spec.ports": [
          { name: "a", port: 80, protocol: "TCP" },
          { name: "b", port: 80, protocol: "UDP" },
        ],
      },
      "two ports without names": { "spec.ports": [{ port: 80 }, { port: 81 }] },
      "source ranges of no balancer": { "spec.loadBalancerSourceRanges": ["10.0.0.0/8"] },
      "source ranges by annotation": {
        "spec.type": "LoadBalancer",
        'metadata.annotations["service.beta.kubernetes.io/load-balancer-source-ranges"]':
          "nonsense",
      },
      "topology by annotation": {
        'metadata.annotations["service.kubernetes.io/topology-mode"]': "Auto",
        "spec.trafficDistribution": "PreferClose",
      },
      "external addresses of a loop": { "spec.externalIPs": ["127.0.0.1", "0.0.0.0", "fe80::1"] },
    }),
    ...extras("full", "update", {
      "to a node port": { "spec.type": "NodePort" },
      "to an external name": {
        "spec.type": "ExternalName",
        "spec.externalName": "a.example",
        "spec.clusterIP": undefined,
        "spec.clusterIPs": undefined,
      },
      "to an external name with its address": {
        "spec.type": "ExternalName",
        "spec.externalName": "a.example",
      },
      "to headless": { "spec.clusterIP": "None", "spec.clusterIPs": ["None"] },
      "another address": { "spec.clusterIP": "10.0.0.101", "spec.clusterIPs": ["10.0.0.101"] },
      "another family": { "spec.ipFamilies": ["IPv6"] },
      "both families": { "spec.ipFamilyPolicy": "RequireDualStack" },
      "addresses disagree": { "spec.clusterIPs": ["10.0.0.102"] },
    }),
    ...extras("balancer", "update", {
      "to an address only": {
        "spec.type": "ClusterIP",
        "spec.externalTrafficPolicy": undefined,
        "spec.healthCheckNodePort": undefined,
        "spec.loadBalancerClass": undefined,
        "spec.allocateLoadBalancerNodePorts": undefined,
        "spec.loadBalancerIP": undefined,
        "spec.loadBalancerSourceRanges": undefined,
      },
      "another class": { "spec.loadBalancerClass": "example.com/other" },
      "another health port": { "spec.healthCheckNodePort": 30_998 },
      "to the cluster": { "spec.externalTrafficPolicy": "Cluster" },
    }),
    ...extras("balancer", "status", {
      "a name that is an address": { "status.loadBalancer.ingress[1].hostname": "10.1.1.1" },
      "no mode": { "status.loadBalancer.ingress[0]": { ip: "192.0.2.5" } },
    }),
  ],
  resourcequotas: extras("scoped", "create", {
    "scope that does not fit": { "spec.hard": { cpu: "1", services: "2" } },
    "scopes that exclude each other": {
      "spec.scopes": ["BestEffort", "NotBestEffort", "Terminating", "NotTerminating"],
    },
    "unknown scope": { "spec.scopes": ["Unknown"] },
    "volume scope": {
      "spec.scopes": ["VolumeAttributesClass"],
      "spec.hard": { persistentvolumeclaims: "1" },
    },
    "selector of a fixed scope": {
      "spec.scopes": undefined,
      "spec.scopeSelector": {
        matchExpressions: [
          { scopeName: "BestEffort", operator: "In", values: ["a"] },
          { scopeName: "NotBestEffort", operator: "Exists", values: ["a"] },
          { scopeName: "PriorityClass", operator: "In" },
          { scopeName: "CrossNamespacePodAffinity", operator: "DoesNotExist" },
        ],
      },
    },
    "amounts of all kinds": {
      "spec.hard": {
        "requests.cpu": "1500m",
        services: "1.5",
        "count/a.b": "1",
        "count/": "1",
        "limits.hugepages-2Mi": "1Mi",
        "limits.example.com/gpu": "1",
        "requests.example.com/gpu": "500m",
        nonsense: "1",
      },
    },
  }),
  limitranges: extras("plain", "create", {
    "claims without storage": { "spec.limits[2]": { type: "PersistentVolumeClaim" } },
    "pods with defaults": {
      "spec.limits[1].default": { cpu: "1" },
      "spec.limits[1].defaultRequest": { cpu: "1" },
    },
    "types twice": { "spec.limits": [{ type: "Pod" }, { type: "Pod" }] },
    "least above most": { "spec.limits[0].min.cpu": "5" },
    "default below least": {
      "spec.limits[0].default.cpu": "1m",
      "spec.limits[0].defaultRequest.cpu": "1m",
    },
    "default above most": {
      "spec.limits[0].default.cpu": "9",
      "spec.limits[0].defaultRequest.cpu": "8",
    },
    "request above default": { "spec.limits[0].defaultRequest.cpu": "3" },
    "ratio below one": { "spec.limits[0].maxLimitRequestRatio.cpu": "500m" },
    "ratio above the possible": { "spec.limits[0].maxLimitRequestRatio.cpu": "900" },
    "extended defaults that differ": {
      'spec.limits[0].default["example.com/gpu"]': "2",
      'spec.limits[0].defaultRequest["example.com/gpu"]': "1",
    },
  }),
  nodes: [
    ...extras("bare", "create", {
      "pods to avoid": {
        'metadata.annotations["scheduler.alpha.kubernetes.io/preferAvoidPods"]': "{",
      },
      "pods to avoid without controller": {
        'metadata.annotations["scheduler.alpha.kubernetes.io/preferAvoidPods"]':
          '{"preferAvoidPods":[{"podSignature":{}}]}',
      },
      "addresses of one family": {
        "spec.podCIDRs": ["10.1.0.0/24", "10.2.0.0/24"],
        "spec.podCIDR": "10.1.0.0/24",
      },
      "three addresses": { "spec.podCIDRs": ["10.1.0.0/24", "fd00::/64", "10.2.0.0/24"] },
      "config source": { "spec.configSource": {} },
      "config map": {
        "spec.configSource.configMap": { uid: "u", resourceVersion: "1", kubeletConfigKey: "a/b" },
      },
      "taints twice": {
        "spec.taints": [
          { key: "a", effect: "NoSchedule" },
          { key: "a", effect: "NoSchedule" },
        ],
      },
      "features in disorder": { "status.declaredFeatures": ["b", "a", "a"] },
    }),
    ...extras("plain", "update", {
      "another network": { "spec.podCIDR": "10.9.0.0/24", "spec.podCIDRs": ["10.9.0.0/24"] },
      "another provider": { "spec.providerID": "cloud://2" },
      "another time of a taint": { "spec.taints[1].timeAdded": "2021-01-01T00:00:00Z" },
    }),
    ...extras("plain", "status", {
      "features in disorder": { "status.declaredFeatures": ["b", "a", "a"] },
      config: { "status.config": { assigned: { configMap: {} }, error: "x" } },
    }),
  ],
  persistentvolumes: [
    ...extras("host", "create", {
      "recycled root": {
        "spec.hostPath.path": "/",
        "spec.persistentVolumeReclaimPolicy": "Recycle",
      },
      "modes that exclude each other": {
        "spec.accessModes": ["ReadWriteOncePod", "ReadWriteOnce"],
      },
      "two sources": { "spec.nfs": { server: "a", path: "/b" } },
      "no source": { "spec.hostPath": undefined },
      "class of attributes without class": { "spec.volumeAttributesClassName": "" },
      "claim's affinity by annotation": {
        'metadata.annotations["volume.alpha.kubernetes.io/node-affinity"]': "{}",
      },
    }),
    ...extras("flex", "create", {
      "reserved option": { 'spec.flexVolume.options["kubernetes.io/x"]': "y" },
    }),
    ...extras("csi", "update", {
      "another driver": { "spec.csi.driver": "other.example.com" },
      "an expansion secret": {
        "spec.csi.controllerExpandSecretRef": { name: "x", namespace: "y" },
      },
      "no class of attributes": { "spec.volumeAttributesClassName": undefined },
      "more room": { "spec.capacity.storage": "9Gi" },
      phase: { "status.phase": "Available" },
    }),
  ],
  persistentvolumeclaims: [
    ...extras("plain", "create", {
      "modes that exclude each other": {
        "spec.accessModes": ["ReadWriteOncePod", "ReadWriteOnce"],
      },
      "class by annotation": {
        'metadata.annotations["volume.beta.kubernetes.io/storage-class"]': "other",
      },
      "both sources": {
        "spec.dataSource": { kind: "PersistentVolumeClaim", name: "a" },
        "spec.dataSourceRef": { kind: "PersistentVolumeClaim", name: "b" },
      },
      "source elsewhere": {
        "spec.dataSourceRef": { kind: "PersistentVolumeClaim", name: "b", namespace: "other" },
      },
      "source in no group": { "spec.dataSourceRef": { kind: "Thing", name: "b" } },
    }),
    ...extras("plain", "update", {
      "more room": { "spec.resources.requests.storage": "6Gi" },
      "less room": { "spec.resources.requests.storage": "4Gi" },
      "another limit": { "spec.resources.limits.storage": "20Gi" },
    }),
    ...extras("bound", "update", {
      "more room": { "spec.resources.requests.storage": "6Gi" },
      "less room": { "spec.resources.requests.storage": "4Gi" },
      "as much room, written otherwise": { "spec.resources.requests.storage": "5120Mi" },
      "another mode": { "spec.accessModes": ["ReadOnlyMany"] },
      "another volume": { "spec.volumeName": "volume-2" },
      "another class": { "spec.storageClassName": "slow" },
      "another class of attributes": { "spec.volumeAttributesClassName": "silver" },
      "no class of attributes": { "spec.volumeAttributesClassName": undefined },
      "empty class of attributes": { "spec.volumeAttributesClassName": "" },
    }),
    ...extras("bound", "status", {
      resizing: {
        "status.allocatedResources": { storage: "6Gi" },
        "status.allocatedResourceStatuses": { storage: "NodeResizePending" },
      },
      "less room": { "status.capacity.storage": "1Gi" },
    }),
    ...extras("snapshot", "update", {
      "another class of attributes": { "spec.volumeAttributesClassName": "silver" },
      "no class of attributes": { "spec.volumeAttributesClassName": undefined },
      "empty class of attributes": { "spec.volumeAttributesClassName": "" },
      "a volume": { "spec.volumeName": "volume-2" },
      "a storage class": { "spec.storageClassName": "fast" },
    }),
  ],
  secrets: extras("plain", "create", {
    "too large": { "stringData.large": "x".repeat(1_048_577) },
    "same key twice": { 'stringData["a.b"]': "other" },
  }),
  configmaps: extras("plain", "create", {
    "generated name": { "metadata.name": undefined, "metadata.generateName": "web-" },
    "bad generated name": { "metadata.name": undefined, "metadata.generateName": "Bad_" },
    "long generated name": { "metadata.name": undefined, "metadata.generateName": "a".repeat(260) },
    "labels as a list": { "metadata.labels": ["a"] },
    "label as a number": { "metadata.labels.app": 5 },
    "data as a text": { data: "x" },
    "metadata as a text": { metadata: "x" },
    "bytes as a number": { "binaryData.bytes": 1 },
    "immutable as a text": { immutable: "yes" },
    "time as a number": { "metadata.creationTimestamp": 5 },
    "owner as a text": { "metadata.ownerReferences[0]": "x" },
    "unknown field": { unknown: 1, "metadata.unknown": { a: 1 } },
    "another kind": { kind: "Secret" },
    "another version": { apiVersion: "v2" },
    "no kind": { kind: undefined },
    "no version": { apiVersion: undefined },
    "another namespace": { "metadata.namespace": "default" },
    "too large": { "data.large": "x".repeat(1_048_577) },
    "same key twice": { "data.bytes": "other" },
    "two controllers": { "metadata.ownerReferences[1].controller": true },
    "annotations too large": { "metadata.annotations.large": "x".repeat(262_145) },
    "bootstrap owner": {
      "metadata.ownerReferences[1]": { apiVersion: "v1", kind: "Event", name: "a", uid: "u" },
    },
  }),
  namespaces: [
    ...extras("plain", "finalize", {
      "bad finalizer": { "spec.finalizers": ["bad finalizer!"] },
      "no finalizer": { "spec.finalizers": [] },
      "short finalizer": { "spec.finalizers": ["short"] },
    }),
    ...extras("plain", "status", { terminating: { "status.phase": "Terminating" } }),
    ...extras("plain", "create", {
      "own name as a label": { 'metadata.labels["kubernetes.io/metadata.name"]': "x" },
    }),
  ],
};

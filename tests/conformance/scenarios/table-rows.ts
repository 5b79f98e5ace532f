/** What tables show of every kind: the samples, and objects with something to tell. */
import type { JsonObject } from "@homeostat/object-model";
import { get, patch, post, type Scenario, type Step, scenario } from "../scenario.ts";
import { clusterSamples, nameOfSample, namespacedSamples, sampleOf } from "./sample-objects.ts";
import {
  autoscalerSteps,
  BARE,
  jobSteps,
  podSteps,
  TABLE,
  workloadSteps,
} from "./table-workloads.ts";

export const tableRows: readonly Scenario[] = [
  ...[...Object.keys(namespacedSamples), ...Object.keys(clusterSamples)].map((resource) =>
    scenario(
      `row of ${resource}`,
      post(resource, sampleOf(resource)),
      get(`${resource}/${nameOfSample(resource)}`, { headers: TABLE }),
    ),
  ),
  scenario("rows of pods", ...podSteps(), get("pods", BARE)),
  scenario(
    "rows of services",
    ...Object.entries(SERVICES()).map(([name, spec]) =>
      post("services", { metadata: { name }, spec }),
    ),
    patch("services/balanced/status", [
      "merge",
      {
        status: { loadBalancer: { ingress: [{ ip: "192.0.2.9" }, { hostname: "b.example.com" }] } },
      },
    ]),
    get("services", BARE),
  ),
  scenario("rows of workloads", ...workloadSteps()),
  scenario("rows of jobs", ...jobSteps()),
  scenario("rows of volumes and claims", ...volumeSteps()),
  scenario("rows of nodes", ...nodeSteps()),
  scenario("rows of network kinds", ...networkSteps()),
  scenario("rows of autoscalers", ...autoscalerSteps()),
  scenario("rows of events", ...eventSteps()),
  scenario("rows of policies and bindings", ...policySteps()),
  scenario(
    "rows of signing requests",
    post("certificatesigningrequests", {
      ...sampleOf("certificatesigningrequests"),
      spec: {
        ...(sampleOf("certificatesigningrequests")["spec"] as JsonObject),
        expirationSeconds: 7200,
      },
    }),
    patch("certificatesigningrequests/${ns}-a/approval", [
      "merge",
      { status: { conditions: [{ type: "Approved", status: "True", reason: "R", message: "m" }] } },
    ]),
    get("certificatesigningrequests/${ns}-a", BARE),
  ),
  scenario(
    "rows of levels, schemas and quotas",
    post("prioritylevelconfigurations", {
      metadata: { name: "${ns}-q" },
      spec: {
        type: "Limited",
        limited: {
          limitResponse: {
            type: "Queue",
            queuing: { queues: 16, handSize: 4, queueLengthLimit: 9 },
          },
        },
      },
    }),
    get("prioritylevelconfigurations/${ns}-q", BARE),
    get("prioritylevelconfigurations/exempt", BARE),
    get("flowschemas", { ...BARE, query: { includeObject: "None", limit: "4" } }),
    post("resourcequotas", {
      metadata: { name: "q" },
      spec: { hard: { pods: "5", "limits.cpu": "4", "requests.memory": "1Gi" } },
    }),
    patch("resourcequotas/q/status", [
      "merge",
      {
        status: {
          hard: { pods: "5", "limits.cpu": "4", "requests.memory": "1Gi" },
          used: { pods: "2", "limits.cpu": "1500m" },
        },
      },
    ]),
    get("resourcequotas/q", BARE),
    get("apiservices", {
      headers: TABLE,
      query: { includeObject: "None", fieldSelector: "metadata.name=v1.apps" },
    }),
  ),
];

/** Addresses and ports are of those that no server gives to others before all the rest are taken. */
function SERVICES(): Record<string, JsonObject> {
  const ports = [{ port: 80 }];
  return {
    plain: { clusterIP: "None", selector: { b: "2", a: "1" }, ports },
    balanced: {
      type: "LoadBalancer",
      clusterIP: "10.0.0.14",
      externalIPs: ["192.0.2.1"],
      ports: [
        { name: "a", port: 80, nodePort: 30080 },
        { name: "b", port: 53, protocol: "UDP", nodePort: 30053 },
      ],
    },
    pending: {
      type: "LoadBalancer",
      clusterIP: "10.0.0.15",
      allocateLoadBalancerNodePorts: false,
      ports,
    },
    external: { clusterIP: "None", externalIPs: ["192.0.2.1", "192.0.2.2"], ports },
    named: { type: "ExternalName", externalName: "db.example.com" },
  };
}

function volumeSteps(): Step[] {
  return [
    post("persistentvolumes", {
      metadata: { name: "${ns}-v" },
      spec: {
        capacity: { storage: "1536Mi" },
        accessModes: ["ReadWriteMany", "ReadWriteOnce"],
        storageClassName: "fast",
        claimRef: { namespace: "${ns}", name: "c" },
        volumeMode: "Block",
        hostPath: { path: "/data" },
      },
    }),
    patch("persistentvolumes/${ns}-v/status", [
      "merge",
      { status: { phase: "Bound", reason: "Why" } },
    ]),
    get("persistentvolumes/${ns}-v", BARE),
    post("persistentvolumeclaims", {
      metadata: { name: "c", annotations: { "volume.beta.kubernetes.io/storage-class": "old" } },
      spec: {
        accessModes: ["ReadWriteOnce"],
        volumeName: "v",
        resources: { requests: { storage: "1Gi" } },
      },
    }),
    patch("persistentvolumeclaims/c/status", [
      "merge",
      {
        status: {
          phase: "Bound",
          capacity: { storage: "2Gi" },
          accessModes: ["ReadWriteOnce", "ReadOnlyMany"],
        },
      },
    ]),
    get("persistentvolumeclaims/c", BARE),
    post("storageclasses", {
      metadata: {
        name: "${ns}-s",
        annotations: { "storageclass.beta.kubernetes.io/is-default-class": "true" },
      },
      provisioner: "example.com/disk",
      reclaimPolicy: "Retain",
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
    }),
    get("storageclasses/${ns}-s", BARE),
    post("csidrivers", {
      metadata: { name: "${ns}-d" },
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        storageCapacity: true,
        volumeLifecycleModes: ["Persistent", "Ephemeral"],
        tokenRequests: [{ audience: "a" }, { audience: "b" }],
        requiresRepublish: true,
      },
    }),
    get("csidrivers/${ns}-d", BARE),
    post("csinodes", {
      metadata: { name: "${ns}-n" },
      spec: { drivers: [{ name: "d.example.com", nodeID: "n", topologyKeys: [] }] },
    }),
    get("csinodes/${ns}-n", BARE),
  ];
}

function nodeSteps(): Step[] {
  return [
    post("nodes", {
      metadata: {
        name: "${ns}-n",
        labels: {
          "node-role.kubernetes.io/worker": "",
          "node-role.kubernetes.io/control-plane": "",
          "kubernetes.io/role": "extra",
        },
      },
      spec: { unschedulable: true },
    }),
    patch("nodes/${ns}-n/status", [
      "merge",
      {
        status: {
          conditions: [{ type: "Ready", status: "False" }],
          addresses: [
            { type: "ExternalIP", address: "192.0.2.5" },
            { type: "InternalIP", address: "10.1.1.5" },
          ],
          nodeInfo: {
            machineID: "",
            systemUUID: "",
            bootID: "",
            kernelVersion: "6.1",
            osImage: "Linux",
            containerRuntimeVersion: "containerd://2.0",
            kubeletVersion: "v1.36.3",
            kubeProxyVersion: "",
            operatingSystem: "linux",
            architecture: "amd64",
          },
        },
      },
    ]),
    get("nodes/${ns}-n", BARE),
    patch("nodes/${ns}-n/status", [
      "merge",
      { status: { conditions: [{ type: "Ready", status: "True" }] } },
    ]),
    get("nodes/${ns}-n/status", BARE),
  ];
}

function networkSteps(): Step[] {
  const rule = (host?: string): JsonObject => ({
    ...(host !== undefined && { host }),
    http: {
      paths: [
        {
          path: "/",
          pathType: "Prefix",
          backend: { service: { name: "s", port: { number: 80 } } },
        },
      ],
    },
  });
  return [
    post("ingresses", {
      metadata: { name: "i" },
      spec: {
        ingressClassName: "nginx",
        tls: [{ hosts: ["a.example.com"] }],
        rules: [
          rule("a.example.com"),
          rule(),
          rule("b.example.com"),
          rule("c.example.com"),
          rule("d.example.com"),
        ],
      },
    }),
    patch("ingresses/i/status", [
      "merge",
      {
        status: { loadBalancer: { ingress: [{ hostname: "z.example.com" }, { ip: "192.0.2.3" }] } },
      },
    ]),
    get("ingresses/i", BARE),
    post("ingressclasses", {
      metadata: {
        name: "${ns}-c",
        annotations: { "ingressclass.kubernetes.io/is-default-class": "true" },
      },
      spec: {
        controller: "example.com/c",
        parameters: { apiGroup: "k8s.example.com", kind: "Params", name: "p" },
      },
    }),
    get("ingressclasses/${ns}-c", BARE),
    post("networkpolicies", {
      metadata: { name: "p" },
      spec: { podSelector: { matchExpressions: [{ key: "a", operator: "Exists" }] } },
    }),
    get("networkpolicies/p", BARE),
    post("endpoints", {
      metadata: { name: "e" },
      subsets: [
        {
          addresses: [{ ip: "10.1.2.3" }, { ip: "10.1.2.4" }],
          ports: [
            { name: "a", port: 80 },
            { name: "b", port: 81 },
          ],
        },
        { addresses: [{ ip: "2001:db8::1" }], ports: [{ name: "c", port: 82 }] },
      ],
    }),
    get("endpoints/e", BARE),
    post("endpointslices", {
      metadata: { name: "e" },
      addressType: "IPv4",
      endpoints: [
        { addresses: ["10.1.2.3"] },
        { addresses: ["10.1.2.4"] },
        { addresses: ["10.1.2.5"] },
        { addresses: ["10.1.2.6"] },
      ],
      ports: [{ name: "http" }, { name: "dns", port: 53, protocol: "UDP" }],
    }),
    post("endpointslices", { metadata: { name: "none" }, addressType: "IPv6", endpoints: [] }),
    get("endpointslices", BARE),
  ];
}

function eventSteps(): Step[] {
  return [
    post("events", {
      metadata: { name: "a" },
      involvedObject: {
        kind: "Pod",
        name: "web",
        namespace: "${ns}",
        fieldPath: "spec.containers{c}",
      },
      reason: "Pulled",
      message: "  pulled an image \n",
      type: "Normal",
      source: { component: "kubelet", host: "n1" },
      firstTimestamp: "2020-01-02T03:04:05Z",
      lastTimestamp: "2021-01-02T03:04:05Z",
      count: 7,
    }),
    post("events", {
      metadata: { name: "b" },
      involvedObject: { kind: "Node", namespace: "${ns}" },
      reason: "Odd",
      type: "Warning",
    }),
    post("events.events.k8s.io", {
      ...sampleOf("events.events.k8s.io"),
      metadata: { name: "c" },
      note: "noted",
      series: { count: 4, lastObservedTime: "2020-05-06T07:08:09.123456Z" },
    }),
    get("events", BARE),
    get("events.events.k8s.io/c", BARE),
  ];
}

function policySteps(): Step[] {
  const binding = (name: string, paramRef: JsonObject): Step[] => [
    post("validatingadmissionpolicybindings", {
      metadata: { name: `\${ns}-${name}` },
      spec: { policyName: "none", validationActions: ["Deny"], paramRef },
    }),
    get(`validatingadmissionpolicybindings/\${ns}-${name}`, BARE),
  ];
  return [
    post("poddisruptionbudgets", {
      metadata: { name: "p" },
      spec: { maxUnavailable: "30%", selector: { matchLabels: { app: "a" } } },
    }),
    patch("poddisruptionbudgets/p/status", ["merge", { status: { disruptionsAllowed: 2 } }]),
    get("poddisruptionbudgets/p", BARE),
    ...binding("named", { name: "p", parameterNotFoundAction: "Deny" }),
    ...binding("placed", { name: "p", namespace: "x", parameterNotFoundAction: "Deny" }),
    ...binding("chosen", {
      selector: {
        matchLabels: { b: "2", a: "1" },
        matchExpressions: [{ key: "k", operator: "In", values: ["v", "w"] }],
      },
      parameterNotFoundAction: "Allow",
    }),
    post("rolebindings", {
      metadata: { name: "r" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
      subjects: [
        { kind: "User", name: "u1" },
        { kind: "User", name: "u2" },
        { kind: "Group", name: "g" },
        { kind: "ServiceAccount", name: "s", namespace: "x" },
      ],
    }),
    get("rolebindings/r", BARE),
    post("resourceclaims", sampleOf("resourceclaims")),
    get("resourceclaims/a", BARE),
  ];
}

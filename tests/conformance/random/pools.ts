/** What random requests are made of: small pools, so that requests meet the same objects again. */
import type { JsonObject, JsonValue } from "@homeostat/object-model";

/** Resources and changes that make sense for them; `null` removes. */
export const resources: Readonly<Record<string, readonly JsonObject[]>> = {
  configmaps: [
    { data: { k: "1" } },
    { data: { k: "2", constructor: "c" } },
    { data: null },
    { immutable: true },
    { binaryData: { b: "AAEC" } },
    { data: { "bad key": "v" } },
  ],
  secrets: [
    { stringData: { s: "one" } },
    { data: { s: "dHdv" } },
    { data: null },
    { type: "example.com/other" },
    { immutable: true },
  ],
  serviceaccounts: [
    { automountServiceAccountToken: false },
    { imagePullSecrets: [{ name: "pull" }] },
    { secrets: [{ name: "s" }] },
  ],
  pods: [
    { spec: { activeDeadlineSeconds: 100 } },
    { spec: { nodeName: "n1" } },
    { spec: { restartPolicy: "Never" } },
    { spec: { tolerations: [{ key: "k", operator: "Exists" }] } },
    { status: { phase: "Running" } },
    { spec: { terminationGracePeriodSeconds: 3 } },
  ],
  deployments: [
    { spec: { replicas: 2 } },
    { spec: { replicas: 0 } },
    { spec: { replicas: -1 } },
    { spec: { paused: true } },
    { spec: { strategy: { type: "Recreate", rollingUpdate: null } } },
    { spec: { selector: { matchLabels: { app: "other" } } } },
    { status: { replicas: 5 } },
  ],
  replicasets: [
    { spec: { replicas: 3 } },
    { spec: { minReadySeconds: 5 } },
    { status: { replicas: 1 } },
  ],
  jobs: [
    { spec: { parallelism: 2 } },
    { spec: { suspend: true } },
    { spec: { ttlSecondsAfterFinished: 60 } },
    { status: { active: 1 } },
  ],
  services: [
    { spec: { selector: { app: "b" } } },
    { spec: { sessionAffinity: "ClientIP" } },
    { spec: { publishNotReadyAddresses: true } },
    { spec: { type: "ExternalName", externalName: "x.example.com" } },
  ],
  leases: [
    { spec: { holderIdentity: "me" } },
    { spec: { renewTime: "2021-02-03T04:05:06.5Z" } },
    { spec: { leaseDurationSeconds: 0 } },
    { spec: { leaseTransitions: 2 } },
  ],
  roles: [
    { rules: [{ apiGroups: ["apps"], resources: ["deployments"], verbs: ["*"] }] },
    { rules: [] },
    { rules: null },
  ],
  endpoints: [
    { subsets: null },
    { subsets: [{ addresses: [{ ip: "10.3.2.1" }], ports: [{ port: 1 }] }] },
  ],
  persistentvolumeclaims: [
    { spec: { storageClassName: "fast" } },
    { spec: { resources: { requests: { storage: "2048Mi" } } } },
    { status: { phase: "Bound" } },
  ],
  horizontalpodautoscalers: [
    { spec: { minReplicas: 2 } },
    { spec: { maxReplicas: 9 } },
    { spec: { maxReplicas: 0 } },
  ],
  poddisruptionbudgets: [
    { spec: { minAvailable: "50%" } },
    { spec: { minAvailable: null, maxUnavailable: 1 } },
  ],
  resourcequotas: [{ spec: { hard: { pods: "5" } } }, { spec: { hard: { cpu: "1000m" } } }],
  priorityclasses: [{ description: "new" }, { value: 5 }, { globalDefault: true }],
  storageclasses: [{ allowVolumeExpansion: true }, { provisioner: "example.com/other" }],
  runtimeclasses: [{ handler: "kata" }, { overhead: { podFixed: { cpu: "0.25" } } }],
};

/** What managers apply of kinds with lists that are maps, and with fields that get a default. */
export const configurations: Readonly<Record<string, readonly JsonObject[]>> = {
  configmaps: [
    { data: { k: "1" } },
    { data: { k: "2", l: "2" } },
    { data: { l: "3", constructor: "c" } },
    { binaryData: { b: "AAEC" } },
    { immutable: false },
    {},
  ],
  deployments: [
    { spec: { replicas: 2 } },
    { spec: { replicas: 1, paused: true } },
    { spec: { strategy: { type: "Recreate" } } },
    { spec: { strategy: { rollingUpdate: { maxSurge: 1 } } } },
    podChange({ env: [{ name: "A", value: "1" }] }),
    podChange({
      env: [
        { name: "B", value: "2" },
        { name: "A", value: "2" },
      ],
    }),
    podChange({ ports: [{ containerPort: 80 }, { containerPort: 80, protocol: "UDP" }] }),
    podChange({ ports: [{ containerPort: 80, name: "http" }, { containerPort: 81 }] }),
    podChange({ image: "registry.example/app:2", args: ["x", "y"] }),
    podChange({ resources: { requests: { cpu: "1000m" }, limits: { cpu: "1" } } }),
    podChange({ resources: { requests: { cpu: 1 } } }),
    { spec: { template: { metadata: { labels: { app: "a", more: "m" } } } } },
    {
      spec: { template: { spec: { nodeSelector: { a: "b" }, terminationGracePeriodSeconds: 5 } } },
    },
    { spec: { selector: { matchLabels: { app: "b" } } } },
    { spec: { unknown: 1 } },
    { status: { conditions: [{ type: "Available", status: "True" }], replicas: 1 } },
    { status: { conditions: [{ type: "Progressing", status: "False" }], observedGeneration: 1 } },
  ],
  services: [
    { spec: { selector: { app: "b" } } },
    { spec: { selector: { more: "m" } } },
    { spec: { ports: [{ port: 80, name: "http" }] } },
    {
      spec: {
        ports: [
          { port: 80, name: "a", targetPort: "web" },
          { port: 80, name: "b", protocol: "UDP" },
        ],
      },
    },
    { spec: { ports: [{ port: 81, name: "c", targetPort: 8080 }] } },
    { spec: { clusterIP: "None", sessionAffinity: "None" } },
    { spec: { externalIPs: ["1.2.3.4", "1.2.3.5"] } },
    { status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } } },
    { status: { conditions: [{ type: "Good", status: "True", reason: "R", message: "" }] } },
  ],
  pods: [
    { spec: { activeDeadlineSeconds: 100 } },
    { spec: { tolerations: [{ key: "k", operator: "Exists" }] } },
    { spec: { containers: [{ name: "main", image: "registry.example/app:2" }] } },
    { spec: { containers: [{ name: "main", ports: [{ containerPort: 80 }] }] } },
    { spec: { hostAliases: [{ ip: "1.2.3.4", hostnames: ["h"] }] } },
    { spec: { nodeSelector: { a: "b" } } },
    { status: { phase: "Running" } },
    { status: { conditions: [{ type: "Ready", status: "True" }] } },
    { status: { conditions: [{ type: "Other", status: "False" }], podIPs: [{ ip: "1.2.3.4" }] } },
  ],
};

function podChange(container: JsonObject): JsonObject {
  return { spec: { template: { spec: { containers: [{ name: "main", ...container }] } } } };
}

export const metadataChanges: readonly JsonObject[] = [
  { labels: { tier: "one" } },
  { labels: { tier: "two", "x.io/y": "" } },
  { labels: null },
  { labels: { "bad label!": "x" } },
  { annotations: { note: "é😀" } },
  { annotations: { note: null, constructor: "c" } },
  { finalizers: ["example.com/hold"] },
  { finalizers: ["example.com/hold", "example.com/more"] },
  { finalizers: null },
  { finalizers: ["unqualified"] },
  { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u-1" }] },
  { ownerReferences: [{ apiVersion: "v1", kind: "", name: "p", uid: "" }] },
  { generation: 12 },
  { deletionTimestamp: "2020-01-01T00:00:00Z" },
  { creationTimestamp: null },
  { name: "other" },
  { namespace: "elsewhere" },
  { uid: "11111111-2222-3333-4444-555555555555" },
  { resourceVersion: "1" },
  { resourceVersion: "abc" },
  { unknownField: 1 },
  { managedFields: [{}] },
  { managedFields: [] },
];

/** Few enough that none of them is ever merged with others for being old. */
export const managers: readonly string[] = ["one", "two", "three", "kubectl"];

export const deleteOptions: readonly (JsonObject | undefined)[] = [
  undefined,
  undefined,
  {},
  { propagationPolicy: "Foreground" },
  { propagationPolicy: "Orphan" },
  { propagationPolicy: "Background" },
  { propagationPolicy: "Nowhere" },
  { gracePeriodSeconds: 0 },
  { gracePeriodSeconds: 7 },
  { dryRun: ["All"] },
  { preconditions: { uid: "wrong" } },
  { preconditions: { resourceVersion: "1" } },
  { orphanDependents: true },
];

export const labelSelectors: readonly string[] = [
  "tier=one",
  "tier",
  "!tier",
  "tier in (one,two)",
  "tier!=one",
  "x.io/y=",
  "tier=one,x.io/y",
  "bad selector!",
];

export const fieldSelectors: readonly string[] = [
  "metadata.name=a",
  "metadata.name!=a",
  "metadata.namespace=${ns}",
  "metadata.name=a,metadata.name=b",
  "status.phase=Running",
  "spec.nodeName=",
  "type=Opaque",
  "nothing.here=x",
  "metadata.name",
];

/** Of custom resources; not all of them have all of the fields. */
export const customFieldSelectors: readonly string[] = [
  "metadata.name=a",
  "spec.color=red",
  "spec.color!=red",
  "spec.size=1",
  "spec.size=",
  "spec.color=blue,spec.size!=2",
  "spec.parent=p",
  "spec.replicas=1",
  "metadata.namespace!=${ns}",
];

export const wrongValues: readonly JsonValue[] = [
  null,
  "",
  "text",
  5,
  -1,
  1.5,
  true,
  [],
  {},
  ["x"],
  { a: "b" },
];

export const acceptHeaders: readonly string[] = [
  "application/json",
  "*/*",
  "text/html",
  "application/xml,*/*;q=0.5",
];

export const contentTypes: readonly string[] = [
  "application/json",
  "text/plain",
  "application/merge-patch+json",
  "application/json-patch+json",
  "application/strategic-merge-patch+json",
];

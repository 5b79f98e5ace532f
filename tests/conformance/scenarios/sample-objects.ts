/**
 * One small valid object of every kind that can be created, by resource name. `${ns}` makes names
 * unique. FlowSchemas and CustomResourceDefinitions are not here: kube-apiserver writes their status
 * by itself, some time later.
 */
import type { JsonObject } from "@homeostat/object-model";

const container = { name: "main", image: "registry.example/app:1" };
const template = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [container] },
};
const selector = { matchLabels: { app: "a" } };
const jobSpec = { template: { spec: { restartPolicy: "Never", containers: [container] } } };

/** In the scenario's namespace, all called `a`. */
export const namespacedSamples: Readonly<Record<string, JsonObject>> = {
  configmaps: { metadata: { name: "a" }, data: { key: "value" } },
  secrets: { metadata: { name: "a" }, stringData: { user: "admin" } },
  serviceaccounts: { metadata: { name: "a" } },
  pods: { metadata: { name: "a" }, spec: { containers: [container] } },
  podtemplates: { metadata: { name: "a" }, template },
  replicationcontrollers: { metadata: { name: "a" }, spec: { selector: { app: "a" }, template } },
  services: {
    metadata: { name: "a" },
    spec: { selector: { app: "a" }, ports: [{ port: 80 }], clusterIP: "None" },
  },
  endpoints: {
    metadata: { name: "a" },
    subsets: [{ addresses: [{ ip: "10.1.2.3" }], ports: [{ port: 80 }] }],
  },
  persistentvolumeclaims: {
    metadata: { name: "a" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  },
  limitranges: {
    metadata: { name: "a" },
    spec: { limits: [{ type: "Container", default: { cpu: "500m" }, max: { cpu: "1" } }] },
  },
  resourcequotas: { metadata: { name: "a" }, spec: { hard: { pods: "10", "requests.cpu": "4" } } },
  events: {
    metadata: { name: "a" },
    involvedObject: { kind: "Pod", name: "a", namespace: "${ns}" },
    reason: "Tested",
    message: "it was tested",
    type: "Normal",
  },
  "events.events.k8s.io": {
    metadata: { name: "a" },
    eventTime: "2020-05-06T07:08:09.123456Z",
    reportingController: "example.com/judge",
    reportingInstance: "judge-1",
    action: "Testing",
    reason: "Tested",
    type: "Normal",
    regarding: { kind: "Pod", name: "a", namespace: "${ns}" },
  },
  deployments: { metadata: { name: "a" }, spec: { selector, template } },
  replicasets: { metadata: { name: "a" }, spec: { selector, template } },
  statefulsets: { metadata: { name: "a" }, spec: { serviceName: "a", selector, template } },
  daemonsets: { metadata: { name: "a" }, spec: { selector, template } },
  controllerrevisions: { metadata: { name: "a" }, revision: 3, data: { spec: { b: 1, a: [2] } } },
  jobs: { metadata: { name: "a" }, spec: jobSpec },
  cronjobs: {
    metadata: { name: "a" },
    spec: { schedule: "*/5 * * * *", jobTemplate: { spec: jobSpec } },
  },
  horizontalpodautoscalers: {
    metadata: { name: "a" },
    spec: {
      maxReplicas: 3,
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
    },
  },
  leases: {
    metadata: { name: "a" },
    spec: {
      holderIdentity: "me",
      leaseDurationSeconds: 15,
      renewTime: "2020-05-06T07:08:09.123456Z",
    },
  },
  endpointslices: {
    metadata: { name: "a" },
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.1.2.3"] }],
    ports: [{ name: "http", port: 80 }],
  },
  ingresses: {
    metadata: { name: "a" },
    spec: { defaultBackend: { service: { name: "a", port: { number: 80 } } } },
  },
  networkpolicies: { metadata: { name: "a" }, spec: { podSelector: {} } },
  poddisruptionbudgets: { metadata: { name: "a" }, spec: { minAvailable: 1, selector } },
  roles: {
    metadata: { name: "a" },
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  },
  rolebindings: {
    metadata: { name: "a" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "a" },
    subjects: [{ kind: "ServiceAccount", name: "a", namespace: "${ns}" }],
  },
  csistoragecapacities: {
    metadata: { name: "a" },
    storageClassName: "fast",
    capacity: "10Gi",
    nodeTopology: {},
  },
  resourceclaims: {
    metadata: { name: "a" },
    spec: { devices: { requests: [{ name: "r", exactly: { deviceClassName: "gpu" } }] } },
  },
  resourceclaimtemplates: {
    metadata: { name: "a" },
    spec: {
      spec: { devices: { requests: [{ name: "r", exactly: { deviceClassName: "gpu" } }] } },
    },
  },
};

/** Cluster wide, all called `${ns}`, so that nobody else has them. */
export const clusterSamples: Readonly<Record<string, JsonObject>> = {
  namespaces: { metadata: { name: "${ns}-a" } },
  nodes: { metadata: { name: "${ns}-a" }, spec: { podCIDR: "10.9.0.0/24" } },
  persistentvolumes: {
    metadata: { name: "${ns}-a" },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      hostPath: { path: "/data" },
    },
  },
  clusterroles: {
    metadata: { name: "${ns}-a" },
    rules: [{ nonResourceURLs: ["/healthz"], verbs: ["get"] }],
  },
  clusterrolebindings: {
    metadata: { name: "${ns}-a" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
    subjects: [{ kind: "User", name: "jane" }],
  },
  priorityclasses: { metadata: { name: "${ns}-a" }, value: 1000, description: "example" },
  runtimeclasses: { metadata: { name: "${ns}-a" }, handler: "runc" },
  storageclasses: { metadata: { name: "${ns}-a" }, provisioner: "example.com/disk" },
  volumeattachments: {
    metadata: { name: "${ns}-a" },
    spec: { attacher: "example.com", nodeName: "n", source: { persistentVolumeName: "pv" } },
  },
  csidrivers: { metadata: { name: "${ns}-a" }, spec: {} },
  csinodes: { metadata: { name: "${ns}-a" }, spec: { drivers: [] } },
  volumeattributesclasses: {
    metadata: { name: "${ns}-a" },
    driverName: "example.com",
    parameters: { iops: "10" },
  },
  ingressclasses: { metadata: { name: "${ns}-a" }, spec: { controller: "example.com/ingress" } },
  servicecidrs: { metadata: { name: "${ns}-a" }, spec: { cidrs: ["10.77.0.0/24"] } },
  ipaddresses: {
    metadata: { name: "192.0.2.77" },
    spec: {
      parentRef: { group: "", resource: "services", namespace: "default", name: "a" },
    },
  },
  prioritylevelconfigurations: {
    metadata: { name: "${ns}-a" },
    spec: {
      type: "Limited",
      limited: { nominalConcurrencyShares: 5, limitResponse: { type: "Reject" } },
    },
  },
  certificatesigningrequests: {
    metadata: { name: "${ns}-a" },
    spec: {
      // A real request of the subject CN=jane, EC P-256.
      request:
        "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISU1IRUNBUUF3RHpFTk1Bc0dBMVVFQXd3RWFtRnVaVEJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSApBMElBQkhRR29jRDNmZlJHWnRtUWc1YUlTR0w1eUlIQktlbU45OEhLNjk4anMzR2QyQWhXcFA0NjhwSEtYeUcxCnh3U1hoWGUyMlZpbTd3YWpjYW5PZW9RWTBUYWdBREFLQmdncWhrak9QUVFEQWdOSEFEQkVBaUFsOGtLWnRjaEYKSXZDeC9ralY3RXN6TmZhemJIMDcxN3YzSURQVmlUWkJrd0lnSk5UOGRRcEx3dnl0c2k2OXh6WFQ1dSt3Q0VYQwpJMTdjczRaZG1rQ3Y2aWc9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=",
      signerName: "example.com/signer",
      usages: ["client auth"],
    },
  },
  mutatingwebhookconfigurations: { metadata: { name: "${ns}-a" }, webhooks: [] },
  validatingwebhookconfigurations: {
    metadata: { name: "${ns}-a" },
    webhooks: [
      {
        name: "check.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { url: "https://192.0.2.1/check" },
      },
    ],
  },
  validatingadmissionpolicies: {
    metadata: { name: "${ns}-a" },
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ["example.com"],
            apiVersions: ["v1"],
            operations: ["CREATE"],
            resources: ["things"],
          },
        ],
      },
      validations: [{ expression: "object.spec.replicas <= 5" }],
    },
  },
  validatingadmissionpolicybindings: {
    metadata: { name: "${ns}-a" },
    spec: { policyName: "none", validationActions: ["Deny"] },
  },
  deviceclasses: { metadata: { name: "${ns}-a" }, spec: {} },
  resourceslices: {
    metadata: { name: "${ns}-a" },
    spec: {
      driver: "example.com",
      nodeName: "n",
      pool: { name: "p", resourceSliceCount: 1, generation: 1 },
      devices: [{ name: "d0" }],
    },
  },
};

export function sampleOf(resource: string): JsonObject {
  const found = namespacedSamples[resource] ?? clusterSamples[resource];
  if (found === undefined) throw new Error(`There is no sample of ${resource}`);
  return found;
}

export function nameOfSample(resource: string): string {
  return (sampleOf(resource) as { metadata: { name: string } }).metadata.name;
}

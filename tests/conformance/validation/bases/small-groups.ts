/** The groups of one or two small kinds. */
import type { APIService } from "@homeostat/object-model/apiregistration-v1";
import type { CertificateSigningRequest } from "@homeostat/object-model/certificates-v1";
import type { Lease } from "@homeostat/object-model/coordination-v1";
import type { EndpointSlice } from "@homeostat/object-model/discovery-v1";
import type { Event } from "@homeostat/object-model/events-v1";
import type { RuntimeClass } from "@homeostat/object-model/node-v1";
import type { PodDisruptionBudget } from "@homeostat/object-model/policy-v1";
import type { PriorityClass } from "@homeostat/object-model/scheduling-v1";
import type { ProbedKind, Variants } from "../probe.ts";

const time = "2020-01-01T00:00:00Z";
const microTime = "2020-01-01T00:00:00.000000Z";
const reference = {
  apiVersion: "v1",
  kind: "Pod",
  namespace: "probes",
  name: "some",
  uid: "11111111-2222-3333-4444-555555555555",
};
const condition = {
  type: "Ready",
  status: "True",
  lastTransitionTime: time,
  reason: "Because",
  message: "x",
};

const apiServices = {
  local: {
    metadata: { name: "v1.local.example.com" },
    spec: {
      group: "local.example.com",
      version: "v1",
      groupPriorityMinimum: 100,
      versionPriority: 10,
    },
  },
  remote: {
    metadata: { name: "v1.remote.example.com" },
    spec: {
      group: "remote.example.com",
      version: "v1",
      groupPriorityMinimum: 100,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: "probes", name: "api", port: 8443 },
    },
    status: { conditions: [{ ...condition, type: "Available" }] },
  },
} satisfies Variants<APIService>;

const request =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIYk1JR0JBZ0VBTUI4eERUQUxCZ05WQkFv" +
  "TUJIUmxZVzB4RGpBTUJnTlZCQU1NQldGc2FXTmxNRmt3RXdZSApLb1pJemowQ0FRWUlLb1pJemowREFRY0RR" +
  "Z0FFcXB2MGRCMDVJWmd1SzBVWWgrMUN0MVVLOW1BSUZpNEJHUVhRCm1mbDN2a21nRVdlaGplMzZCWUF0dUpK" +
  "NllrenJHM1VtQlNRTm5ibjFITFNzYzhTRnlxQUFNQW9HQ0NxR1NNNDkKQkFNQ0Ewa0FNRVlDSVFEN0tFREt5" +
  "bE1pUE1wTFExOEcwbldHdUY1dTdqZ3VKb0xpeWJSMHc5UFlQUUloQU12Rgo5dGI1TkttallsaG5RMng3ejV5" +
  "clVaUFNEb1J4bkdwZGVQby8ydlNoCi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=";
const certificate =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJiakNDQVJPZ0F3SUJBZ0lVSlNsMDJMRTZmN1hVTkVq" +
  "ZEU5akFMYWxTM1Bvd0NnWUlLb1pJemowRUF3SXcKRERFS01BZ0dBMVVFQXd3QllUQWVGdzB5TmpFeE1UWXdN" +
  "alU1TWpKYUZ3MHpOakV4TVRNd01qVTVNakphTUF3eApDakFJQmdOVkJBTU1BV0V3V1RBVEJnY3Foa2pPUFFJ" +
  "QkJnZ3Foa2pPUFFNQkJ3TkNBQVE3TURYL2l5dUhqblp4CmNkTkpEaU5oOXp0N1RhdWFXTm1WT3o3TmQ0Q2Zx" +
  "NnowSXA3NlRLS2JnSXE1YzN4NGRBd3N5eEtwajB0SjMxdmgKWEhoSVE4YVlvMU13VVRBZEJnTlZIUTRFRmdR" +
  "VUJlM1p0ckYwajVEZWxPeFBWUllXbjhhMi9uQXdId1lEVlIwagpCQmd3Rm9BVUJlM1p0ckYwajVEZWxPeFBW" +
  "UllXbjhhMi9uQXdEd1lEVlIwVEFRSC9CQVV3QXdFQi96QUtCZ2dxCmhrak9QUVFEQWdOSkFEQkdBaUVBenQx" +
  "bWlReUJveFViZUJEY0kwREZjNjJIK29rb09pOGZoMjlKbE9HUWNQZ0MKSVFDbWRLWkJJQmx6ekQxeUp3VDN3" +
  "TFFyT01vems0dFE3TUtuYVpDSnNxS012QT09Ci0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K";

const signingRequests = {
  plain: {
    spec: {
      request,
      signerName: "example.com/signer",
      expirationSeconds: 3600,
      usages: ["digital signature", "client auth"],
    },
    status: {
      certificate,
      conditions: [{ ...condition, type: "example.com/Done", lastUpdateTime: time }],
    },
  },
  client: {
    spec: {
      request,
      signerName: "kubernetes.io/kube-apiserver-client",
      usages: ["client auth"],
    },
  },
} satisfies Variants<CertificateSigningRequest>;

const leases = {
  plain: {
    spec: {
      holderIdentity: "me",
      leaseDurationSeconds: 15,
      acquireTime: microTime,
      renewTime: microTime,
      leaseTransitions: 1,
    },
  },
  empty: {},
} satisfies Variants<Lease>;

const slices = {
  plain: {
    addressType: "IPv4",
    endpoints: [
      {
        addresses: ["10.1.2.3"],
        conditions: { ready: true, serving: true, terminating: false },
        hostname: "web-0",
        targetRef: reference,
        nodeName: "node-1",
        zone: "a",
        hints: { forZones: [{ name: "a" }], forNodes: [{ name: "node-1" }] },
        deprecatedTopology: { "example.com/rack": "1" },
      },
      { addresses: ["10.1.2.4"] },
    ],
    ports: [
      { name: "http", protocol: "TCP", port: 80, appProtocol: "http" },
      { name: "", port: 53, protocol: "UDP" },
    ],
  },
  six: { addressType: "IPv6", endpoints: [{ addresses: ["fd00::5"] }], ports: [{ port: 80 }] },
  names: { addressType: "FQDN", endpoints: [{ addresses: ["web.example.com"] }] },
} satisfies Variants<EndpointSlice>;

const events = {
  plain: {
    eventTime: microTime,
    series: { count: 2, lastObservedTime: microTime },
    reportingController: "example.com/controller",
    reportingInstance: "one",
    action: "Start",
    reason: "Started",
    regarding: reference,
    related: { ...reference, name: "other" },
    note: "It started",
    type: "Normal",
  },
  single: {
    eventTime: microTime,
    reportingController: "example.com/controller",
    reportingInstance: "one",
    action: "Start",
    reason: "Started",
    regarding: reference,
    type: "Warning",
  },
} satisfies Variants<Event>;

const runtimeClasses = {
  plain: {
    handler: "sandbox",
    overhead: { podFixed: { cpu: "10m", memory: "10Mi" } },
    scheduling: {
      nodeSelector: { sandbox: "true" },
      tolerations: [
        { key: "a", operator: "Equal", value: "b", effect: "NoExecute", tolerationSeconds: 30 },
        { operator: "Exists" },
      ],
    },
  },
} satisfies Variants<RuntimeClass>;

const budgets = {
  least: {
    spec: {
      minAvailable: 1,
      selector: {
        matchLabels: { app: "web" },
        matchExpressions: [{ key: "tier", operator: "In", values: ["a"] }],
      },
      unhealthyPodEvictionPolicy: "AlwaysAllow",
    },
    status: {
      observedGeneration: 1,
      disruptedPods: { web: time },
      disruptionsAllowed: 1,
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 2,
      conditions: [{ ...condition, observedGeneration: 1, type: "DisruptionAllowed" }],
    },
  },
  most: { spec: { maxUnavailable: "50%", selector: {} } },
} satisfies Variants<PodDisruptionBudget>;

const priorityClasses = {
  plain: {
    value: 1000,
    globalDefault: false,
    description: "High",
    preemptionPolicy: "Never",
  },
} satisfies Variants<PriorityClass>;

function kind(group: string, plural: string, variants: ProbedKind["variants"]): ProbedKind {
  return { name: plural, group, version: "v1", plural, variants };
}

export const smallKinds: readonly ProbedKind[] = [
  kind("apiregistration.k8s.io", "apiservices", apiServices),
  { ...kind("events.k8s.io", "events", events), name: "events.events.k8s.io" },
  kind("certificates.k8s.io", "certificatesigningrequests", signingRequests),
  kind("policy", "poddisruptionbudgets", budgets),
  kind("scheduling.k8s.io", "priorityclasses", priorityClasses),
  kind("coordination.k8s.io", "leases", leases),
  kind("node.k8s.io", "runtimeclasses", runtimeClasses),
  kind("discovery.k8s.io", "endpointslices", slices),
];

import type {
  Binding,
  ConfigMap,
  Endpoints,
  Event,
  LimitRange,
  Namespace,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  ServiceAccount,
} from "@homeostat/object-model/core-v1";
import type { ProbedKind, Variants } from "../probe.ts";
import { nodes } from "./nodes.ts";
import { persistentVolumeClaims, persistentVolumes } from "./persistent-volumes.ts";
import { pods } from "./pods.ts";
import { services } from "./services.ts";

const core = { group: "", version: "v1" } as const;
const image = "registry.example/app:1";
const template = {
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "app", image }] },
};
const condition = {
  type: "Ready",
  status: "True",
  lastTransitionTime: "2020-01-01T00:00:00Z",
  reason: "Because",
  message: "x",
};
const reference = {
  apiVersion: "v1",
  kind: "Pod",
  namespace: "probes",
  name: "some",
  uid: "11111111-2222-3333-4444-555555555555",
  resourceVersion: "7",
  fieldPath: "spec.containers{app}",
};

const bindings = {
  plain: { target: { ...reference, kind: "Node", name: "node-1", namespace: "" } },
} satisfies Variants<Binding>;

const configMaps = {
  plain: {
    metadata: {
      labels: { app: "web", "example.com/tier": "a" },
      annotations: { "example.com/note": "Any text" },
      finalizers: ["example.com/keep"],
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          name: "web",
          uid: "11111111-2222-3333-4444-555555555555",
          controller: true,
          blockOwnerDeletion: true,
        },
        {
          apiVersion: "v1",
          kind: "Pod",
          name: "other",
          uid: "22222222-2222-3333-4444-555555555555",
        },
      ],
    },
    data: { "a.b": "c", d: "" },
    binaryData: { bytes: "YWJj" },
  },
  fixed: { immutable: true, data: { a: "b" } },
  generated: { metadata: { name: "generated", generateName: "web-" }, data: { a: "b" } },
} satisfies Variants<ConfigMap>;

const endpoints = {
  plain: {
    subsets: [
      {
        addresses: [
          { ip: "10.1.2.3", hostname: "web-0", nodeName: "node-1", targetRef: reference },
          { ip: "10.1.2.4" },
        ],
        notReadyAddresses: [{ ip: "10.1.2.5" }],
        ports: [
          { name: "http", port: 80, protocol: "TCP", appProtocol: "http" },
          { name: "dns", port: 53, protocol: "UDP" },
        ],
      },
    ],
  },
  single: { subsets: [{ addresses: [{ ip: "10.1.2.3" }], ports: [{ port: 80 }] }] },
} satisfies Variants<Endpoints>;

const events = {
  old: {
    involvedObject: reference,
    reason: "Started",
    message: "It started",
    source: { component: "kubelet", host: "node-1" },
    firstTimestamp: "2020-01-01T00:00:00Z",
    lastTimestamp: "2020-01-01T00:00:00Z",
    count: 2,
    type: "Normal",
  },
  modern: {
    involvedObject: reference,
    related: { ...reference, name: "other" },
    reason: "Started",
    message: "It started",
    type: "Warning",
    eventTime: "2020-01-01T00:00:00.000000Z",
    series: { count: 2, lastObservedTime: "2020-01-01T00:00:01.000000Z" },
    action: "Start",
    reportingComponent: "example.com/kubelet",
    reportingInstance: "node-1",
  },
} satisfies Variants<Event>;

const limitRanges = {
  plain: {
    spec: {
      limits: [
        {
          type: "Container",
          max: { cpu: "4", memory: "4Gi" },
          min: { cpu: "100m", memory: "10Mi" },
          default: { cpu: "2", memory: "2Gi" },
          defaultRequest: { cpu: "1", memory: "1Gi" },
          maxLimitRequestRatio: { cpu: "4" },
        },
        {
          type: "Pod",
          max: { cpu: "8" },
          min: { cpu: "100m" },
          maxLimitRequestRatio: { memory: "2" },
        },
        { type: "PersistentVolumeClaim", max: { storage: "10Gi" }, min: { storage: "1Gi" } },
      ],
    },
  },
} satisfies Variants<LimitRange>;

const namespaces = {
  plain: {
    metadata: {
      labels: { app: "web" },
      annotations: { a: "b" },
      finalizers: ["example.com/keep"],
      ownerReferences: [
        { apiVersion: "v1", kind: "Node", name: "n", uid: "11111111-2222-3333-4444-555555555555" },
      ],
    },
    spec: { finalizers: ["kubernetes", "example.com/finalizer"] },
    status: { phase: "Active", conditions: [{ ...condition, type: "NamespaceContentRemaining" }] },
  },
} satisfies Variants<Namespace>;

const podTemplates = { plain: { template } } satisfies Variants<PodTemplate>;

const replicationControllers = {
  plain: { spec: { replicas: 2, minReadySeconds: 3, selector: { app: "web" }, template } },
  defaulted: {
    spec: { template },
    status: {
      replicas: 1,
      fullyLabeledReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
      observedGeneration: 1,
      conditions: [{ ...condition, type: "ReplicaFailure" }],
    },
  },
} satisfies Variants<ReplicationController>;

const resourceQuotas = {
  plain: {
    spec: {
      hard: {
        cpu: "10",
        "requests.memory": "10Gi",
        pods: "5",
        "count/deployments.apps": "3",
        "example.com/gpu": "4",
        "requests.example.com/gpu": "4",
        "fast.storageclass.storage.k8s.io/requests.storage": "1Gi",
      },
    },
    status: { hard: { cpu: "10", pods: "5" }, used: { cpu: "1", pods: "2" } },
  },
  scoped: { spec: { hard: { pods: "5" }, scopes: ["BestEffort", "NotTerminating"] } },
  selected: {
    spec: {
      hard: { pods: "5", cpu: "1" },
      scopeSelector: {
        matchExpressions: [
          { scopeName: "PriorityClass", operator: "In", values: ["high"] },
          { scopeName: "Terminating", operator: "Exists" },
        ],
      },
    },
  },
} satisfies Variants<ResourceQuota>;

const secrets = {
  plain: { type: "Opaque", data: { "a.b": "YWJj" }, stringData: { c: "d" } },
  fixed: { immutable: true, data: { a: "YWJj" } },
  basic: { type: "kubernetes.io/basic-auth", stringData: { username: "u", password: "p" } },
  ssh: { type: "kubernetes.io/ssh-auth", stringData: { "ssh-privatekey": "k" } },
  tls: { type: "kubernetes.io/tls", stringData: { "tls.crt": "c", "tls.key": "k" } },
  docker: {
    type: "kubernetes.io/dockerconfigjson",
    stringData: { ".dockerconfigjson": '{"auths":{}}' },
  },
  dockercfg: { type: "kubernetes.io/dockercfg", stringData: { ".dockercfg": "{}" } },
  token: {
    metadata: { annotations: { "kubernetes.io/service-account.name": "runner" } },
    type: "kubernetes.io/service-account-token",
  },
  bootstrap: { type: "bootstrap.kubernetes.io/token", stringData: { "token-id": "abcdef" } },
} satisfies Variants<Secret>;

const serviceAccounts = {
  plain: {
    secrets: [{ name: "token" }, reference],
    imagePullSecrets: [{ name: "registry" }],
    automountServiceAccountToken: false,
  },
} satisfies Variants<ServiceAccount>;

export const coreKinds: readonly ProbedKind[] = [
  { ...core, name: "bindings", plural: "bindings", variants: bindings },
  { ...core, name: "configmaps", plural: "configmaps", variants: configMaps },
  { ...core, name: "endpoints", plural: "endpoints", variants: endpoints },
  { ...core, name: "events", plural: "events", variants: events },
  { ...core, name: "limitranges", plural: "limitranges", variants: limitRanges },
  { ...core, name: "namespaces", plural: "namespaces", variants: namespaces },
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  { ...core, name: "podtemplates", plural: "podtemplates", variants: podTemplates },
  {
    ...core,
    name: "replicationcontrollers",
    plural: "replicationcontrollers",
    variants: replicationControllers,
    briefly: ["spec.template.spec"],
  },
  { ...core, name: "resourcequotas", plural: "resourcequotas", variants: resourceQuotas },
  { ...core, name: "secrets", plural: "secrets", variants: secrets },
  { ...core, name: "serviceaccounts", plural: "serviceaccounts", variants: serviceAccounts },
  services,
];

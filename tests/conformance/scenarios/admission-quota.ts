/** Quotas: what they count, what they refuse, and what is taken of them. */
import type { JsonObject } from "@homeostat/object-model";
import {
  as,
  edited,
  get,
  patch,
  post,
  put,
  type RequestStep,
  type Scenario,
  type Step,
  scenario,
  settle,
} from "../scenario.ts";

const image = "registry.example/app:1";
type Hard = Readonly<Record<string, string>>;

/** As its controller would have it: counted, with nothing used. */
const quota = (name: string, hard: Hard, spec: JsonObject = {}): Step[] => [
  as(`quota-${name}`, post("resourcequotas", { metadata: { name }, spec: { hard, ...spec } })),
  put(
    `resourcequotas/${name}/status`,
    edited(`quota-${name}`, {
      status: { hard, used: Object.fromEntries(Object.keys(hard).map((each) => [each, "0"])) },
    }),
  ),
];
const account = post("serviceaccounts", {
  metadata: { name: "default" },
  automountServiceAccountToken: false,
});
const used = get("resourcequotas");
const container = (resources: JsonObject = {}, name = "main"): JsonObject => ({
  name,
  image,
  resources,
});
const pod = (name: string, resources: JsonObject = {}, spec: JsonObject = {}): RequestStep =>
  post("pods", { metadata: { name }, spec: { containers: [container(resources)], ...spec } });
const configMap = (name: string): RequestStep => post("configmaps", { metadata: { name } });
const claim = (name: string, storage: string, spec: JsonObject = {}): RequestStep =>
  post("persistentvolumeclaims", {
    metadata: { name },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...spec },
  });

export const admissionQuota: readonly Scenario[] = [
  scenario(
    "objects are counted",
    quota("q", { configmaps: "2", "count/secrets": "1", "count/leases.coordination.k8s.io": "0" }),
    settle(),
    configMap("a"),
    post("configmaps", { metadata: { name: "dry" } }, { query: { dryRun: "All" } }),
    configMap("b"),
    configMap("c"),
    post("configmaps", { metadata: { generateName: "d-" } }),
    post("configmaps", { metadata: { name: "dry" } }, { query: { dryRun: "All" } }),
    patch("configmaps/a", ["merge", { data: { a: "b" } }]),
    post("secrets", { metadata: { name: "a" } }),
    post("secrets", { metadata: { name: "b" } }),
    post("leases", { metadata: { name: "a" } }),
    used,
  ),
  scenario(
    "pods are counted by what they ask for",
    account,
    quota("q", {
      pods: "3",
      "requests.cpu": "1",
      "limits.memory": "100Mi",
      "requests.example.com/gpu": "1",
    }),
    settle(),
    pod("none"),
    pod("half", { requests: { cpu: "500m" } }),
    pod("good", { requests: { cpu: "500m" }, limits: { memory: "50Mi" } }),
    pod("much", { requests: { cpu: "600m" }, limits: { memory: "60Mi" } }),
    pod("gpu", {
      requests: { cpu: "1m" },
      limits: { memory: "1Mi", "example.com/gpu": "2" },
    }),
    pod(
      "init",
      { requests: { cpu: "100m" }, limits: { memory: "10Mi" } },
      {
        initContainers: [
          container({ requests: { cpu: "400m" }, limits: { memory: "20Mi" } }, "init"),
        ],
      },
    ),
    pod("last", { requests: { cpu: "1m" }, limits: { memory: "1Mi" } }),
    used,
    patch("pods/good", ["merge", { metadata: { labels: { a: "b" } } }]),
    patch("pods/good/resize", [
      "strategic",
      { spec: { containers: [{ name: "main", resources: { requests: { cpu: "2" } } }] } },
    ]),
    patch("pods/good/resize", [
      "strategic",
      { spec: { containers: [{ name: "main", resources: { requests: { cpu: "501m" } } }] } },
    ]),
    used,
  ),
  scenario(
    "pods that say what they need as a whole",
    account,
    quota("q", { "requests.cpu": "1", "limits.cpu": "2" }),
    settle(),
    pod("a", {}, { resources: { requests: { cpu: "600m" }, limits: { cpu: "1" } } }),
    pod("b", {}, { resources: { requests: { cpu: "600m" }, limits: { cpu: "1" } } }),
    used,
  ),
  scenario(
    "scopes",
    account,
    quota("best", { pods: "1" }, { scopes: ["BestEffort"] }),
    quota("not-best", { pods: "1" }, { scopes: ["NotBestEffort"] }),
    quota("ending", { pods: "1" }, { scopes: ["Terminating"] }),
    quota(
      "critical",
      { pods: "1" },
      {
        scopeSelector: {
          matchExpressions: [
            { scopeName: "PriorityClass", operator: "In", values: ["system-node-critical"] },
          ],
        },
      },
    ),
    settle(),
    pod("a"),
    pod("b"),
    pod("c", { requests: { cpu: "1m" } }),
    pod("d", { requests: { cpu: "1m" } }, { priorityClassName: "system-node-critical" }),
    used,
    patch("pods/a", ["merge", { spec: { activeDeadlineSeconds: 5 } }]),
    patch("pods/c", ["merge", { spec: { activeDeadlineSeconds: 5 } }]),
    used,
  ),
  scenario(
    "pods that look into other namespaces",
    account,
    quota("q", { pods: "0" }, { scopes: ["CrossNamespacePodAffinity"] }),
    settle(),
    pod("a"),
    pod(
      "b",
      {},
      {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                topologyKey: "a",
                namespaces: ["x"],
                labelSelector: { matchLabels: { a: "b" } },
              },
            ],
          },
        },
      },
    ),
  ),
  scenario(
    "services are counted by what they take",
    quota("q", { services: "4", "services.nodeports": "2", "services.loadbalancers": "1" }),
    settle(),
    post("services", { metadata: { name: "a" }, spec: { ports: [{ port: 1 }] } }),
    post("services", {
      metadata: { name: "b" },
      spec: {
        type: "NodePort",
        ports: [
          { port: 1, name: "x" },
          { port: 2, name: "y" },
        ],
      },
    }),
    post("services", {
      metadata: { name: "c" },
      spec: { type: "LoadBalancer", ports: [{ port: 1 }] },
    }),
    post("services", {
      metadata: { name: "d" },
      spec: { type: "LoadBalancer", allocateLoadBalancerNodePorts: false, ports: [{ port: 1 }] },
    }),
    patch("services/a", ["merge", { spec: { type: "LoadBalancer" } }]),
    patch("services/a", ["merge", { spec: { type: "NodePort" } }]),
    used,
  ),
  scenario(
    "claims are counted by size and class",
    quota("q", {
      persistentvolumeclaims: "3",
      "requests.storage": "10Gi",
      "gold.storageclass.storage.k8s.io/requests.storage": "2Gi",
      "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
    }),
    settle(),
    claim("a", "1Gi", { storageClassName: "gold" }),
    claim("b", "1Gi", { storageClassName: "gold" }),
    claim("c", "1500m", { storageClassName: "" }),
    claim("d", "20Gi", { storageClassName: "" }),
    used,
  ),
  scenario(
    "claims for devices",
    quota("q", {
      "count/resourceclaims.resource.k8s.io": "3",
      "gpu.example.com.deviceclass.resource.k8s.io/devices": "4",
    }),
    settle(),
    post("resourceclaims", {
      metadata: { name: "a" },
      spec: {
        devices: {
          requests: [{ name: "r", exactly: { deviceClassName: "gpu.example.com", count: 3 } }],
        },
      },
    }),
    post("resourceclaims", {
      metadata: { name: "b" },
      spec: {
        devices: {
          requests: [
            {
              name: "r",
              firstAvailable: [
                { name: "x", deviceClassName: "gpu.example.com", count: 2 },
                { name: "y", deviceClassName: "gpu.example.com", count: 1 },
              ],
            },
          ],
        },
      },
    }),
    post("resourceclaims", {
      metadata: { name: "c" },
      spec: {
        devices: {
          requests: [
            { name: "r", exactly: { deviceClassName: "other.example.com", allocationMode: "All" } },
          ],
        },
      },
    }),
    used,
  ),
  scenario(
    "a quota that nobody has counted yet",
    as(
      "made",
      post("resourcequotas", { metadata: { name: "q" }, spec: { hard: { configmaps: "1" } } }),
    ),
    settle(),
    configMap("a"),
    put("resourcequotas/q/status", edited("made", { status: { hard: { configmaps: "1" } } })),
    settle(),
    configMap("b"),
  ),
  scenario(
    "two quotas must both have room",
    quota("a", { configmaps: "5" }),
    quota("b", { "count/configmaps": "1" }),
    settle(),
    configMap("a"),
    configMap("b"),
    used,
  ),
];

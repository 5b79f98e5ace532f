/** status, scale, finalize, binding, eviction, approval and others (semantics 26, 27, 50, 64). */
import {
  as,
  del,
  edited,
  get,
  patch,
  post,
  put,
  raw,
  type Scenario,
  scenario,
} from "../scenario.ts";
import { sampleOf } from "./sample-objects.ts";

const scalable = ["deployments", "replicasets", "statefulsets", "replicationcontrollers"] as const;
const pod = (name: string, more: object = {}) =>
  post("pods", {
    metadata: { name, labels: { app: "a" }, ...more },
    spec: { containers: [{ name: "c", image: "i" }] },
  });
const bind = (name: string, target: object, more: object = {}) =>
  post(`pods/${name}/binding`, { metadata: { name }, target: target as never, ...more });
const evict = (name: string, more: object = {}) =>
  post(`pods/${name}/eviction`, { metadata: { name }, ...more });
const budget = (name: string, spec: object) =>
  post("poddisruptionbudgets", {
    metadata: { name },
    spec: { selector: { matchLabels: { app: "a" } }, ...spec },
  });
const csr = "certificatesigningrequests/${ns}-a";
const condition = (type: string, status = "True") => ({
  type,
  status,
  reason: "Why",
  message: "because",
});

export const subresources: readonly Scenario[] = [
  ...scalable.map((resource) =>
    scenario(
      `27 scale of ${resource}`,
      post(resource, sampleOf(resource)),
      as("scale", get(`${resource}/a/scale`)),
      as("more", put(`${resource}/a/scale`, edited("scale", { spec: { replicas: 4 } }))),
      put(`${resource}/a/scale`, edited("scale", { spec: { replicas: 5 } })),
      put(
        `${resource}/a/scale`,
        edited("more", { metadata: { resourceVersion: null }, spec: { replicas: 6 } }),
      ),
      patch(`${resource}/a/scale`, ["merge", { spec: { replicas: 2 } }]),
      patch(`${resource}/a/scale`, ["json", [{ op: "replace", path: "/spec/replicas", value: 3 }]]),
      patch(`${resource}/a/scale`, ["strategic", { spec: { replicas: 1 } }]),
      patch(`${resource}/a/scale`, ["merge", { spec: { replicas: -1 } }]),
      patch(`${resource}/a/scale`, ["merge", { spec: { replicas: "x" } }]),
      patch(`${resource}/a/scale`, ["merge", { metadata: { labels: { l: "1" } } }]),
      put(
        `${resource}/a/scale`,
        edited("more", {
          metadata: { uid: "11111111-2222-3333-4444-555555555555", resourceVersion: null },
        }),
      ),
      get(resource),
      get(`${resource}/missing/scale`),
      put(`${resource}/missing/scale`, edited("scale", { metadata: { name: "missing" } })),
    ),
  ),
  scenario(
    "27 scale follows status",
    post("deployments", sampleOf("deployments")),
    patch("deployments/a/status", [
      "merge",
      {
        status: {
          replicas: 3,
          observedGeneration: 1,
          conditions: [{ type: "Available", status: "True" }],
        },
      },
    ]),
    get("deployments/a/scale"),
    get("daemonsets/a/scale"),
    post("jobs", sampleOf("jobs")),
    get("jobs/a/scale"),
  ),
  scenario(
    "64 binding a pod",
    pod("a"),
    bind(
      "a",
      { kind: "Node", name: "n1" },
      { metadata: { name: "a", annotations: { by: "judge" }, labels: { x: "y" } } },
    ),
    get("pods/a"),
    bind("a", { kind: "Node", name: "n2" }),
    bind("missing", { kind: "Node", name: "n2" }),
    pod("b"),
    bind("b", { kind: "Node" }),
    bind("b", { kind: "Pod", name: "x" }),
    bind("b", {}),
    bind("b", { name: "n1" }),
    post("bindings", { metadata: { name: "b" }, target: { name: "n3" } }),
    pod("c"),
    post("bindings", { metadata: { name: "c" }, target: { name: "n3" } }),
    pod("d", { finalizers: ["example.com/hold"] }),
    del("pods/d"),
    bind("d", { name: "n1" }),
    pod("e"),
    bind(
      "e",
      { name: "n1" },
      { metadata: { name: "e", uid: "11111111-2222-3333-4444-555555555555" } },
    ),
    bind("e", { name: "n1" }, { metadata: { name: "f" } }),
  ),
  scenario(
    "50 evicting a pod",
    pod("a"),
    evict("a"),
    get("pods/a"),
    evict("a"),
    pod("b"),
    evict("b", { metadata: { name: "other" } }),
    evict("b", { deleteOptions: { gracePeriodSeconds: 0, preconditions: { uid: "wrong" } } }),
    evict("b", { deleteOptions: { dryRun: ["All"] } }),
    evict("b", {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { namespace: "${ns}", name: "b" },
    }),
    post("pods/c/eviction", { apiVersion: "v1", kind: "Pod", metadata: { name: "c" } }),
    post("pods/c/eviction", {
      apiVersion: "policy/v1beta1",
      kind: "Eviction",
      metadata: { name: "c" },
    }),
  ),
  scenario(
    "50 a budget blocks an eviction",
    pod("a"),
    budget("one", { minAvailable: 1 }),
    patch("pods/a/status", [
      "merge",
      { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
    ]),
    evict("a"),
    patch("poddisruptionbudgets/one/status", [
      "merge",
      {
        status: {
          observedGeneration: 1,
          disruptionsAllowed: 0,
          currentHealthy: 1,
          desiredHealthy: 1,
          expectedPods: 1,
        },
      },
    ]),
    evict("a"),
    patch("poddisruptionbudgets/one/status", ["merge", { status: { disruptionsAllowed: 1 } }]),
    evict("a", { deleteOptions: { dryRun: ["All"] } }),
    get("poddisruptionbudgets/one"),
    evict("a"),
    get("poddisruptionbudgets/one"),
  ),
  scenario(
    "50 two budgets for one pod",
    pod("a"),
    patch("pods/a/status", ["merge", { status: { phase: "Running" } }]),
    budget("one", { minAvailable: 1 }),
    budget("two", { maxUnavailable: "50%" }),
    evict("a"),
    patch("pods/a/status", ["merge", { status: { phase: "Succeeded" } }]),
    evict("a"),
  ),
  scenario(
    "approving a certificate request",
    as("made", post("certificatesigningrequests", sampleOf("certificatesigningrequests"))),
    as("seen", get(`${csr}/approval`)),
    as(
      "approved",
      put(`${csr}/approval`, edited("seen", { status: { conditions: [condition("Approved")] } })),
    ),
    put(`${csr}/approval`, edited("approved", { status: { conditions: [condition("Denied")] } })),
    put(
      `${csr}/approval`,
      edited("approved", { status: { conditions: [condition("Approved"), condition("Denied")] } }),
    ),
    put(`${csr}/approval`, edited("approved", { status: { conditions: [] } })),
    patch(`${csr}/approval`, [
      "merge",
      { spec: { signerName: "example.com/other" }, metadata: { labels: { l: "1" } } },
    ]),
    put(`${csr}/status`, edited("approved", { status: { certificate: "bm90IGEgY2VydA==" } })),
    patch(`${csr}/status`, ["merge", { status: { conditions: null } }]),
    patch(csr, ["merge", { spec: { usages: ["server auth"] } }]),
    patch(csr, ["merge", { status: null, metadata: { labels: { by: "main" } } }]),
    get(csr),
  ),
  scenario(
    "denying a certificate request",
    post("certificatesigningrequests", sampleOf("certificatesigningrequests")),
    patch(`${csr}/approval`, ["merge", { status: { conditions: [condition("Failed")] } }]),
    patch(`${csr}/approval`, ["merge", { status: { conditions: [condition("Denied", "False")] } }]),
    patch(`${csr}/approval`, ["merge", { status: { conditions: [condition("Denied")] } }]),
    patch(`${csr}/approval`, ["merge", { status: { conditions: [{ type: "Denied" }] } }]),
    get(csr),
  ),
  scenario(
    "status of kinds",
    post("nodes", sampleOf("nodes")),
    patch("nodes/${ns}-a/status", [
      "strategic",
      {
        status: {
          capacity: { cpu: "4", memory: "8Gi" },
          conditions: [{ type: "Ready", status: "True" }],
          addresses: [{ type: "InternalIP", address: "192.0.2.5" }],
        },
      },
    ]),
    patch("nodes/${ns}-a", [
      "strategic",
      { status: { capacity: { cpu: "9" } }, spec: { unschedulable: true } },
    ]),
    post("persistentvolumeclaims", sampleOf("persistentvolumeclaims")),
    patch("persistentvolumeclaims/a/status", [
      "merge",
      { status: { phase: "Bound", capacity: { storage: "1024Mi" } } },
    ]),
    post("jobs", sampleOf("jobs")),
    patch("jobs/a/status", ["merge", { status: { active: 1, startTime: "2020-01-02T03:04:05Z" } }]),
    post("resourcequotas", sampleOf("resourcequotas")),
    patch("resourcequotas/a/status", [
      "merge",
      { status: { hard: { pods: "10" }, used: { pods: "1000m" } } },
    ]),
    post("services", sampleOf("services")),
    patch("services/a/status", [
      "merge",
      {
        status: {
          conditions: [
            {
              type: "X",
              status: "True",
              reason: "R",
              message: "m",
              lastTransitionTime: "2020-01-02T03:04:05Z",
            },
          ],
        },
      },
    ]),
    post("ingresses", sampleOf("ingresses")),
    patch("ingresses/a/status", [
      "merge",
      { status: { loadBalancer: { ingress: [{ ip: "192.0.2.9" }] } } },
    ]),
    post("cronjobs", sampleOf("cronjobs")),
    patch("cronjobs/a/status", [
      "merge",
      { status: { lastScheduleTime: "2020-01-02T03:04:05Z" }, spec: { suspend: true } },
    ]),
  ),
  scenario(
    "ephemeral containers and resize",
    pod("a"),
    get("pods/a/ephemeralcontainers"),
    patch("pods/a/ephemeralcontainers", [
      "strategic",
      { spec: { ephemeralContainers: [{ name: "debug", image: "busybox" }] } },
    ]),
    patch("pods/a/ephemeralcontainers", [
      "strategic",
      { spec: { ephemeralContainers: [{ name: "debug", image: "other" }] } },
    ]),
    patch("pods/a", [
      "strategic",
      { spec: { ephemeralContainers: [{ name: "more", image: "busybox" }] } },
    ]),
    get("pods/a/resize"),
    patch("pods/a/resize", [
      "strategic",
      { spec: { containers: [{ name: "c", resources: { requests: { cpu: "1" } } }] } },
    ]),
    get("pods/a"),
  ),
  scenario(
    "addresses under a pod that need a node",
    pod("a"),
    raw("GET", "/api/v1/namespaces/${ns}/pods/missing/log"),
    raw("GET", "/api/v1/namespaces/${ns}/pods/a/nothing"),
    raw("POST", "/api/v1/namespaces/${ns}/pods/a/status", {
      headers: { "content-type": "application/json" },
    }),
  ),
  scenario(
    "58 what of a pod may change",
    as("made", pod("a")),
    patch("pods/a", ["strategic", { spec: { containers: [{ name: "c", image: "other" }] } }]),
    patch("pods/a", ["merge", { spec: { activeDeadlineSeconds: 50 } }]),
    patch("pods/a", ["merge", { spec: { activeDeadlineSeconds: 60 } }]),
    patch("pods/a", ["merge", { spec: { tolerations: [{ key: "k", operator: "Exists" }] } }]),
    patch("pods/a", ["merge", { spec: { nodeName: "n1" } }]),
    patch("pods/a", ["merge", { spec: { restartPolicy: "Never" } }]),
    patch("pods/a", ["merge", { spec: { hostNetwork: true } }]),
    patch("pods/a", ["merge", { spec: { terminationGracePeriodSeconds: 5 } }]),
  ),
];

/** What default plugins make of nodes and what is on them, of ingresses, and of namespaces that go. */
import type { JsonObject } from "@homeostat/object-model";
import {
  as,
  del,
  edited,
  get,
  patch,
  post,
  put,
  type RequestStep,
  type Scenario,
  scenario,
  settle,
} from "../scenario.ts";

const image = "registry.example/app:1";
const container = { name: "main", image };

/** The account that a controller would make. */
const account = post("serviceaccounts", {
  metadata: { name: "default" },
  automountServiceAccountToken: false,
});
const create = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): RequestStep =>
  post("pods", { metadata: { name, ...metadata }, spec: { containers: [container], ...spec } });
const asking = (name: string, resources: JsonObject): JsonObject => ({ name, image, resources });

export const admissionNodes: readonly Scenario[] = [
  scenario(
    "a new node is not ready, and pods are labelled with its place",
    account,
    post("nodes", {
      metadata: {
        name: "${ns}-n",
        labels: {
          "topology.kubernetes.io/zone": "z",
          "topology.kubernetes.io/region": "r",
          "topology.kubernetes.io/rack": "k",
        },
      },
    }),
    post("nodes", {
      metadata: { name: "${ns}-m" },
      spec: { taints: [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }] },
    }),
    post("nodes", {
      metadata: { name: "${ns}-o" },
      spec: { taints: [{ key: "node.kubernetes.io/not-ready", effect: "NoExecute" }] },
    }),
    settle(),
    create("on", { nodeName: "${ns}-n" }),
    create(
      "labelled",
      { nodeName: "${ns}-n" },
      { labels: { "topology.kubernetes.io/zone": "mine", a: "b" } },
    ),
    create("nowhere", { nodeName: "ghost" }),
    create("bound"),
    post("pods/bound/binding", {
      metadata: { name: "bound" },
      target: { kind: "Node", name: "${ns}-n" },
    }),
    get("pods/bound"),
    patch("nodes/${ns}-n", ["merge", { spec: { taints: null } }]),
    del("nodes/${ns}-n"),
    del("nodes/${ns}-m"),
    del("nodes/${ns}-o"),
  ),
  scenario(
    "a pod on a node is resized as far as the node can",
    account,
    as("node", post("nodes", { metadata: { name: "${ns}-n" } })),
    put(
      "nodes/${ns}-n/status",
      edited("node", { status: { allocatable: { cpu: "2", memory: "1Gi" } } }),
    ),
    post("nodes", { metadata: { name: "${ns}-w", labels: { "kubernetes.io/os": "windows" } } }),
    settle(),
    create("a", {
      nodeName: "${ns}-n",
      containers: [asking("main", { requests: { cpu: "1", memory: "10Mi" } })],
    }),
    patch("pods/a/resize", [
      "strategic",
      { spec: { containers: [{ name: "main", resources: { requests: { cpu: "2500m" } } }] } },
    ]),
    patch("pods/a/resize", [
      "strategic",
      {
        spec: {
          containers: [{ name: "main", resources: { requests: { cpu: "3", memory: "2Gi" } } }],
        },
      },
    ]),
    patch("pods/a/resize", [
      "strategic",
      { spec: { containers: [{ name: "main", resources: { requests: { cpu: "2" } } }] } },
    ]),
    patch("pods/a/resize", ["strategic", { spec: {} }]),
    create("w", {
      nodeName: "${ns}-w",
      containers: [asking("main", { requests: { cpu: "1" } })],
    }),
    patch("pods/w/resize", [
      "strategic",
      { spec: { containers: [{ name: "main", resources: { requests: { cpu: "2" } } }] } },
    ]),
    create("g", { nodeName: "ghost", containers: [asking("main", { requests: { cpu: "1" } })] }),
    patch("pods/g/resize", [
      "strategic",
      { spec: { containers: [{ name: "main", resources: { requests: { cpu: "2" } } }] } },
    ]),
    create("whole", {
      nodeName: "${ns}-n",
      containers: [container],
      resources: { requests: { cpu: "1" }, limits: { cpu: "1" } },
    }),
    patch("pods/whole/resize", [
      "strategic",
      { spec: { resources: { requests: { cpu: "1500m" }, limits: { cpu: "1500m" } } } },
    ]),
    create("free", { containers: [asking("main", { requests: { cpu: "1" } })] }),
    patch("pods/free/resize", [
      "strategic",
      { spec: { containers: [{ name: "main", resources: { requests: { cpu: "9" } } }] } },
    ]),
    del("nodes/${ns}-n"),
    del("nodes/${ns}-w"),
  ),
  scenario(
    "an ingress gets the default class",
    post("ingressclasses", {
      metadata: {
        name: "${ns}-a",
        annotations: { "ingressclass.kubernetes.io/is-default-class": "true" },
      },
      spec: { controller: "example.com/a" },
    }),
    settle(),
    post("ingresses", {
      metadata: { name: "a" },
      spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
    }),
    post("ingresses", {
      metadata: { name: "b", annotations: { "kubernetes.io/ingress.class": "other" } },
      spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
    }),
    post("ingresses", {
      metadata: { name: "c" },
      spec: {
        ingressClassName: "other",
        defaultBackend: { service: { name: "s", port: { number: 80 } } },
      },
    }),
    del("ingressclasses/${ns}-a"),
  ),
  scenario(
    "a namespace that goes",
    account,
    settle(),
    create("a"),
    patch("pods/a", ["merge", { metadata: { finalizers: ["example.com/f"] } }]),
    del("/api/v1/namespaces/${ns}"),
    settle(),
    create("b"),
    post("configmaps", { metadata: { generateName: "c-" } }),
    post("configmaps", { metadata: {} }),
    post("pods/a/eviction", { metadata: { name: "a" } }),
    post("serviceaccounts/default/token", { spec: {} }),
    post("localsubjectaccessreviews", {
      metadata: { namespace: "${ns}" },
      spec: {
        user: "u",
        resourceAttributes: { namespace: "${ns}", verb: "get", resource: "pods" },
      },
    }),
    patch("pods/a", ["merge", { metadata: { labels: { a: "b" } } }]),
    patch("pods/a/status", ["merge", { status: { message: "m" } }]),
    del("/api/v1/namespaces/kube-public"),
    del("/api/v1/namespaces/default", { preconditions: { uid: "other" } }),
  ),
];

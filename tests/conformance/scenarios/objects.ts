/** Creating, reading, replacing: names, metadata the server owns, generated names, no-op writes. */
import {
  as,
  crowd,
  del,
  edited,
  get,
  patch,
  post,
  put,
  type Scenario,
  scenario,
} from "../scenario.ts";
import { namespacedSamples, sampleOf } from "./sample-objects.ts";

const map = (name: string, data: Record<string, string> = {}) => ({ metadata: { name }, data });
const pod = sampleOf("pods");
const deployment = sampleOf("deployments");

export const objects: readonly Scenario[] = [
  scenario(
    "1 versions rise with every write of any kind",
    post("configmaps", map("a")),
    post("secrets", { metadata: { name: "a" } }),
    post("configmaps", map("b")),
    get("configmaps"),
    get("secrets"),
    get("serviceaccounts"),
  ),
  scenario(
    "13 writes that change nothing keep the version",
    as("made", post("configmaps", map("a", { k: "1" }))),
    put("configmaps/a", edited("made")),
    patch("configmaps/a", ["merge", { data: { k: "1" } }]),
    patch("configmaps/a", ["json", [{ op: "replace", path: "/data/k", value: "1" }]]),
    patch("configmaps/a", ["strategic", {}]),
    put("configmaps/a", map("a", { k: "1" })),
    get("configmaps/a"),
  ),
  scenario(
    "18 stale update and second create are different conflicts",
    as("made", post("configmaps", map("a"))),
    as("newer", put("configmaps/a", edited("made", { data: { k: "2" } }))),
    put("configmaps/a", edited("made", { data: { k: "3" } })),
    post("configmaps", map("a")),
    put("configmaps/a", edited("newer", { data: { k: "4" } })),
  ),
  scenario(
    "19 a version that is no number",
    as("made", post("configmaps", map("a"))),
    put("configmaps/a", edited("made", { metadata: { resourceVersion: "abc" } })),
    put("configmaps/a", edited("made", { metadata: { resourceVersion: "-1" } })),
    put("configmaps/a", edited("made", { metadata: { resourceVersion: "01" } })),
    put(
      "configmaps/a",
      edited("made", { metadata: { resourceVersion: "99999999999999999999999" } }),
    ),
    put("configmaps/a", edited("made", { metadata: { resourceVersion: "9007199254740993" } })),
    patch("configmaps/a", ["merge", { metadata: { resourceVersion: "abc" } }]),
  ),
  scenario(
    "20 creating by PUT",
    put("leases/a", { metadata: { name: "a" }, spec: { holderIdentity: "me" } }),
    put("endpoints/a", { metadata: { name: "a" } }),
    put("events/a", sampleOf("events")),
    put("services/a", sampleOf("services")),
    put("roles/a", sampleOf("roles")),
    put("leases/b", { metadata: { name: "b", resourceVersion: "5" } }),
    put("leases/c", { metadata: { name: "c", uid: "11111111-2222-3333-4444-555555555555" } }),
    put("leases/d", { metadata: { name: "other" } }),
  ),
  scenario(
    "21 patches from many sides all succeed",
    post("configmaps", map("a")),
    crowd(
      Array.from({ length: 12 }, (_, i) =>
        patch("configmaps/a", ["merge", { data: { [`k${i}`]: String(i) } }]),
      ),
      4,
    ),
    get("configmaps/a"),
  ),
  scenario(
    "23 what the server owns cannot be set on create",
    post("configmaps", {
      metadata: {
        name: "a",
        uid: "11111111-2222-3333-4444-555555555555",
        creationTimestamp: "2001-02-03T04:05:06Z",
        generation: 7,
        deletionTimestamp: "2001-02-03T04:05:06Z",
        deletionGracePeriodSeconds: 30,
        selfLink: "/x",
      },
    }),
    post("deployments", {
      ...deployment,
      metadata: { name: "a", generation: 9, selfLink: "/x" },
      status: { replicas: 5 },
    }),
    post("configmaps", { metadata: { name: "b", resourceVersion: "5" } }),
    post("configmaps", { metadata: { name: "c", resourceVersion: "0" } }),
    post("configmaps", { metadata: { name: "d", resourceVersion: "" } }),
    post("configmaps", { metadata: { name: "e", creationTimestamp: null, managedFields: null } }),
  ),
  scenario(
    "23 what the server owns cannot be changed",
    as("made", post("deployments", deployment)),
    put(
      "deployments/a",
      edited("made", { metadata: { creationTimestamp: "2001-02-03T04:05:06Z" } }),
    ),
    put("deployments/a", edited("made", { metadata: { generation: 7 } })),
    put(
      "deployments/a",
      edited("made", { metadata: { deletionTimestamp: "2001-02-03T04:05:06Z" } }),
    ),
    put("deployments/a", edited("made", { metadata: { deletionGracePeriodSeconds: 5 } })),
    patch("deployments/a", ["merge", { metadata: { creationTimestamp: null } }]),
    patch("deployments/a", ["merge", { metadata: { uid: null } }]),
    patch("deployments/a", ["merge", { metadata: { generateName: "x-" } }]),
    patch("deployments/a", ["merge", { metadata: { selfLink: "/x" } }]),
  ),
  scenario(
    "23 name and namespace have to match the address",
    post("configmaps", { metadata: { name: "a", namespace: "elsewhere" } }),
    as("made", post("configmaps", { metadata: { name: "a", namespace: "${ns}" } })),
    put("configmaps/a", edited("made", { metadata: { name: "b" } })),
    put("configmaps/a", edited("made", { metadata: { name: null } })),
    put("configmaps/a", edited("made", { metadata: { namespace: "elsewhere" } })),
    put("configmaps/a", edited("made", { metadata: { namespace: null } })),
    patch("configmaps/a", ["merge", { metadata: { namespace: "elsewhere" } }]),
    patch("configmaps/a", ["merge", { metadata: { namespace: null } }]),
    patch("configmaps/a", ["merge", { metadata: { name: null } }]),
    post("namespaces", { metadata: { name: "${ns}-x", namespace: "elsewhere" } }),
  ),
  scenario(
    "23 kind and apiVersion have to match the address",
    post("configmaps", { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }),
    post("configmaps", { apiVersion: "apps/v1", kind: "ConfigMap", metadata: { name: "a" } }),
    post("configmaps", { apiVersion: "v1", metadata: { name: "b" } }),
    post("configmaps", { kind: "ConfigMap", metadata: { name: "c" } }),
    post("configmaps", { json: { metadata: { name: "d" } } }),
    post("configmaps", { apiVersion: "v1", kind: "Nothing", metadata: { name: "a" } }),
    post("configmaps", { apiVersion: "a/b/c", kind: "ConfigMap", metadata: { name: "a" } }),
    post("deployments", { ...deployment, apiVersion: "extensions/v1beta1", kind: "Deployment" }),
  ),
  scenario(
    "24 generated names",
    post("configmaps", { metadata: { generateName: "gen-" } }),
    post("configmaps", { metadata: { generateName: "gen-" } }),
    post("configmaps", { metadata: { generateName: `${"long".repeat(20)}-` } }),
    post("configmaps", { metadata: { name: "a", generateName: "gen-" } }),
    post("configmaps", { metadata: { generateName: "Bad_" } }),
    post("configmaps", { metadata: { generateName: "" } }),
    post("configmaps", { metadata: {} }),
    post("configmaps", {}),
    post("pods", { ...pod, metadata: { generateName: "pod-" } }),
    post("namespaces", { metadata: { generateName: "${ns}-" } }),
  ),
  scenario(
    "25 generation counts changes of spec only",
    as("made", post("deployments", deployment)),
    patch("deployments/a", ["merge", { metadata: { labels: { l: "1" } } }]),
    patch("deployments/a", ["merge", { spec: { replicas: 2 } }]),
    patch("deployments/a", ["merge", { spec: { replicas: 2 } }]),
    patch("deployments/a", ["merge", { status: { replicas: 4 } }]),
    patch("deployments/a/status", ["merge", { status: { replicas: 4 } }]),
    patch("deployments/a", ["merge", { metadata: { finalizers: ["example.com/hold"] } }]),
    del("deployments/a"),
    patch("deployments/a", ["merge", { metadata: { finalizers: null } }]),
  ),
  scenario(
    "25 generation of kinds, on create and change",
    ...["replicasets", "statefulsets", "daemonsets", "jobs", "cronjobs", "ingresses"].flatMap(
      (resource) => [
        post(resource, namespacedSamples[resource]!),
        patch(`${resource}/a`, ["merge", { metadata: { annotations: { n: "1" } } }]),
      ],
    ),
    patch("replicasets/a", ["merge", { spec: { replicas: 3 } }]),
    patch("cronjobs/a", ["merge", { spec: { suspend: true } }]),
    patch("networkpolicies/none", ["merge", {}]),
  ),
  scenario(
    "26 status on the main resource is ignored",
    as("made", post("deployments", { ...deployment, status: { replicas: 3, readyReplicas: 1 } })),
    put("deployments/a", edited("made", { status: { replicas: 9 } })),
    put(
      "deployments/a/status",
      edited("made", {
        metadata: { resourceVersion: null, labels: { x: "y" } },
        spec: { replicas: 8 },
        status: { replicas: 2 },
      }),
    ),
    get("deployments/a"),
    patch("deployments/a/status", [
      "merge",
      { spec: { replicas: 7 }, status: { readyReplicas: 2 } },
    ]),
    patch("deployments/a", [
      "strategic",
      { status: { replicas: 0 }, metadata: { labels: { z: "1" } } },
    ]),
    get("deployments/a/status"),
  ),
  scenario(
    "26 pod status lets labels pass",
    as("made", post("pods", { ...pod, status: { phase: "Running" } })),
    put(
      "pods/a/status",
      edited("made", {
        metadata: { labels: { x: "y" }, annotations: { n: "1" } },
        status: { phase: "Running", podIP: "10.1.1.1" },
      }),
    ),
    patch("pods/a/status", [
      "strategic",
      { status: { conditions: [{ type: "Ready", status: "True" }] } },
    ]),
    patch("pods/a/status", [
      "strategic",
      { status: { conditions: [{ type: "Other", status: "False" }] } },
    ]),
    get("pods/a"),
    get("configmaps/a/status"),
    put("configmaps/a/status", map("a")),
  ),
  scenario(
    "44 owner references are checked",
    post("configmaps", {
      metadata: {
        name: "a",
        ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u1" }],
      },
    }),
    post("configmaps", {
      metadata: { name: "b", ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }] },
    }),
    post("configmaps", {
      metadata: { name: "c", ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p" }] },
    }),
    post("configmaps", {
      metadata: {
        name: "d",
        ownerReferences: [
          { apiVersion: "v1", kind: "Pod", name: "p", uid: "u1", controller: true },
          { apiVersion: "v1", kind: "Pod", name: "q", uid: "u2", controller: true },
        ],
      },
    }),
    post("configmaps", {
      metadata: {
        name: "e",
        ownerReferences: [{ apiVersion: "v1", kind: "Event", name: "p", uid: "u1" }],
      },
    }),
    post("configmaps", {
      metadata: {
        name: "f",
        ownerReferences: [{ apiVersion: "a/b/c", kind: "Pod", name: "p", uid: "u1" }],
      },
    }),
    post("configmaps", {
      metadata: {
        name: "g",
        ownerReferences: [
          {
            apiVersion: "v1",
            kind: "Pod",
            name: "p",
            uid: "u1",
            controller: true,
            blockOwnerDeletion: true,
          },
          { apiVersion: "v1", kind: "Pod", name: "q", uid: "u2", controller: false },
          { apiVersion: "v1", kind: "Pod", name: "p", uid: "u1" },
        ],
      },
    }),
    patch("configmaps/a", [
      "strategic",
      { metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "z", uid: "u9" }] } },
    ]),
    patch("configmaps/a", [
      "strategic",
      { metadata: { ownerReferences: [{ $patch: "delete", uid: "u1" }] } },
    ]),
  ),
  scenario(
    "58 an immutable map stays as it is",
    as("made", post("configmaps", { ...map("a", { k: "1" }), immutable: true })),
    put("configmaps/a", edited("made", { data: { k: "2" } })),
    put("configmaps/a", edited("made", { immutable: false })),
    patch("configmaps/a", ["merge", { immutable: null, binaryData: { b: "AAEC" } }]),
    put("configmaps/a", edited("made", { metadata: { labels: { l: "1" } } })),
    as(
      "secret",
      post("secrets", { metadata: { name: "a" }, data: { k: "MQ==" }, immutable: true }),
    ),
    patch("secrets/a", ["merge", { stringData: { k: "2" } }]),
    patch("secrets/a", ["merge", { type: "other" }]),
    del("configmaps/a"),
  ),
  scenario(
    "60 stringData is written only",
    post("secrets", {
      metadata: { name: "a" },
      data: { a: "MQ==", b: "Mg==" },
      stringData: { b: "two", c: "" },
    }),
    get("secrets/a"),
    patch("secrets/a", ["merge", { stringData: { a: "é€😀" } }]),
    post("secrets", { metadata: { name: "b" }, data: { a: "not base64!" } }),
    post("secrets", { metadata: { name: "c" }, data: { a: "" } }),
    post("secrets", { metadata: { name: "d" }, type: "kubernetes.io/tls", data: {} }),
    patch("secrets/a", ["merge", { type: "example.com/other" }]),
  ),
];

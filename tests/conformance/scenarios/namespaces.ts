/** The life of a namespace where no namespace controller runs (semantic 48). */
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

const other = "namespaces/${ns}-x";
const make = post("namespaces", { metadata: { name: "${ns}-x" } });
const maps = "/api/v1/namespaces/${ns}-x/configmaps";
const inside = (body: object) => post(maps, { apiVersion: "v1", kind: "ConfigMap", ...body });

export const namespaces: readonly Scenario[] = [
  scenario(
    "48 a namespace is made active with a finalizer",
    make,
    get(other),
    patch(other, ["merge", { spec: { finalizers: [] } }]),
    patch(other, ["merge", { spec: { finalizers: ["kubernetes", "example.com/x"] } }]),
    patch(other, ["merge", { status: { phase: "Terminating" } }]),
    patch(other, ["merge", { metadata: { labels: { "kubernetes.io/metadata.name": null } } }]),
    patch(other, ["merge", { metadata: { labels: { "kubernetes.io/metadata.name": "wrong" } } }]),
    post("namespaces", {
      metadata: { name: "${ns}-y" },
      spec: { finalizers: ["example.com/mine"] },
      status: { phase: "Terminating" },
    }),
    post("namespaces", { metadata: { name: "${ns}-z" }, spec: { finalizers: [] } }),
  ),
  scenario(
    "48 deletion waits for finalize",
    as("made", make),
    inside({ metadata: { name: "before" } }),
    as("going", del(other)),
    get(other),
    del(other),
    inside({ metadata: { name: "after" } }),
    raw("GET", "/api/v1/namespaces/${ns}-x/configmaps/before"),
    put(`${maps}/before`, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "before" },
      data: { k: "1" },
    }),
    make,
    put(`${other}/finalize`, edited("made", { spec: { finalizers: [] } })),
    put(`${other}/finalize`, edited("going", { spec: { finalizers: [] } })),
    get(other),
  ),
  scenario(
    "48 finalize",
    as("made", make),
    put(
      `${other}/finalize`,
      edited("made", {
        spec: { finalizers: ["example.com/x", "kubernetes"] },
        metadata: { labels: { l: "1" } },
        status: { phase: "Terminating" },
      }),
    ),
    put(
      `${other}/finalize`,
      edited("made", { spec: { finalizers: ["bad name"] }, metadata: { resourceVersion: null } }),
    ),
    put(
      `${other}/finalize`,
      edited("made", {
        spec: { finalizers: ["unqualified"] },
        metadata: { resourceVersion: null },
      }),
    ),
    put(
      `${other}/finalize`,
      edited("made", { spec: { finalizers: [] }, metadata: { resourceVersion: null } }),
    ),
    get(other),
    del(other),
    get(other),
    put("namespaces/${ns}-missing/finalize", { metadata: { name: "${ns}-missing" } }),
    get(`${other}/finalize`),
    patch(`${other}/finalize`, ["merge", {}]),
  ),
  scenario(
    "48 finalizers of metadata hold a namespace too",
    post("namespaces", { metadata: { name: "${ns}-x", finalizers: ["example.com/hold"] } }),
    as("going", del(other)),
    as("done", put(`${other}/finalize`, edited("going", { spec: { finalizers: [] } }))),
    get(other),
    patch(other, ["merge", { metadata: { finalizers: null } }]),
    get(other),
  ),
  scenario(
    "48 status of a namespace",
    as("made", make),
    put(
      `${other}/status`,
      edited("made", {
        status: {
          phase: "Active",
          conditions: [{ type: "NamespaceContentRemaining", status: "True" }],
        },
      }),
    ),
    patch(`${other}/status`, ["merge", { status: { phase: "Terminating" } }]),
    patch(`${other}/status`, ["merge", { status: { phase: "Nonsense" } }]),
    patch(`${other}/status`, [
      "merge",
      { spec: { finalizers: [] }, metadata: { labels: { l: "1" } } },
    ]),
    del(other),
    patch(`${other}/status`, ["merge", { status: { phase: "Active" } }]),
  ),
  scenario(
    "48 where nothing may be created",
    ...["configmaps", "pods", "deployments", "services", "leases"].map((resource) =>
      post(
        resource === "configmaps" || resource === "pods" || resource === "services"
          ? `/api/v1/namespaces/\${ns}-none/${resource}`
          : resource === "leases"
            ? "/apis/coordination.k8s.io/v1/namespaces/${ns}-none/leases"
            : "/apis/apps/v1/namespaces/${ns}-none/deployments",
        sampleOf(resource),
      ),
    ),
    put("/apis/coordination.k8s.io/v1/namespaces/${ns}-none/leases/a", {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "a" },
    }),
    patch("/api/v1/namespaces/${ns}-none/configmaps/a", ["merge", {}]),
    del("/api/v1/namespaces/${ns}-none/configmaps/a"),
    del("/api/v1/namespaces/${ns}-none/configmaps"),
    post("/api/v1/namespaces/Bad_Name/configmaps", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a" },
    }),
    post("/api/v1/namespaces//configmaps", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a" },
    }),
  ),
  scenario(
    "48 namespaces that stay",
    del("namespaces/default"),
    del("namespaces/kube-system"),
    del("namespaces/kube-public"),
    { ...del("namespaces/default"), query: { dryRun: "All" } },
    get("namespaces/kube-node-lease"),
  ),
  scenario(
    "48 deleting for show and with conditions",
    make,
    { ...del(other), query: { dryRun: "All" } },
    get(other),
    del(other, { preconditions: { uid: "wrong" } }),
    del(other, { propagationPolicy: "Foreground" }),
    del(other, { propagationPolicy: "Orphan" }),
    get(other),
  ),
];

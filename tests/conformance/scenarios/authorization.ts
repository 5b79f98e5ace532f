/** What roles grant, what nobody can grant, and what reviews say of it. */
import type { JsonObject, JsonValue } from "@homeostat/object-model";
import {
  apply,
  as,
  del,
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

const GROUP = "rbac.authorization.k8s.io";
const eve = { headers: { "impersonate-user": "${ns}-eve" } };
const readPods = { verbs: ["get", "list"], apiGroups: [""], resources: ["pods"] };
const everything = { verbs: ["*"], apiGroups: ["*"], resources: ["*"] };

/** kube-apiserver follows roles through caches. */
const settled = settle();

const roleRef = (name: string, kind = "ClusterRole"): JsonObject => ({
  roleRef: { apiGroup: GROUP, kind, name },
});
const toEve = { subjects: [{ kind: "User", apiGroup: GROUP, name: "${ns}-eve" }] };

/** Eve gets a ClusterRole with these rules. */
const given = (...rules: JsonValue[]): Step[] => [
  post("clusterroles", { metadata: { name: "${ns}-held" }, rules }),
  post("clusterrolebindings", {
    metadata: { name: "${ns}-held" },
    ...roleRef("${ns}-held"),
    ...toEve,
  }),
  settled,
];

const writeRoles = {
  verbs: ["create", "update", "patch", "get"],
  apiGroups: [GROUP],
  resources: ["roles", "rolebindings", "clusterroles", "clusterrolebindings"],
};

const role = (name: string, ...rules: JsonValue[]): JsonObject => ({ metadata: { name }, rules });
const access = (resourceAttributes: JsonObject, spec: JsonObject = {}): RequestStep =>
  post("subjectaccessreviews", { spec: { user: "${ns}-eve", resourceAttributes, ...spec } });
const pathAccess = (path: string, verb = "get"): RequestStep =>
  post("subjectaccessreviews", {
    spec: { user: "${ns}-eve", nonResourceAttributes: { path, verb } },
  });

/** Eve changes what is there, and makes nothing new. */
const changes = {
  verbs: ["get", "update", "patch"],
  apiGroups: ["", "coordination.k8s.io"],
  resources: ["configmaps", "services", "endpoints", "leases", "nodes"],
};
const lease = (holderIdentity: string): JsonObject => ({
  metadata: { name: "a" },
  spec: { holderIdentity, leaseDurationSeconds: 5 },
});

export const authorization: readonly Scenario[] = [
  scenario(
    "an update or apply of what is not there needs the right to create",
    given(changes),
    put("leases/a", lease("eve"), eve),
    put("leases/a", lease("eve"), { ...eve, query: { dryRun: "All" } }),
    put("leases/a", { metadata: { name: "a" }, spec: { leaseDurationSeconds: -1 } }, eve),
    put("configmaps/a", { metadata: { name: "a" } }, eve),
    apply("configmaps/a", ["eve", { metadata: { name: "a" }, data: { a: "b" } }], eve),
    apply("configmaps/a", ["eve", { metadata: { name: "a" }, data: { a: 1 } }], eve),
    apply("configmaps/a", ["eve", { metadata: { name: "a" }, data: { "/": "b" } }], eve),
    apply("nodes/${ns}", ["eve", { metadata: { name: "${ns}" } }], eve),
    patch("configmaps/a", ["merge", { data: { a: "b" } }], eve),
    as("made", post("leases", lease("root"))),
    put("leases/a", edited("made", { spec: { leaseDurationSeconds: 7 } }), eve),
    post("configmaps", { metadata: { name: "a" } }),
    apply("configmaps/a", ["eve", { metadata: { name: "a" }, data: { a: "b" } }], eve),
  ),
  scenario(
    "refusals name who, what and where",
    get("configmaps", eve),
    get("/api/v1/secrets", eve),
    get("/api/v1/namespaces/${ns}", eve),
    get("/api/v1/nodes/n", eve),
    get("/api/v1/namespaces/${ns}/pods/a/log", eve),
    get("secrets", { ...eve, query: { watch: "1", fieldSelector: "metadata.name=q" } }),
    get("secrets", { ...eve, query: { fieldSelector: "metadata.name!=q" } }),
    get("secrets", { ...eve, query: { fieldSelector: "metadata.name=a%2Fb" } }),
    get("/api/v1/watch/namespaces/${ns}/secrets/q", eve),
    del("pods", undefined, eve),
    del("pods/a", undefined, eve),
    post("deployments", { metadata: { name: "a" } }, eve),
    put("deployments/a", { metadata: { name: "a" } }, eve),
    patch("deployments/a/scale", ["merge", {}], eve),
    get("/logs", eve),
    get("/metrics", eve),
    get("/apis/example.com/v1/namespaces/${ns}/things/x/status", eve),
  ),
  scenario(
    "a role that is not there",
    post("rolebindings", { metadata: { name: "a" }, ...roleRef("${ns}-none"), ...toEve }),
    post("rolebindings", { metadata: { name: "b" }, ...roleRef("none", "Role"), ...toEve }),
    settled,
    get("/api/v1/secrets", eve),
    access({ verb: "get", resource: "pods" }),
  ),
  scenario(
    "what a role grants",
    given(
      readPods,
      { verbs: ["get"], apiGroups: [""], resources: ["configmaps"], resourceNames: ["a"] },
      { verbs: ["get"], apiGroups: ["*"], resources: ["*/scale"] },
      { verbs: ["get"], apiGroups: ["apps"], resources: ["deployments/*"] },
      { verbs: ["get"], nonResourceURLs: ["/metrics", "/debug/*", "/x**"] },
    ),
    access({ verb: "get", resource: "pods" }),
    access({ verb: "get", resource: "pods", subresource: "log" }),
    access({ verb: "watch", resource: "pods" }),
    access({ verb: "get", resource: "configmaps", name: "a" }),
    access({ verb: "get", resource: "configmaps", name: "b" }),
    access({ verb: "get", resource: "configmaps" }),
    access({ verb: "get", group: "apps", resource: "deployments", subresource: "scale" }),
    access({ verb: "get", group: "apps", resource: "deployments", subresource: "status" }),
    access({ verb: "get", group: "apps", resource: "deployments" }),
    access({ verb: "get", group: "*", resource: "*" }),
    access({ verb: "get", resource: "pods" }, { user: "other" }),
    access({ verb: "get", resource: "pods" }, { user: "other", groups: ["system:masters"] }),
    pathAccess("/metrics"),
    pathAccess("/metrics/"),
    pathAccess("/debug/a"),
    pathAccess("/debug"),
    pathAccess("/xyz"),
    pathAccess("/metrics", "post"),
    get("pods", eve),
    get("configmaps/a", eve),
    get("configmaps", { ...eve, query: { fieldSelector: "metadata.name=a" } }),
    post(
      "selfsubjectaccessreviews",
      { spec: { resourceAttributes: { verb: "list", resource: "pods", namespace: "x" } } },
      eve,
    ),
    post("/apis/authorization.k8s.io/v1/namespaces/${ns}/localsubjectaccessreviews", {
      metadata: { namespace: "${ns}" },
      spec: {
        user: "${ns}-eve",
        resourceAttributes: { verb: "list", resource: "pods", namespace: "${ns}" },
      },
    }),
  ),
  scenario(
    "accounts and groups in a namespace",
    post("roles", role("reader", readPods)),
    post("rolebindings", {
      metadata: { name: "reader" },
      ...roleRef("reader", "Role"),
      subjects: [
        { kind: "ServiceAccount", name: "robot" },
        { kind: "Group", apiGroup: GROUP, name: "${ns}-devs" },
      ],
    }),
    settled,
    access(
      { verb: "get", resource: "pods", namespace: "${ns}" },
      { user: "system:serviceaccount:${ns}:robot" },
    ),
    access({ verb: "get", resource: "pods", namespace: "${ns}" }, { groups: ["${ns}-devs"] }),
    access({ verb: "get", resource: "pods" }, { groups: ["${ns}-devs"] }),
    access(
      { verb: "get", resource: "pods", namespace: "default" },
      { user: "system:serviceaccount:${ns}:robot" },
    ),
  ),
  scenario(
    "nobody grants what they do not hold",
    given(writeRoles, readPods, { verbs: ["get"], nonResourceURLs: ["/debug/*"] }),
    post("roles", role("a", readPods), eve),
    post(
      "roles",
      role(
        "b",
        { verbs: ["get", "watch"], apiGroups: ["", "apps"], resources: ["pods", "secrets"] },
        { verbs: ["get"], apiGroups: [""], resources: ["nodes"], resourceNames: ["x", "y"] },
      ),
      eve,
    ),
    post("clusterroles", role("${ns}-c", { verbs: ["get"], nonResourceURLs: ["/debug/a"] }), eve),
    post("clusterroles", role("${ns}-d", { verbs: ["get"], nonResourceURLs: ["/debug*"] }), eve),
    put("clusterroles/${ns}-e", role("${ns}-e", everything), eve),
    patch("roles/a", ["merge", { rules: [everything] }], eve),
    patch("roles/a", ["merge", { metadata: { labels: { a: "b" } } }], eve),
    patch("roles/a", ["merge", { rules: [] }], eve),
    post("clusterroles", role("${ns}-all", everything)),
    patch("clusterroles/${ns}-all", ["merge", { metadata: { finalizers: ["a.b/c"] } }], eve),
    patch("clusterroles/${ns}-all", ["merge", { metadata: { labels: { a: "b" } } }], eve),
    patch("clusterroles/${ns}-all", ["merge", { metadata: { finalizers: [] } }], eve),
    post(
      "clusterroles",
      {
        metadata: { name: "${ns}-f" },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "${ns}": "b" } }] },
      },
      eve,
    ),
    del("clusterroles/${ns}-all", undefined, eve),
  ),
  scenario(
    "nobody binds what they do not hold",
    given(writeRoles, {
      verbs: ["bind"],
      apiGroups: [GROUP],
      resources: ["clusterroles"],
      resourceNames: ["cluster-admin"],
    }),
    post("rolebindings", { metadata: { name: "a" }, ...roleRef("${ns}-held") }, eve),
    post("rolebindings", { metadata: { name: "b" }, ...roleRef("cluster-admin") }, eve),
    post("rolebindings", { metadata: { name: "c" }, ...roleRef("system:node-proxier") }, eve),
    post("rolebindings", { metadata: { name: "d" }, ...roleRef("${ns}-none") }, eve),
    post("rolebindings", { metadata: { name: "d" }, ...roleRef("none", "Role") }, eve),
    post("rolebindings", { metadata: { name: "e" }, ...roleRef("x", "Foo") }, eve),
    post("rolebindings", { metadata: { name: "f" } }, eve),
    post("rolebindings", { metadata: { name: "g" }, ...roleRef("system:node-proxier") }),
    patch("rolebindings/g", ["merge", toEve], eve),
    patch("rolebindings/b", ["merge", toEve], eve),
    post(
      "clusterrolebindings",
      { metadata: { name: "${ns}-g" }, ...roleRef("system:node-proxier") },
      eve,
    ),
    post(
      "/apis/rbac.authorization.k8s.io/v1/namespaces/${ns}-none/rolebindings",
      { metadata: { name: "a" }, ...roleRef("system:node-proxier") },
      eve,
    ),
  ),
  scenario(
    "the right to escalate",
    given(writeRoles, {
      verbs: ["escalate"],
      apiGroups: [GROUP],
      resources: ["roles"],
      resourceNames: ["a", "b"],
    }),
    post("roles", role("a", everything), eve),
    post("roles", role("a")),
    patch("roles/a", ["merge", { rules: [everything] }], eve),
    put("roles/a", role("a", everything, readPods), eve),
    post("roles", role("c")),
    patch("roles/c", ["merge", { rules: [everything] }], eve),
  ),
];

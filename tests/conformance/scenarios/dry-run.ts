/** Dry run (semantic 30): everything is checked, nothing is kept. */
import { as, del, edited, get, patch, post, put, type Scenario, scenario } from "../scenario.ts";
import { sampleOf } from "./sample-objects.ts";

const all = { query: { dryRun: "All" } };
const map = { metadata: { name: "a" }, data: { k: "1" } };

export const dryRun: readonly Scenario[] = [
  scenario(
    "30 creating for show",
    post("configmaps", map, all),
    get("configmaps/a"),
    post("configmaps", { metadata: { generateName: "gen-" } }, all),
    post("configmaps", { metadata: { name: "Bad_" } }, all),
    post("configmaps", map),
    post("configmaps", map, all),
    get("configmaps"),
  ),
  scenario(
    "30 changing for show",
    as("made", post("configmaps", map)),
    put("configmaps/a", edited("made", { data: { k: "2" } }), all),
    patch("configmaps/a", ["merge", { data: { k: "3" } }], all),
    patch("configmaps/a", ["json", [{ op: "remove", path: "/data" }]], all),
    patch("configmaps/a", ["merge", { metadata: { resourceVersion: "1" } }], all),
    put("configmaps/b", { metadata: { name: "b" } }, all),
    put("leases/b", { metadata: { name: "b" } }, all),
    get("leases/b"),
    get("configmaps/a"),
  ),
  scenario(
    "30 deleting for show",
    as("made", post("configmaps", map)),
    { ...del("configmaps/a"), ...all },
    del("configmaps/a", { dryRun: ["All"] }),
    { ...del("configmaps/a", { preconditions: { uid: "x" } }), ...all },
    { ...del("configmaps/a", { propagationPolicy: "Foreground" }), ...all },
    get("configmaps/a"),
    { ...del("configmaps"), ...all },
    get("configmaps"),
    post("pods", {
      metadata: { name: "a" },
      spec: { nodeName: "n", containers: [{ name: "c", image: "i" }] },
    }),
    { ...del("pods/a"), ...all },
    get("pods/a"),
  ),
  scenario(
    "30 values of dryRun",
    post("configmaps", map, { query: { dryRun: "all" } }),
    post("configmaps", map, { query: { dryRun: "" } }),
    post("configmaps", { metadata: { name: "b" } }, { query: { dryRun: ["All", "All"] } }),
    post("configmaps", { metadata: { name: "b" } }, { query: { dryRun: ["All", "None"] } }),
    patch("configmaps/a", ["merge", {}], { query: { dryRun: "Server" } }),
    put("configmaps/a", map, { query: { dryRun: "x" } }),
    { ...del("configmaps/a"), query: { dryRun: "x" } },
  ),
  scenario(
    "30 subresources for show",
    post("deployments", sampleOf("deployments")),
    patch("deployments/a/status", ["merge", { status: { replicas: 3 } }], all),
    patch("deployments/a/scale", ["merge", { spec: { replicas: 3 } }], all),
    post("pods", sampleOf("pods")),
    post("pods/a/binding", { target: { kind: "Node", name: "n" } }, all),
    post("pods/a/eviction", { metadata: { name: "a" } }, all),
    get("pods/a"),
    get("deployments/a"),
  ),
  scenario(
    "30 kinds that kube-apiserver itself works on, for show",
    post(
      "flowschemas",
      {
        metadata: { name: "${ns}-a" },
        spec: {
          matchingPrecedence: 9000,
          priorityLevelConfiguration: { name: "global-default" },
          rules: [
            {
              subjects: [{ kind: "User", user: { name: "jane" } }],
              nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }],
            },
          ],
        },
      },
      all,
    ),
    post(
      "customresourcedefinitions",
      {
        metadata: { name: "widgets.${ns}.example.com" },
        spec: {
          group: "${ns}.example.com",
          scope: "Namespaced",
          names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
          versions: [
            {
              name: "v1",
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: "object" } },
            },
          ],
        },
      },
      all,
    ),
  ),
  scenario(
    "30 a service for show takes no address",
    post(
      "services",
      { metadata: { name: "a" }, spec: { ports: [{ port: 80 }], clusterIP: "10.0.0.13" } },
      all,
    ),
    post("services", {
      metadata: { name: "b" },
      spec: { ports: [{ port: 80 }], clusterIP: "10.0.0.13" },
    }),
    post(
      "services",
      { metadata: { name: "c" }, spec: { ports: [{ port: 80 }], clusterIP: "10.0.0.13" } },
      all,
    ),
    post(
      "services",
      { metadata: { name: "d" }, spec: { type: "NodePort", ports: [{ port: 80 }] } },
      all,
    ),
    get("services/a"),
    del("services/b"),
  ),
];

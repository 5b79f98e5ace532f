/** The three kinds of patch (semantics 21, 28, 29) and what each refuses. */
import { as, get, patch, post, type Scenario, type Step, scenario } from "../scenario.ts";
import { sampleOf } from "./sample-objects.ts";

const map: Step = post("configmaps", {
  metadata: { name: "a", labels: { l: "1" }, annotations: { "x.io/y": "z", "t~u": "v" } },
  data: { a: "1", b: "2" },
});
const json = (
  ...operations: Record<string, never>[] | Record<string, string | number | object | null>[]
) => patch("configmaps/a", ["json", operations as never]);
const deployment: Step = post("deployments", {
  metadata: { name: "a" },
  spec: {
    selector: { matchLabels: { app: "a" } },
    template: {
      metadata: { labels: { app: "a" } },
      spec: {
        containers: [
          {
            name: "one",
            image: "one:1",
            env: [
              { name: "A", value: "1" },
              { name: "B", value: "2" },
            ],
            ports: [
              { containerPort: 80, name: "http" },
              { containerPort: 81, name: "more", protocol: "UDP" },
            ],
            args: ["x", "y"],
          },
          { name: "two", image: "two:1" },
        ],
        volumes: [
          { name: "v", emptyDir: {} },
          { name: "w", configMap: { name: "c" } },
        ],
        tolerations: [{ key: "k", operator: "Exists" }],
      },
    },
  },
});
const containers = (...list: object[]) =>
  patch("deployments/a", [
    "strategic",
    { spec: { template: { spec: { containers: list as never } } } },
  ]);
const podSpec = (spec: object) =>
  patch("deployments/a", ["strategic", { spec: { template: { spec: spec as never } } }]);

export const patches: readonly Scenario[] = [
  scenario(
    "28 JSON patch: all operations",
    map,
    json({ op: "add", path: "/data/c", value: "3" }),
    json({ op: "replace", path: "/data/a", value: "9" }),
    json({ op: "remove", path: "/data/b" }),
    json({ op: "copy", from: "/data/a", path: "/data/d" }),
    json({ op: "move", from: "/data/d", path: "/data/e" }),
    json({ op: "test", path: "/data/a", value: "9" }),
    json({ op: "add", path: "/metadata/annotations/x.io~1y", value: "w" }),
    json({ op: "replace", path: "/metadata/annotations/t~0u", value: "w" }),
    json({ op: "add", path: "/metadata/finalizers", value: ["example.com/a"] }),
    json({ op: "add", path: "/metadata/finalizers/-", value: "example.com/b" }),
    json({ op: "add", path: "/metadata/finalizers/0", value: "example.com/c" }),
    json({ op: "remove", path: "/metadata/finalizers/1" }),
    json(),
    json({ op: "add", path: "/data", value: null }),
  ),
  scenario(
    "28 JSON patch: what fails",
    map,
    json({ op: "test", path: "/data/a", value: "2" }),
    json({ op: "test", path: "/data/none", value: "2" }),
    json({ op: "remove", path: "/data/none" }),
    json({ op: "replace", path: "/data/none", value: "1" }),
    json({ op: "add", path: "/none/deep", value: "1" }),
    json({ op: "move", from: "/none", path: "/data/x" }),
    json({ op: "copy", from: "/none", path: "/data/x" }),
    json({ op: "add", path: "/metadata/finalizers/-", value: "x" }),
    json({ op: "add", path: "data/x", value: "1" }),
    json({ op: "add", path: "/data/x" }),
    json({ op: "frobnicate", path: "/data/x", value: "1" }),
    json({ path: "/data/x", value: "1" }),
    json({ op: "add", value: "1" }),
    json({ op: "replace", path: "", value: {} }),
    json({ op: "add", path: "/data/x", value: 5 }),
    json({ op: "replace", path: "/kind", value: "Secret" }),
    json({ op: "replace", path: "/metadata/name", value: "b" }),
    json({ op: "remove", path: "/metadata" }),
    patch("configmaps/a", ["json", { op: "add" }]),
    patch("configmaps/a", ["json", "not json"]),
    patch("configmaps/a", ["json", ""]),
    patch("configmaps/a", ["json", "null"]),
    patch("configmaps/a", ["json", "[null]"]),
    patch("configmaps/a", ["json", "[1]"]),
    get("configmaps/a"),
  ),
  scenario(
    "28 JSON patch: too many operations",
    map,
    patch("configmaps/a", [
      "json",
      Array.from({ length: 10_001 }, () => ({ op: "add", path: "/data/x", value: "1" })),
    ]),
  ),
  scenario(
    "28 merge patch",
    map,
    patch("configmaps/a", ["merge", { data: { a: null, c: "3" } }]),
    patch("configmaps/a", ["merge", { data: null }]),
    patch("configmaps/a", ["merge", { data: { n: null } }]),
    patch("configmaps/a", ["merge", { metadata: { labels: null } }]),
    patch("configmaps/a", [
      "merge",
      { metadata: { finalizers: ["example.com/a", "example.com/a"] } },
    ]),
    patch("configmaps/a", ["merge", { unknown: 1, metadata: { also: 2 } }]),
    patch("configmaps/a", ["merge", { data: { k: 5 } }]),
    patch("configmaps/a", ["merge", { data: "text" }]),
    patch("configmaps/a", ["merge", { data: ["x"] }]),
    patch("configmaps/a", ["merge", { kind: "Secret" }]),
    patch("configmaps/a", ["merge", { apiVersion: "v2" }]),
    patch("configmaps/a", ["merge", { metadata: null }]),
    patch("configmaps/a", ["merge", []]),
    patch("configmaps/a", ["merge", 5]),
    patch("configmaps/a", ["merge", null]),
    patch("configmaps/a", ["merge", "{"]),
    patch("configmaps/a", ["merge", ""]),
    patch("configmaps/a", ["merge", "{}"]),
    get("configmaps/a"),
  ),
  scenario(
    "29 strategic: lists with keys are merged",
    deployment,
    containers({ name: "two", image: "two:2" }),
    containers({ name: "three", image: "three:1" }),
    containers({
      name: "one",
      env: [
        { name: "B", value: "3" },
        { name: "C", value: "4" },
      ],
    }),
    containers({ name: "one", ports: [{ containerPort: 80, protocol: "UDP" }] }),
    containers({ name: "one", args: ["z"] }),
    containers({ name: "one", env: [{ name: "A", $patch: "delete" }] }),
    containers({ name: "three", $patch: "delete" }),
    containers({ name: "one", ports: null }),
    podSpec({ tolerations: [{ key: "other", operator: "Exists" }] }),
    podSpec({ volumes: [{ name: "v", $patch: "delete" }] }),
    podSpec({ volumes: [{ name: "w", $retainKeys: ["name", "emptyDir"], emptyDir: {} }] }),
  ),
  scenario(
    "29 strategic: directives",
    deployment,
    podSpec({ $setElementOrder: "x", containers: [] }),
    podSpec({
      "$setElementOrder/containers": [{ name: "two" }, { name: "one" }],
      containers: [{ name: "one", image: "one:2" }],
    }),
    podSpec({
      "$setElementOrder/containers": [{ name: "two" }],
      containers: [{ name: "one", image: "one:3" }],
    }),
    patch("deployments/a", [
      "strategic",
      { metadata: { finalizers: ["example.com/a", "example.com/b"] } },
    ]),
    patch("deployments/a", [
      "strategic",
      { metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/a"] } },
    ]),
    patch("deployments/a", ["strategic", { metadata: { finalizers: ["example.com/c"] } }]),
    patch("deployments/a", [
      "strategic",
      { metadata: { labels: { $patch: "replace", only: "1" } } },
    ]),
    patch("deployments/a", ["strategic", { metadata: { labels: { $patch: "delete" } } }]),
    containers({ $patch: "replace" }, { name: "solo", image: "solo:1" }),
    patch("deployments/a", [
      "strategic",
      { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } },
    ]),
    patch("deployments/a", ["strategic", { spec: { strategy: { type: "RollingUpdate" } } }]),
    containers({ name: "solo", $patch: "frobnicate" }),
    containers({ image: "noname:1" }),
    podSpec({ containers: "text" }),
    patch("deployments/a", ["strategic", { spec: { replicas: "three" } }]),
    patch("deployments/a", ["strategic", { spec: { replicas: null } }]),
    patch("deployments/a", ["strategic", { spec: { unknown: 1 } }]),
    patch("deployments/a", ["strategic", "[]"]),
    patch("deployments/a", ["strategic", "{"]),
    patch("deployments/a", ["strategic", ""]),
  ),
  scenario(
    "29 strategic: maps, nulls and atomic lists",
    map,
    patch("configmaps/a", ["strategic", { data: { a: null, c: "3" } }]),
    patch("configmaps/a", ["strategic", { data: { $patch: "replace", z: "26" } }]),
    patch("configmaps/a", ["strategic", { $patch: "delete" }]),
    patch("configmaps/a", ["strategic", { metadata: { annotations: null } }]),
    post("roles", sampleOf("roles")),
    patch("roles/a", [
      "strategic",
      { rules: [{ apiGroups: ["apps"], resources: ["x"], verbs: ["*"] }] },
    ]),
    post("services", sampleOf("services")),
    patch("services/a", [
      "strategic",
      {
        spec: {
          ports: [
            { port: 81, name: "b" },
            { port: 80, name: "a" },
          ],
        },
      },
    ]),
    post("serviceaccounts", { metadata: { name: "a" }, secrets: [{ name: "s1" }] }),
    patch("serviceaccounts/a", ["strategic", { secrets: [{ name: "s2" }] }]),
    patch("serviceaccounts/a", ["strategic", { secrets: [{ name: "s1", $patch: "delete" }] }]),
  ),
  scenario(
    "28 content types of patches",
    map,
    { ...patch("configmaps/a", ["merge", {}]), headers: { "content-type": "application/json" } },
    { ...patch("configmaps/a", ["merge", {}]), headers: { "content-type": "text/plain" } },
    { ...patch("configmaps/a", ["merge", {}]), headers: {} },
    {
      ...patch("configmaps/a", ["merge", {}]),
      headers: { "content-type": "application/merge-patch+json; charset=utf-8" },
    },
    {
      ...patch("configmaps/a", ["merge", {}]),
      headers: { "content-type": "Application/Merge-Patch+JSON" },
    },
    {
      ...patch("configmaps/a", ["merge", {}]),
      headers: { "content-type": "application/merge-patch+yaml" },
    },
  ),
  scenario(
    "21 a version or uid in a patch is a condition",
    as("made", map as never),
    patch("configmaps/a", [
      "merge",
      { metadata: { resourceVersion: "${made:rv}" }, data: { a: "2" } },
    ]),
    patch("configmaps/a", [
      "merge",
      { metadata: { resourceVersion: "${made:rv}" }, data: { a: "3" } },
    ]),
    patch("configmaps/a", [
      "strategic",
      { metadata: { resourceVersion: "${made:rv}" }, data: { a: "3" } },
    ]),
    patch("configmaps/a", [
      "json",
      [{ op: "replace", path: "/metadata/resourceVersion", value: "${made:rv}" }],
    ]),
    patch("configmaps/a", [
      "json",
      [{ op: "test", path: "/metadata/resourceVersion", value: "${made:rv}" }],
    ]),
    patch("configmaps/a", ["merge", { metadata: { uid: "${made:uid}" }, data: { a: "4" } }]),
    patch("configmaps/a", ["merge", { metadata: { uid: "other" }, data: { a: "5" } }]),
    patch("configmaps/a", [
      "merge",
      { metadata: { resourceVersion: "", uid: "" }, data: { a: "6" } },
    ]),
    patch("configmaps/a", ["merge", { metadata: { resourceVersion: "0" }, data: { a: "7" } }]),
    patch("configmaps/a", ["merge", { metadata: { resourceVersion: null }, data: { a: "8" } }]),
  ),
  scenario(
    "patches of what is not there",
    patch("configmaps/a", ["merge", { data: {} }]),
    patch("configmaps/a", ["json", []]),
    patch("configmaps", ["merge", {}]),
    patch("nodes/${ns}", ["strategic", {}]),
    patch("leases/a", ["merge", { metadata: { name: "a" }, spec: {} }]),
  ),
];

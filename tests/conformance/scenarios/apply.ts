/** Server-side apply (semantics 32 to 37): who comes to own what, who loses it, and what is removed. */
import type { JsonObject } from "@homeostat/object-model";
import {
  apply,
  as,
  del,
  edited,
  get,
  patch,
  post,
  put,
  type RequestOptions,
  type RequestStep,
  type Scenario,
  scenario,
} from "../scenario.ts";

const force: RequestOptions = { query: { force: "true" } };
const by = (fieldManager: string): RequestOptions => ({ query: { fieldManager } });
const map = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: "a", ...metadata },
  data,
});
const applied = (manager: string, data: JsonObject, options: RequestOptions = {}): RequestStep =>
  apply("configmaps/a", [manager, map(data)], options);
const container = (more: JsonObject = {}): JsonObject => ({ name: "one", image: "one:1", ...more });
const deployment = (spec: JsonObject = {}, ...containers: JsonObject[]): JsonObject => ({
  metadata: { name: "a" },
  spec: {
    selector: { matchLabels: { app: "a" } },
    template: {
      metadata: { labels: { app: "a" } },
      spec: { containers: containers.length === 0 ? [container()] : containers },
    },
    ...spec,
  },
});
const deploy = (manager: string, object: JsonObject, options: RequestOptions = {}): RequestStep =>
  apply("deployments/a", [manager, object], options);
const lastApplied = (object: JsonObject): JsonObject => ({
  "kubectl.kubernetes.io/last-applied-configuration": `${JSON.stringify(object)}\n`,
});

export const applies: readonly Scenario[] = [
  scenario("33 creates what is absent", applied("m", { a: "1" }), get("configmaps/a")),
  scenario(
    "33 the same again is no write",
    applied("m", { a: "1" }),
    applied("m", { a: "1" }),
    get("configmaps/a"),
  ),
  scenario(
    "33 a dry run creates and changes nothing",
    applied("m", { a: "1" }, { query: { dryRun: "All" } }),
    get("configmaps/a"),
    applied("m", { a: "1" }),
    applied("m", { a: "2" }, { query: { dryRun: "All" } }),
    get("configmaps/a"),
  ),
  scenario(
    "34 every way to write keeps entries of its own",
    post("configmaps", map({ a: "1" }), by("maker")),
    patch("configmaps/a", ["merge", { data: { b: "1" } }], by("merger")),
    patch("configmaps/a", ["strategic", { data: { c: "1" } }], by("strategist")),
    patch("configmaps/a", ["json", [{ op: "add", path: "/data/d", value: "1" }]], by("jason")),
    applied("applier", { e: "1" }),
    as("now", get("configmaps/a")),
    put("configmaps/a", edited("now", { data: { f: "1" } }), by("putter")),
    get("configmaps/a"),
  ),
  scenario(
    "34 one manager that applies and updates has two entries",
    applied("m", { a: "1" }),
    patch("configmaps/a", ["merge", { data: { b: "1" } }], by("m")),
    applied("m", { a: "2", b: "1" }),
    patch("configmaps/a", ["merge", { data: { a: "3" } }], by("m")),
    applied("m", { a: "4" }),
    applied("m", { a: "4" }, force),
  ),
  scenario(
    "34 the client's own name, where no manager is named",
    post("configmaps", map({ a: "1" }), { headers: { "user-agent": "kubectl/v1.36 (linux)" } }),
    patch("configmaps/a", ["merge", { data: { b: "1" } }], {
      headers: { "user-agent": `long${"x".repeat(200)}/1` },
    }),
    patch("configmaps/a", ["merge", { data: { c: "1" } }], { headers: { "user-agent": "/1" } }),
  ),
  scenario(
    "34 a change takes fields from their managers, a removal from all",
    post("configmaps", map({ a: "1", b: "1", c: "1" }), by("one")),
    patch("configmaps/a", ["merge", { data: { a: "2" } }], by("two")),
    patch("configmaps/a", ["merge", { data: { b: null } }], by("three")),
    patch("configmaps/a", ["merge", { data: null }], by("four")),
  ),
  scenario(
    "34 a write that changes nothing changes no entry",
    as("made", post("configmaps", map({ a: "1" }), by("one"))),
    patch("configmaps/a", ["merge", { data: { a: "1" } }], by("two")),
    put("configmaps/a", edited("made"), by("three")),
    put("configmaps/a", map({ a: "1" }), by("four")),
  ),
  scenario(
    "35 what is applied no more is removed, if nobody else owns it",
    applied("one", { a: "1", b: "1", c: "1" }),
    applied("two", { b: "1" }),
    patch("configmaps/a", ["merge", { data: { c: "2" } }], by("three")),
    applied("one", { a: "1" }),
    applied("one", {}),
    applied("two", {}),
  ),
  scenario(
    "35 equal values are owned together",
    applied("one", { a: "1" }),
    applied("two", { a: "1" }),
    applied("one", { b: "1" }),
    applied("two", { b: "1" }),
  ),
  scenario(
    "35 a conflict names manager and field",
    applied("one", { a: "1" }),
    applied("two", { a: "2" }),
    get("configmaps/a"),
    applied("two", { a: "2" }, force),
    applied("one", { a: "1" }),
  ),
  scenario(
    "35 conflicts with an updater, and with several fields",
    post("configmaps", map({ a: "1", b: "1" }, { labels: { l: "1" } }), by("one")),
    apply("configmaps/a", ["two", map({ a: "2", b: "2" }, { labels: { l: "2" } })]),
    apply("configmaps/a", ["two", map({ a: "2", b: "2" }, { labels: { l: "2" } })], force),
  ),
  scenario(
    "35 a conflict with a subresource's manager",
    deploy("one", deployment()),
    patch("deployments/a/status", ["merge", { metadata: { annotations: { x: "1" } } }], by("two")),
    deploy("one", { ...deployment(), metadata: { name: "a", annotations: { x: "2" } } }),
    deploy("one", { ...deployment(), metadata: { name: "a", annotations: { x: "2" } } }, force),
  ),
  scenario(
    "35 force takes from all who own it",
    applied("one", { a: "1", b: "1" }),
    applied("two", { a: "1" }),
    applied("three", { a: "3" }, force),
    applied("one", { b: "1" }),
  ),
  scenario(
    "35 two appliers of one deployment",
    deploy("one", deployment({ replicas: 2 })),
    apply("deployments/a", ["scaler", { metadata: { name: "a" }, spec: { replicas: 3 } }]),
    apply("deployments/a", ["scaler", { metadata: { name: "a" }, spec: { replicas: 3 } }], force),
    deploy("one", deployment()),
    apply("deployments/a", ["scaler", { metadata: { name: "a" } }]),
  ),
  scenario(
    "35 a field given up and owned by nobody goes back to its default",
    deploy("one", deployment({ minReadySeconds: 5, revisionHistoryLimit: 2 })),
    deploy("one", deployment()),
  ),
  scenario(
    "36 objects without entries belong to whoever was before",
    as("made", post("configmaps", map({ a: "1", b: "1" }), by("one"))),
    put("configmaps/a", edited("made", { metadata: { managedFields: [] } })),
    get("configmaps/a"),
    patch("configmaps/a", ["merge", { data: { c: "1" } }], by("two")),
    applied("three", { a: "1" }),
    applied("three", { b: "2" }),
  ),
  scenario(
    "36 an empty entry clears the list, nothing keeps it",
    as("made", post("configmaps", map({ a: "1" }), by("one"))),
    put("configmaps/a", edited("made", { metadata: { managedFields: null } })),
    patch("configmaps/a", ["merge", { metadata: { managedFields: [{}] } }]),
    patch("configmaps/a", ["merge", { data: { b: "1" } }]),
    patch("configmaps/a", ["json", [{ op: "add", path: "/data/z", value: "1" }]]),
  ),
  scenario(
    "36 a new object may not begin without entries",
    post("configmaps", map({ a: "1" }, { managedFields: [] })),
    post("configmaps", { metadata: { name: "b", managedFields: [{}] }, data: { a: "1" } }),
  ),
  scenario(
    "36 entries that a client writes",
    as("made", post("configmaps", map({ a: "1", b: "1" }), by("one"))),
    put("configmaps/a", {
      ...map({ a: "1", b: "1" }),
      metadata: {
        name: "a",
        managedFields: [
          {
            manager: "mine",
            operation: "Apply",
            apiVersion: "v1",
            time: "2020-01-01T00:00:00Z",
            fieldsType: "FieldsV1",
            fieldsV1: { "f:data": { ".": {}, "f:b": {}, "f:a": {} } },
          },
        ],
      },
    }),
    applied("mine", { a: "1" }),
  ),
  scenario(
    "36 entries that make no sense",
    as("made", post("configmaps", map({ a: "1" }), by("one"))),
    ...[
      { manager: "x", operation: "Guess", apiVersion: "v1", fieldsType: "FieldsV1" },
      { manager: "x", operation: "Update", apiVersion: "v1" },
      { manager: "x", operation: "Update", fieldsType: "FieldsV1", fieldsV1: {} },
      { manager: "x", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV2" },
      {
        manager: "x",
        operation: "Update",
        apiVersion: "v1",
        fieldsType: "FieldsV1",
        fieldsV1: { nonsense: {} },
      },
      {
        manager: "x",
        operation: "Update",
        apiVersion: "v9",
        fieldsType: "FieldsV1",
        fieldsV1: { "f:data": {} },
      },
    ].map((entry) => put("configmaps/a", map({ a: "1" }, { managedFields: [entry as never] }))),
    get("configmaps/a"),
  ),
  scenario(
    "37 the status is nobody's on the object itself",
    deploy("one", { ...deployment(), status: { replicas: 7 } }),
    patch("deployments/a", ["merge", { status: { replicas: 8 } }], by("two")),
    patch("deployments/a/status", ["merge", { status: { replicas: 9 } }], by("three")),
    patch("deployments/a/status", ["merge", { spec: { replicas: 9 } }], by("four")),
  ),
  scenario(
    "37 applying a status",
    deploy("one", deployment()),
    apply("deployments/a/status", [
      "two",
      { ...deployment({ replicas: 5 }), status: { replicas: 2, readyReplicas: 1 } },
    ]),
    apply("deployments/a/status", ["two", { metadata: { name: "a" }, status: { replicas: 2 } }]),
    apply("deployments/a/status", ["three", { metadata: { name: "a" }, status: { replicas: 3 } }]),
    apply(
      "deployments/a/status",
      ["three", { metadata: { name: "a" }, status: { replicas: 3 } }],
      force,
    ),
    apply("deployments/absent/status", ["two", { metadata: { name: "absent" }, status: {} }]),
  ),
  scenario(
    "37 at most ten who update, the oldest become one",
    applied("applier", { x: "1" }),
    ...Array.from({ length: 14 }, (_, at) =>
      patch(
        "configmaps/a",
        ["merge", { data: { [`k${at}`]: "1" } }],
        by(`m${String(at).padStart(2, "0")}`),
      ),
    ),
  ),
  scenario(
    "scale: replicas are handed over and back",
    deploy("one", deployment({ replicas: 1 })),
    patch("deployments/a/scale", ["merge", { spec: { replicas: 2 } }], by("scaler")),
    get("deployments/a"),
    deploy("one", deployment({ replicas: 1 })),
    patch("deployments/a/scale", ["merge", { spec: { replicas: 2 } }], by("scaler")),
    get("deployments/a"),
    patch("deployments/a/scale", ["merge", { spec: { replicas: 3 } }], by("scaler")),
    get("deployments/a"),
    deploy("one", deployment()),
    get("deployments/a"),
  ),
  scenario(
    "scale: applied",
    deploy("one", deployment({ replicas: 1 })),
    apply("deployments/a/scale", ["scaler", { metadata: { name: "a" }, spec: { replicas: 4 } }]),
    apply(
      "deployments/a/scale",
      ["scaler", { metadata: { name: "a" }, spec: { replicas: 4 } }],
      force,
    ),
    get("deployments/a"),
    apply("deployments/a/scale", ["other", { metadata: { name: "a" }, spec: { replicas: 4 } }]),
    get("deployments/a"),
  ),
  scenario(
    "a migration from client-side apply",
    post(
      "configmaps",
      map({ a: "1", b: "1" }, { annotations: lastApplied(map({ a: "1", b: "1" })) }),
      by("kubectl-client-side-apply"),
    ),
    applied("kubectl", { a: "2" }),
    post(
      "configmaps",
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: {
          name: "b",
          annotations: lastApplied({
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name: "b" },
            data: { a: "1", b: "1" },
          }),
        },
        data: { a: "1", b: "1" },
      },
      by("kubectl-client-side-apply"),
    ),
    apply("configmaps/b", ["other", { metadata: { name: "b" }, data: { a: "2" } }]),
    apply("configmaps/b", ["kubectl", { metadata: { name: "b" }, data: { a: "2" } }]),
    apply("configmaps/b", ["kubectl", { metadata: { name: "b" }, data: { b: "3<&>" } }]),
    get("configmaps/b"),
  ),
  scenario(
    "deletion leaves entries as they are",
    apply("configmaps/a", ["m", map({ a: "1" }, { finalizers: ["x.io/y"] })]),
    del("configmaps/a"),
    apply("configmaps/a", ["m", map({ a: "2" }, { finalizers: ["x.io/y"] })]),
    applied("m", { a: "2" }),
    get("configmaps/a"),
  ),
];

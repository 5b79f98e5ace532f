/** What an apply refuses (semantic 32), and odd input. */
import type { JsonObject } from "@homeostat/object-model";
import {
  apply,
  as,
  get,
  patch,
  post,
  type RequestOptions,
  raw,
  type Scenario,
  scenario,
} from "../scenario.ts";

const by = (fieldManager: string): RequestOptions => ({ query: { fieldManager } });
const map = (metadata: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", ...metadata },
  data: { a: "1" },
  ...more,
});
const deployment = (spec: JsonObject): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "a" },
  spec,
});

export const applyRefusals: readonly Scenario[] = [
  scenario(
    "32 somebody has to apply",
    apply("configmaps/a", ["", map()]),
    apply("configmaps/a", ["x".repeat(129), map()]),
    apply("configmaps/a", ["tab\t", map()]),
    apply("configmaps/a", ["", map()], { query: { dryRun: "Some", fieldValidation: "Perhaps" } }),
  ),
  scenario(
    "32 force is for apply only",
    post("configmaps", map()),
    patch("configmaps/a", ["merge", {}], { query: { force: "true" } }),
    patch("configmaps/a", ["json", []], { query: { force: "false", dryRun: "Some" } }),
    apply("configmaps/a", ["one", map()], { query: { force: "nonsense" } }),
  ),
  scenario(
    "32 entries may not be applied",
    apply("configmaps/a", ["one", map({ managedFields: [] })]),
    apply("configmaps/a", ["one", map({ managedFields: null })]),
    apply("configmaps/a", ["one", map({ managedFields: [{}] })]),
    apply("configmaps/b", ["one", map({ name: "b", managedFields: [{ manager: "x" }] })]),
  ),
  scenario(
    "kinds and versions that are others",
    apply("configmaps/a", ["one", { ...map(), kind: "Secret" }]),
    apply("configmaps/a", ["one", { ...map(), apiVersion: "v2" }]),
    apply("configmaps/a", ["one", { ...map(), apiVersion: "a/b/c" }]),
    apply("configmaps/a", ["one", "{}"]),
    apply("configmaps/a", ["one", '{"apiVersion":"v1"}']),
    apply("configmaps/a", ["one", '{"kind":"ConfigMap"}']),
    apply("deployments/a", ["one", { ...deployment({}), apiVersion: "extensions/v1beta1" }]),
  ),
  scenario(
    "names and namespaces that are others",
    apply("configmaps/a", ["one", map({ name: "b" })]),
    apply("configmaps/a", ["one", '{"apiVersion":"v1","kind":"ConfigMap"}']),
    apply("configmaps/a", ["one", map({ namespace: "default" })]),
    apply("configmaps/a", ["one", map({ namespace: "${ns}" })]),
    apply("configmaps/a", ["one", map({ generateName: "a-" })]),
    apply("configmaps/UPPER", ["one", map({ name: "UPPER" })]),
  ),
  scenario(
    "uids and versions as preconditions",
    apply("configmaps/a", ["one", map({ uid: "11111111-1111-1111-1111-111111111111" })]),
    apply("configmaps/b", ["one", map({ name: "b", resourceVersion: "1" })]),
    as("made", apply("configmaps/a", ["one", map()])),
    apply("configmaps/a", ["one", map({ uid: "${made:metadata.uid}" })]),
    apply("configmaps/a", ["one", map({ uid: "11111111-1111-1111-1111-111111111111" })]),
    apply("configmaps/a", ["one", map({ resourceVersion: "1" })]),
    apply("configmaps/a", ["one", map({ resourceVersion: "${made:rv}" }, { data: { a: "2" } })]),
    get("configmaps/a"),
  ),
  scenario(
    "fields that the type does not have",
    apply("configmaps/a", ["one", map({}, { spec: {} })]),
    apply("configmaps/a", ["one", map({ nonsense: 1 })]),
    apply("deployments/a", ["one", deployment({ template: { spec: { nonsense: 1 } } })]),
    apply("configmaps/a", ["one", map({}, { spec: {} })], { query: { fieldValidation: "Ignore" } }),
  ),
  scenario(
    "values of other types",
    apply("configmaps/a", ["one", map({}, { data: { a: 1 } })]),
    apply("configmaps/a", ["one", map({}, { data: { a: true } })]),
    apply("configmaps/a", ["one", map({}, { data: ["a"] })]),
    apply("configmaps/a", ["one", map({}, { data: "a" })]),
    apply("configmaps/a", ["one", map({}, { data: { a: { b: 1 } } })]),
    apply("configmaps/a", ["one", map({}, { immutable: "yes" })]),
    apply("configmaps/a", ["one", map({ labels: "x" })]),
    apply("deployments/a", ["one", deployment({ replicas: "3" })]),
    apply("deployments/a", ["one", deployment({ replicas: 1.5 })]),
    apply("deployments/a", ["one", deployment({ replicas: { a: 1 } })]),
    apply("deployments/a", ["one", deployment({ template: { spec: { containers: {} } } })]),
    apply("deployments/a", ["one", deployment({ template: { spec: { containers: [null] } } })]),
    apply("deployments/a", ["one", deployment({ template: { spec: { containers: ["a"] } } })]),
    apply("deployments/a", ["one", deployment({ template: { spec: { containers: [{}] } } })]),
    apply("configmaps/a", ["one", map({ finalizers: [null] })]),
    apply("configmaps/a", ["one", map({ finalizers: [{}] })]),
    apply("configmaps/a", ["one", map({ finalizers: [[]] })]),
  ),
  scenario(
    "nulls",
    apply("configmaps/a", ["one", map({}, { data: null })]),
    apply("configmaps/a", ["one", map({ labels: null }, { data: { a: null } })]),
    apply("configmaps/a", ["one", map()]),
    apply("configmaps/a", ["one", map({}, { data: null })]),
    apply("configmaps/a", ["two", map({ annotations: {} }, { data: {} })]),
  ),
  scenario(
    "bodies that are no objects",
    apply("configmaps/a", ["one", "[]"]),
    apply("configmaps/a", ["one", "text"]),
    apply("configmaps/a", ["one", "3"]),
    apply("configmaps/a", ["one", "null"]),
    apply("configmaps/a", ["one", ""]),
  ),
  scenario(
    "YAML",
    apply("configmaps/a", [
      "one",
      "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: '1'\n  b: |\n    two\n    lines\n",
    ]),
    apply("configmaps/a", [
      "one",
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: 1}\n",
    ]),
  ),
  scenario(
    "keys that are said twice",
    ...["", "Warn", "Strict", "Ignore"].map((fieldValidation) =>
      apply(
        "configmaps/a",
        [
          "one",
          "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: '1'\n  a: '2'\n",
        ],
        { query: { fieldValidation } },
      ),
    ),
    apply(
      "configmaps/a",
      [
        "one",
        '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"1","a":"3"}}',
      ],
      { query: { fieldValidation: "Strict" } },
    ),
  ),
  scenario(
    "media types",
    raw("PATCH", "/api/v1/namespaces/${ns}/configmaps/a", {
      ...by("one"),
      headers: { "content-type": "application/apply-patch+cbor" },
    }),
    raw("PATCH", "/api/v1/namespaces/${ns}/configmaps/a", {
      ...by("one"),
      headers: { "content-type": "application/apply-patch+json" },
    }),
    apply("configmaps/a", ["one", map()], {
      headers: { "content-type": "application/apply-patch+yaml; charset=utf-8" },
    }),
    apply("configmaps/a", ["one", map()], {
      headers: { "content-type": "application/Apply-Patch+yaml" },
    }),
  ),
  scenario(
    "what validation refuses",
    apply("configmaps/a", ["one", map({ labels: { "a b": "c" } })]),
    apply("configmaps/a", ["one", map({}, { immutable: true })]),
    apply("configmaps/a", ["one", map({}, { immutable: true, data: { a: "2" } })]),
    get("configmaps/a"),
  ),
  scenario(
    "in a namespace that is not there",
    raw("PATCH", "/api/v1/namespaces/${ns}-none/configmaps/a", {
      ...by("one"),
      headers: { "content-type": "application/apply-patch+yaml" },
    }),
    apply("/api/v1/namespaces/${ns}-none/configmaps/a", ["one", map()]),
  ),
];

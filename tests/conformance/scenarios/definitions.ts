/** The life of a definition (semantics 51 and 57) and what is refused of one. */
import type { JsonObject } from "@homeostat/object-model";
import {
  as,
  del,
  edited,
  get,
  patch,
  post,
  put,
  type Scenario,
  scenario,
  settle,
  watch,
} from "../scenario.ts";
import {
  CRD,
  CRDS,
  create,
  createSpec,
  define,
  definition,
  GROUP,
  version,
  widget,
  widgets,
  withSpec,
} from "./sample-definitions.ts";

const size = { size: { type: "integer" } };
const own = { query: { fieldSelector: `metadata.name=widgets.${GROUP}` } };
const dry = { query: { dryRun: "All" } };

/** Definitions that are refused, or not; none is kept. */
function judged(name: string, ...definitions: readonly JsonObject[]): Scenario {
  return scenario(name, ...definitions.map((each) => post(CRDS, each, dry)));
}

const schema = (openAPIV3Schema: JsonObject): JsonObject =>
  definition([{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }]);
const names = (more: JsonObject): JsonObject =>
  definition([withSpec(size)], {
    names: {
      plural: "widgets",
      singular: "widget",
      kind: "Widget",
      listKind: "WidgetList",
      ...more,
    },
  });
const ofSpec = (properties: JsonObject, more: JsonObject = {}): JsonObject =>
  definition([withSpec(properties, more)]);

export const definitions: readonly Scenario[] = [
  scenario(
    "51 from definition to object",
    get(widgets()),
    get(`/apis/${GROUP}`),
    define([withSpec(size)]),
    get(CRD),
    get(`/apis/${GROUP}`),
    as("made", createSpec("a", { size: 1 })),
    get(`${widgets()}/a`),
    get(widgets()),
    get(`/apis/${GROUP}/v1/widgets`),
    get(`/apis/${GROUP}/v1/gadgets`),
    get(`/apis/${GROUP}/v2/widgets`),
    get(`/apis/${GROUP}/v2`),
    del(`${widgets()}/a`),
  ),
  scenario(
    "51 names that are taken",
    define([withSpec(size)]),
    as(
      "second",
      post(CRDS, {
        ...definition([withSpec(size)], {
          metadata: { name: `gadgets.${GROUP}` },
          names: {
            plural: "gadgets",
            singular: "widget",
            kind: "Widget",
            listKind: "GadgetList",
            shortNames: ["widgets"],
          },
        }),
      }),
    ),
    watch(CRDS, {
      query: { resourceVersion: "${second:rv}", fieldSelector: `metadata.name=gadgets.${GROUP}` },
      until: { events: 1 },
    }),
    get(`/apis/${GROUP}/v1/namespaces/\${ns}/gadgets`),
  ),
  scenario(
    "51 deleting a definition",
    define([withSpec(size)]),
    create("a"),
    post(widgets(), {
      ...widget("held"),
      metadata: { name: "held", finalizers: ["example.com/hold"] },
    }),
    as("deleted", del(CRD)),
    watch(CRDS, {
      query: { resourceVersion: "${deleted:rv}", ...own.query },
      until: { events: 1 },
    }),
    settle(),
    create("late"),
    get(`${widgets()}/held`),
    del(CRD),
    patch(`${widgets()}/held`, ["merge", { metadata: { finalizers: null } }]),
  ),
  scenario(
    "51 deleting a definition for show, and with conditions",
    define([withSpec(size)]),
    { ...del(CRD), ...dry },
    del(CRD, { preconditions: { uid: "x" } }),
    del(CRD, { preconditions: { resourceVersion: "1" } }),
    del(CRD, { propagationPolicy: "Foreground" }),
  ),
  scenario(
    "57 versions",
    define([
      withSpec({ ...size, color: { type: "string" } }),
      withSpec(size, { name: "v2", storage: false }),
      withSpec(size, { name: "v3", storage: false, served: false }),
    ]),
    as("made", createSpec("a", { size: 1, color: "red" })),
    get(`${widgets("v2")}/a`),
    get(`${widgets("v3")}/a`),
    get(widgets("v2")),
    post(widgets("v2"), widget("b", { spec: { size: 2, color: "blue" } }, "v2")),
    get(`${widgets()}/b`),
    post(widgets("v2"), widget("c")),
    patch(`${widgets("v2")}/a`, ["merge", { spec: { size: 3 } }]),
    get(`${widgets()}/a`),
    watch(widgets("v2"), { query: { resourceVersion: "0" }, until: { events: 2 } }),
    get(`/apis/${GROUP}`),
  ),
  scenario(
    "57 the storage version changes",
    define([withSpec(size), withSpec(size, { name: "v2", storage: false })]),
    createSpec("a", { size: 1 }),
    as(
      "moved",
      patch(CRD, [
        "merge",
        {
          spec: { versions: [withSpec(size, { storage: false }), withSpec(size, { name: "v2" })] },
        },
      ]),
    ),
    settle(),
    get(`${widgets()}/a`),
    get(`${widgets("v2")}/a`),
    patch(CRD, ["merge", { spec: { versions: [withSpec(size, { name: "v2" })] } }]),
    patch(`${CRD}/status`, ["merge", { status: { storedVersions: ["v2"] } }]),
    patch(CRD, ["merge", { spec: { versions: [withSpec(size, { name: "v2" })] } }]),
    patch(`${CRD}/status`, ["merge", { status: { storedVersions: [] } }]),
    patch(`${CRD}/status`, ["merge", { status: { storedVersions: ["v9"] } }]),
  ),
  scenario(
    "57 deprecated versions warn",
    define([
      withSpec(size),
      withSpec(size, { name: "v1beta1", storage: false, deprecated: true }),
      withSpec(size, {
        name: "v1alpha1",
        storage: false,
        deprecated: true,
        deprecationWarning: "use something else",
      }),
    ]),
    post(widgets("v1beta1"), widget("a", {}, "v1beta1")),
    get(widgets("v1beta1")),
    get(`${widgets("v1alpha1")}/a`),
    get(`${widgets()}/a`),
  ),
  scenario(
    "changing a definition",
    define([withSpec(size)]),
    patch(CRD, ["merge", { spec: { scope: "Cluster" } }]),
    patch(CRD, ["merge", { spec: { group: "other.example.com" } }]),
    patch(CRD, ["merge", { spec: { names: { plural: "gadgets" } } }]),
    patch(CRD, ["merge", { spec: { names: { kind: "Gadget", listKind: "GadgetList" } } }]),
    patch(CRD, ["merge", { spec: { names: { shortNames: ["wg"], categories: ["all"] } } }]),
    put(CRD, definition([withSpec(size)])),
    put(CRD, edited("definition", { metadata: { resourceVersion: null } })),
  ),
  judged(
    "names",
    definition([withSpec(size)], { metadata: { name: "other" } }),
    definition([withSpec(size)], { group: "nodots" }),
    definition([withSpec(size)], { group: "" }),
    definition([withSpec(size)], { scope: "Somewhere" }),
    definition([withSpec(size)], { scope: "" }),
    names({ plural: "Widgets" }),
    names({ singular: "Wi_dget" }),
    names({ kind: "wi dget" }),
    names({ kind: "" }),
    names({ kind: "Same", listKind: "Same" }),
    names({ shortNames: ["UP", "a b"] }),
    names({ categories: ["UP"] }),
    names({ listKind: "", singular: "" }),
  ),
  judged(
    "versions of a definition",
    definition([]),
    definition([withSpec(size, { storage: false })]),
    definition([withSpec(size), withSpec(size)]),
    definition([withSpec(size), withSpec(size, { name: "v2" })]),
    definition([withSpec(size, { name: "V_1" })]),
    definition([{ name: "v1", served: true, storage: true }]),
    definition([withSpec(size, { served: false })]),
    definition([withSpec(size, { deprecationWarning: "no" })]),
    definition([withSpec(size, { deprecated: true, deprecationWarning: "" })]),
    definition([withSpec(size)], { preserveUnknownFields: true }),
  ),
  judged(
    "subresources, columns and selectable fields",
    ofSpec(size, { subresources: { scale: { specReplicasPath: "", statusReplicasPath: "" } } }),
    ofSpec(size, {
      subresources: {
        scale: { specReplicasPath: "spec.size", statusReplicasPath: ".status.size" },
      },
    }),
    ofSpec(size, {
      subresources: {
        scale: {
          specReplicasPath: ".status.size",
          statusReplicasPath: ".spec.size",
          labelSelectorPath: ".metadata.x",
        },
      },
    }),
    ofSpec(size, {
      additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
    }),
    ofSpec(size, { additionalPrinterColumns: [{ name: "", type: "int", jsonPath: "" }] }),
    ofSpec(size, {
      additionalPrinterColumns: [{ name: "Bad", type: "string", format: "x", jsonPath: "{.a" }],
    }),
    ofSpec(size, { selectableFields: [{ jsonPath: ".spec.size" }] }),
    ofSpec(size, { selectableFields: [{ jsonPath: ".spec.none" }] }),
    ofSpec(size, { selectableFields: [{ jsonPath: "spec.size" }] }),
    ofSpec(size, { selectableFields: [{ jsonPath: ".metadata.name" }] }),
    ofSpec(size, { selectableFields: [{ jsonPath: ".spec" }] }),
    ofSpec(size, { selectableFields: [{ jsonPath: ".spec.size" }, { jsonPath: ".spec.size" }] }),
    ofSpec(
      { list: { type: "array", items: { type: "string" } } },
      { selectableFields: [{ jsonPath: ".spec.list" }] },
    ),
  ),
  judged(
    "conversion",
    definition([withSpec(size)], { conversion: { strategy: "None" } }),
    definition([withSpec(size)], { conversion: { strategy: "Other" } }),
    definition([withSpec(size)], { conversion: { strategy: "Webhook" } }),
    definition([withSpec(size)], {
      conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"] } },
    }),
    definition([withSpec(size)], {
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: [], clientConfig: { url: "https://example.com/a" } },
      },
    }),
    definition([withSpec(size)], {
      conversion: {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v9"],
          clientConfig: { url: "http://example.com/a" },
        },
      },
    }),
    definition([withSpec(size)], {
      conversion: {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v1", "v1"],
          clientConfig: { url: "https://u:p@example.com/a?b#c" },
        },
      },
    }),
    definition([withSpec(size)], {
      conversion: {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v1"],
          clientConfig: { service: { name: "", namespace: "", port: 70000, path: "x//y" } },
        },
      },
    }),
    definition([withSpec(size)], {
      conversion: {
        strategy: "Webhook",
        webhook: {
          conversionReviewVersions: ["v1"],
          clientConfig: { service: { name: "a", namespace: "b" }, url: "https://example.com" },
        },
      },
    }),
    definition([withSpec(size)], {
      conversion: {
        strategy: "None",
        webhook: {
          conversionReviewVersions: ["v1"],
          clientConfig: { url: "https://example.com/a" },
        },
      },
    }),
  ),
  judged(
    "structural schemas: types",
    schema({}),
    schema({ type: "string" }),
    schema({ type: "object", properties: { spec: {} } }),
    schema({ type: "object", properties: { spec: { type: "unknown" } } }),
    schema({ type: "object", properties: { a: { type: "array" } } }),
    schema({ type: "object", properties: { a: { type: "array", items: {} } } }),
    schema({ type: "object", properties: { a: { type: "array", items: [{ type: "string" }] } } }),
    schema({ type: "object", properties: { a: { type: "object", additionalProperties: false } } }),
    schema({
      type: "object",
      properties: {
        a: { type: "object", additionalProperties: true, properties: { b: { type: "string" } } },
      },
    }),
    schema({
      type: "object",
      properties: {
        a: {
          type: "object",
          additionalProperties: { type: "string" },
          properties: { b: { type: "string" } },
        },
      },
    }),
    schema({ type: "object", additionalProperties: { type: "string" } }),
    schema({
      type: "object",
      properties: { a: { type: "string", nullable: true, default: null } },
    }),
    schema({ type: "object", properties: { a: { "x-kubernetes-int-or-string": true } } }),
    schema({
      type: "object",
      properties: { a: { "x-kubernetes-int-or-string": true, type: "string" } },
    }),
    schema({
      type: "object",
      properties: {
        a: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
      },
    }),
    schema({
      type: "object",
      properties: { a: { "x-kubernetes-preserve-unknown-fields": false } },
    }),
    schema({ type: "object", properties: { a: { "x-kubernetes-preserve-unknown-fields": true } } }),
    schema({
      type: "object",
      properties: { a: { type: "string", "x-kubernetes-preserve-unknown-fields": true } },
    }),
    schema({
      type: "object",
      properties: { a: { type: "object", "x-kubernetes-embedded-resource": true } },
    }),
    schema({
      type: "object",
      properties: { a: { type: "string", "x-kubernetes-embedded-resource": true } },
    }),
  ),
  judged(
    "structural schemas: logic and metadata",
    schema({
      type: "object",
      properties: { a: { type: "string" } },
      anyOf: [{ properties: { b: { type: "string" } } }],
    }),
    schema({
      type: "object",
      properties: { a: { type: "string" } },
      allOf: [{ properties: { a: { minLength: 1 } } }],
    }),
    schema({ type: "object", properties: { a: { type: "string" } }, not: { required: ["a"] } }),
    schema({
      type: "object",
      properties: { a: { type: "string" } },
      oneOf: [{ required: ["a"], description: "x" }],
    }),
    schema({
      type: "object",
      properties: { a: { type: "integer" } },
      anyOf: [{ properties: { a: { default: 1 } } }],
    }),
    schema({
      type: "object",
      properties: { a: { type: "integer" } },
      anyOf: [{ properties: { a: { nullable: true } } }],
    }),
    schema({ type: "object", properties: { metadata: { type: "object" } } }),
    schema({
      type: "object",
      properties: {
        metadata: { type: "object", properties: { name: { type: "string", pattern: "^a" } } },
      },
    }),
    schema({
      type: "object",
      properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } },
    }),
    schema({ type: "object", properties: { metadata: { type: "string" } } }),
    schema({
      type: "object",
      properties: { apiVersion: { type: "integer" }, kind: { type: "string", minLength: 1 } },
    }),
    schema({ type: "object", properties: { a: { $ref: "#/definitions/x" } } }),
    schema({ type: "object", definitions: { x: { type: "string" } } }),
    schema({ type: "object", dependencies: { a: ["b"] } }),
    schema({ type: "object", id: "x", $schema: "https://example.com" }),
    schema({ type: "object", patternProperties: { a: { type: "string" } } }),
    schema({
      type: "object",
      properties: { a: { type: "array", items: { type: "string" }, uniqueItems: true } },
    }),
    schema({
      type: "object",
      properties: {
        a: { type: "array", items: { type: "string" }, additionalItems: { type: "string" } },
      },
    }),
    schema({
      type: "object",
      properties: {
        a: { type: "string", externalDocs: { url: "https://example.com" }, example: 1, title: "t" },
      },
    }),
  ),
  judged(
    "structural schemas: values and defaults",
    ofSpec({ a: { type: "integer", minimum: 5, maximum: 1, multipleOf: 0 } }),
    ofSpec({ a: { type: "string", minLength: -1, maxLength: -2, pattern: "(" } }),
    ofSpec({ a: { type: "string", pattern: "(?=x)" } }),
    ofSpec({ a: { type: "string", format: "unknown" } }),
    ofSpec({ a: { type: "string", enum: [] } }),
    ofSpec({ a: { type: "string", enum: ["a", "a"] } }),
    ofSpec({ a: { type: "integer", enum: ["a"], default: 3 } }),
    ofSpec({ a: { type: "integer", default: "x" } }),
    ofSpec({ a: { type: "integer", maximum: 3, default: 4 } }),
    ofSpec({
      a: { type: "object", properties: { b: { type: "string" } }, default: { b: "x", c: 1 } },
    }),
    ofSpec({
      a: { type: "object", properties: { b: { type: "string" } }, required: ["b"], default: {} },
    }),
    ofSpec({ a: { type: "string", default: null } }),
    ofSpec({ a: { type: "array", items: { type: "integer", default: 1 }, default: [] } }),
    schema({ type: "object", default: {}, properties: { spec: { type: "object" } } }),
    schema({ type: "object", properties: { metadata: { type: "object", default: {} } } }),
    ofSpec({ a: { type: "string", minItems: 1, required: ["x"], minProperties: 1 } }),
  ),
  judged(
    "structural schemas: list and map types",
    ofSpec({ a: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } } }),
    ofSpec({ a: { type: "array", "x-kubernetes-list-type": "set", items: { type: "object" } } }),
    ofSpec({
      a: {
        type: "array",
        "x-kubernetes-list-type": "set",
        items: { type: "object", "x-kubernetes-map-type": "atomic" },
      },
    }),
    ofSpec({
      a: {
        type: "array",
        "x-kubernetes-list-type": "set",
        items: { type: "string", nullable: true },
      },
    }),
    ofSpec({ a: { type: "array", "x-kubernetes-list-type": "map", items: { type: "object" } } }),
    ofSpec({
      a: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object" },
      },
    }),
    ofSpec({
      a: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", properties: { k: { type: "string" } } },
      },
    }),
    ofSpec({
      a: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k", "k"],
        items: { type: "object", required: ["k"], properties: { k: { type: "object" } } },
      },
    }),
    ofSpec({
      a: {
        type: "array",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", required: ["k"], properties: { k: { type: "string" } } },
      },
    }),
    ofSpec({
      a: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", properties: { k: { type: "string", default: "x" } } },
      },
    }),
    ofSpec({ a: { type: "array", "x-kubernetes-list-type": "bag", items: { type: "string" } } }),
    ofSpec({ a: { type: "string", "x-kubernetes-list-type": "set" } }),
    ofSpec({ a: { type: "object", "x-kubernetes-map-type": "atomic" } }),
    ofSpec({ a: { type: "object", "x-kubernetes-map-type": "loose" } }),
    ofSpec({ a: { type: "string", "x-kubernetes-map-type": "atomic" } }),
  ),
  scenario(
    "51 approval of protected groups",
    post(
      CRDS,
      definition([withSpec(size)], {
        group: "${ns}.k8s.io",
        metadata: { name: "widgets.${ns}.k8s.io" },
      }),
      dry,
    ),
    post(
      CRDS,
      definition([withSpec(size)], {
        group: "${ns}.k8s.io",
        metadata: {
          name: "widgets.${ns}.k8s.io",
          annotations: { "api-approved.kubernetes.io": "nonsense" },
        },
      }),
      dry,
    ),
    post(
      CRDS,
      definition([withSpec(size)], {
        group: "${ns}.k8s.io",
        metadata: {
          name: "widgets.${ns}.k8s.io",
          annotations: { "api-approved.kubernetes.io": "unapproved, a test" },
        },
      }),
      dry,
    ),
    post(
      CRDS,
      definition([withSpec(size)], {
        group: "${ns}.k8s.io",
        metadata: {
          name: "widgets.${ns}.k8s.io",
          annotations: { "api-approved.kubernetes.io": "https://example.com/1" },
        },
      }),
      dry,
    ),
  ),
  scenario(
    "cluster scope",
    define([version({})], { scope: "Cluster" }),
    post(`/apis/${GROUP}/v1/widgets`, widget("a")),
    get(`/apis/${GROUP}/v1/widgets/a`),
    get(`${widgets()}/a`),
    post(widgets(), widget("b")),
    get(`/apis/${GROUP}/v1/widgets`),
    del(`/apis/${GROUP}/v1/widgets`),
  ),
];

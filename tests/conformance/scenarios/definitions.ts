/** The life of a definition (semantics 51 and 57). */
import {
  apply,
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
import { definitionRefusals } from "./definition-refusals.ts";
import { definitionSchemas } from "./definition-schemas.ts";
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
    as(
      "held",
      post(widgets(), {
        ...widget("held"),
        metadata: { name: "held", finalizers: ["example.com/hold"] },
      }),
    ),
    as("deleted", del(CRD)),
    watch(CRDS, {
      query: { resourceVersion: "${deleted:rv}", ...own.query },
      until: { events: 1 },
    }),
    // One is gone, one marked.
    watch(widgets(), { query: { resourceVersion: "${held:rv}" }, until: { events: 2 } }),
    settle(),
    create("late"),
    apply(`${widgets()}/late`, ["me", widget("late", { spec: { size: 1 } })]),
    apply(`${widgets()}/late`, ["me", widget("late", { spec: { size: "x" } })]),
    apply(`${widgets()}/late`, ["me", widget("late")], dry),
    apply(`${widgets()}/held`, ["me", widget("held", { spec: { size: 1 } })]),
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
    "a converter that nobody can trust",
    as(
      "made",
      post(CRDS, {
        ...definition([withSpec(size)], {
          conversion: {
            strategy: "Webhook",
            webhook: {
              conversionReviewVersions: ["v1"],
              clientConfig: { url: "https://example.com/convert", caBundle: "bm90aGluZw==" },
            },
          },
        }),
      }),
    ),
    watch(CRDS, { query: { resourceVersion: "${made:rv}", ...own.query }, until: { events: 2 } }),
    settle(),
    get(CRD),
    get(widgets()),
    create("a"),
    get(`/apis/${GROUP}/v1/widgets/a`),
    get(`/apis/${GROUP}`),
    get(`/apis/${GROUP}/v1`),
    patch(CRD, ["merge", { metadata: { labels: { a: "b" } } }]),
    as(
      "mended",
      patch(CRD, ["merge", { spec: { conversion: { strategy: "None", webhook: null } } }]),
    ),
    watch(CRDS, { query: { resourceVersion: "${mended:rv}", ...own.query }, until: { events: 1 } }),
    get(CRD),
  ),
  scenario(
    "a resource in a version of a built-in group",
    post(
      CRDS,
      definition([withSpec(size)], {
        group: "networking.k8s.io",
        metadata: {
          name: "widgets.networking.k8s.io",
          annotations: { "api-approved.kubernetes.io": "unapproved, a test" },
        },
      }),
    ),
    settle(),
    get("/apis/networking.k8s.io"),
    get("/apis/networking.k8s.io/v1"),
    post("/apis/networking.k8s.io/v1/namespaces/${ns}/widgets", {
      apiVersion: "networking.k8s.io/v1",
      kind: "Widget",
      metadata: { name: "a" },
      spec: { size: 1 },
    }),
    get("/apis/networking.k8s.io/v1/namespaces/${ns}/widgets/a"),
    get("/apis/networking.k8s.io/v1/widgets"),
    // When its status is written, and in which order, is chance.
    del(`${CRDS}/widgets.networking.k8s.io`, undefined, {
      query: { includeObject: "None" },
      headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
    }),
    settle(),
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
  ...definitionRefusals,
  ...definitionSchemas,
];

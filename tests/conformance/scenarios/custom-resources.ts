/** Objects of custom resources: how they are read, written and answered. */
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
  watch,
} from "../scenario.ts";
import { customSchemas } from "./custom-schemas.ts";
import { customValues } from "./custom-values.ts";
import {
  create,
  createSpec,
  define,
  GROUP,
  version,
  widget,
  widgets,
  withSpec,
} from "./sample-definitions.ts";

const place = widgets();
const text = (body: string, type = "application/json") => ({
  body: { text: body },
  headers: { "content-type": type },
});

const replicas = {
  properties: {
    spec: {
      type: "object",
      properties: { replicas: { type: "integer" }, image: { type: "string" } },
    },
    status: {
      type: "object",
      properties: { replicas: { type: "integer" }, selector: { type: "string" } },
    },
  },
};
const scale = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".status.selector",
};

export const customResources: readonly Scenario[] = [
  scenario(
    "bodies of no type",
    define([withSpec({ size: { type: "integer" } })]),
    { ...post(place, {}), ...text('{"metadata":{"name":"a"}}') },
    { ...post(place, {}), ...text(`{"kind":"Widget","metadata":{"name":"a"}}`) },
    { ...post(place, {}), ...text(`{"apiVersion":"${GROUP}/v1","metadata":{"name":"a"}}`) },
    post(place, { ...widget("a"), kind: "Gadget" }),
    post(place, { ...widget("a"), apiVersion: `${GROUP}/v2` }),
    post(place, { ...widget("a"), apiVersion: "v1", kind: "ConfigMap" }),
    post(place, { ...widget("a"), metadata: "x" }),
    post(place, { ...widget("a"), metadata: { name: 1 } }),
    post(place, { ...widget("a"), metadata: { name: "a", labels: { a: 1 } } }),
    post(place, { ...widget("a"), metadata: { name: "a", labels: ["x"] } }),
    post(place, { ...widget("a"), metadata: { name: "a", creationTimestamp: "yesterday" } }),
    post(place, {
      ...widget("a"),
      metadata: { name: "a", generation: 7, uid: "x", creationTimestamp: null },
    }),
    post(place, { ...widget("Bad_Name") }),
    post(place, { ...widget(""), metadata: { generateName: "gen-" } }),
    post(place, { ...widget(""), metadata: {} }),
    post(place, { ...widget("b"), metadata: { name: "b", namespace: "other" } }),
    { ...post(place, {}), ...text("{bad") },
    { ...post(place, {}), ...text("[]") },
    { ...post(place, {}), ...text("") },
    {
      ...post(place, {}),
      ...text(
        `apiVersion: ${GROUP}/v1\nkind: Widget\nmetadata: {name: yaml}\nspec: {size: 3}\n`,
        "application/yaml",
      ),
    },
  ),
  scenario(
    "status and scale",
    define([version(replicas, { subresources: { status: {}, scale } })]),
    as("made", create("a", { spec: { replicas: 1 }, status: { replicas: 9 } })),
    put(
      `${place}/a/status`,
      edited("made", {
        metadata: { labels: { a: "b" } },
        spec: { replicas: 7 },
        status: { replicas: 3, selector: "a=b" },
      }),
    ),
    get(`${place}/a/status`),
    get(`${place}/a/scale`),
    patch(`${place}/a`, ["merge", { status: { replicas: 5 } }]),
    patch(`${place}/a/scale`, ["merge", { spec: { replicas: 4 } }]),
    patch(`${place}/a/scale`, ["merge", { spec: { replicas: -1 } }]),
    patch(`${place}/a/scale`, [
      "merge",
      { metadata: { resourceVersion: "1" }, spec: { replicas: 1 } },
    ]),
    patch(`${place}/a/status`, ["merge", { status: { replicas: "x" } }]),
    patch(`${place}/a/status`, ["merge", { status: { replicas: -1 } }]),
    patch(`${place}/a/status`, ["merge", { status: { selector: 1 } }]),
    patch(`${place}/a/status`, ["merge", { status: null }]),
    patch(`${place}/a`, ["merge", { spec: { replicas: -1 } }]),
    patch(`${place}/a`, ["merge", { spec: { replicas: 3000000000 } }]),
    as("bare", create("b", { spec: {} })),
    get(`${place}/b/scale`),
    patch(`${place}/b/scale`, ["merge", { spec: { replicas: 2 } }]),
    get(`${place}/b`),
    get(`${place}/c/scale`),
    del(`${place}/a/scale`),
    get(`${place}/a`),
  ),
  scenario(
    "without subresources",
    define([version(replicas)]),
    as("made", create("a", { spec: { replicas: 1 }, status: { replicas: 9 } })),
    get(`${place}/a/status`),
    get(`${place}/a/scale`),
    patch(`${place}/a`, ["merge", { status: { replicas: 5 } }]),
    patch(`${place}/a`, ["merge", { metadata: { labels: { a: "b" } } }]),
    patch(`${place}/a`, ["merge", { spec: { replicas: 2 } }]),
    put(`${place}/a`, widget("a")),
    put(`${place}/a`, edited("made")),
    put(`${place}/missing`, widget("missing")),
  ),
  scenario(
    "selectable fields and labels",
    define([
      version(replicas, {
        subresources: { status: {} },
        selectableFields: [{ jsonPath: ".spec.image" }, { jsonPath: ".spec.replicas" }],
      }),
    ]),
    post(place, {
      ...widget("a", { spec: { image: "x", replicas: 1 } }),
      metadata: { name: "a", labels: { l: "1" } },
    }),
    post(place, {
      ...widget("b", { spec: { image: "y" } }),
      metadata: { name: "b", labels: { l: "2" } },
    }),
    create("c"),
    get(place, { query: { fieldSelector: "spec.image=x" } }),
    get(place, { query: { fieldSelector: "spec.image!=x" } }),
    get(place, { query: { fieldSelector: "spec.replicas=1" } }),
    get(place, { query: { fieldSelector: "spec.image=" } }),
    get(place, { query: { fieldSelector: "spec.other=1" } }),
    get(place, { query: { fieldSelector: "metadata.name=b" } }),
    get(place, { query: { labelSelector: "l in (1,2)" } }),
    get(place, { query: { limit: "1" } }),
    watch(place, {
      query: { resourceVersion: "0", fieldSelector: "spec.image=x" },
      first: 1,
      during: [
        patch(`${place}/b`, ["merge", { spec: { image: "x" } }]),
        patch(`${place}/a`, ["merge", { spec: { image: "z" } }]),
      ],
      until: { events: 3 },
    }),
    { ...del(place), query: { fieldSelector: "spec.image=x" } },
    get(place),
  ),
  scenario(
    "deletion and finalizers",
    define([version(replicas)]),
    post(place, {
      ...widget("a"),
      metadata: {
        name: "a",
        finalizers: ["example.com/x", "plain", "with.dot", "foregroundDeletion"],
      },
    }),
    del(`${place}/a`),
    patch(`${place}/a`, ["merge", { metadata: { finalizers: ["new"] } }]),
    patch(`${place}/a`, ["merge", { metadata: { finalizers: null } }]),
    get(`${place}/a`),
    create("b"),
    del(`${place}/b`, { propagationPolicy: "Foreground" }),
    create("c"),
    { ...del(`${place}/c`), query: { dryRun: "All" } },
    del(place),
  ),
  scenario(
    "dry runs and no-ops",
    define([version(replicas)]),
    post(place, widget("a"), { query: { dryRun: "All" } }),
    get(`${place}/a`),
    as("made", createSpec("a", { replicas: 1 })),
    put(`${place}/a`, edited("made")),
    patch(`${place}/a`, ["merge", {}]),
    patch(`${place}/a`, ["merge", { spec: { replicas: 2 } }], { query: { dryRun: "All" } }),
    get(`${place}/a`),
    post(place, widget("a")),
  ),
  scenario(
    "keys that languages find special",
    define([version({ "x-kubernetes-preserve-unknown-fields": true })]),
    {
      ...post(place, {}),
      ...text(
        `{"apiVersion":"${GROUP}/v1","kind":"Widget","metadata":{"name":"a"},"__proto__":{"x":1},"constructor":{"y":[{"__proto__":2}]},"10":1,"9":2}`,
      ),
    },
    get(`${place}/a`),
    patch(`${place}/a`, ["merge", { constructor: { z: 1 } }]),
  ),
  ...customSchemas,
  ...customValues,
];

/** Tables and metadata alone: by Accept, for objects, lists, watches and writes (semantic 63). */
import { as, del, get, patch, post, type Scenario, scenario, watch } from "../scenario.ts";
import { define, version, widget, widgets } from "./sample-definitions.ts";
import { sampleOf } from "./sample-objects.ts";
import { tableRows } from "./table-rows.ts";
import { BARE, TABLE } from "./table-workloads.ts";

const form = (kind: string, more = "v=v1;g=meta.k8s.io", media = "application/json") => ({
  headers: { accept: `${media};as=${kind};${more}` },
});
const PARTIAL = form("PartialObjectMetadata");
const PARTIAL_LIST = form("PartialObjectMetadataList");
const map = (name: string) =>
  post("configmaps", { metadata: { name, labels: { l: name } }, data: { k: name } });
const OWN = { fieldSelector: "metadata.name!=kube-root-ca.crt" };

const columns = [
  { name: "Size", type: "integer", jsonPath: ".spec.size" },
  { name: "Share", type: "number", jsonPath: ".spec.share", format: "double" },
  { name: "On", type: "boolean", jsonPath: ".spec.on", priority: 1 },
  { name: "Text", type: "string", jsonPath: ".spec.text", description: "a text" },
  { name: "Whole", type: "string", jsonPath: ".spec.parts" },
  { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: "First", type: "string", jsonPath: ".spec.parts[0].name" },
  { name: "Last", type: "string", jsonPath: ".spec.parts[-1:].name" },
  { name: "Beyond", type: "string", jsonPath: ".spec.parts[9].name" },
  { name: "Label", type: "string", jsonPath: ".metadata.labels['app\\.kubernetes\\.io/name']" },
  { name: "Deep", type: "string", jsonPath: "..deep" },
  { name: "Any", type: "string", jsonPath: ".spec.parts[*].name" },
  { name: "Since", type: "date", jsonPath: ".spec.since" },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
];
const open = { "x-kubernetes-preserve-unknown-fields": true };
const printed = version(open, {
  additionalPrinterColumns: columns,
  subresources: {
    status: {},
    scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
  },
});

export const tables: readonly Scenario[] = [
  ...tableRows,
  scenario(
    "how much of an object a row carries",
    map("a"),
    get("configmaps/a", { ...BARE, query: { includeObject: "None" } }),
    get("configmaps/a", { ...BARE, query: { includeObject: "Metadata" } }),
    get("configmaps/a", { ...BARE, query: { includeObject: "Object" } }),
    get("configmaps/a", { ...BARE, query: { includeObject: "Foo" } }),
    get("configmaps/b", { ...BARE, query: { includeObject: "Foo" } }),
    get("configmaps/a", {
      ...form("Table", "v=v1beta1;g=meta.k8s.io"),
      query: { includeObject: "Metadata" },
    }),
    get("limitranges", BARE),
    get("secrets", BARE),
  ),
  scenario(
    "which forms there are",
    map("a"),
    post("deployments", sampleOf("deployments")),
    ...[
      form("Table", "v=v2;g=meta.k8s.io"),
      form("Nope"),
      form("table"),
      { headers: { accept: "application/json;as=Table" } },
      { headers: { accept: "application/json;g=meta.k8s.io;v=v1" } },
      { headers: { accept: "application/json;as=Nope;v=v1;g=meta.k8s.io,application/json" } },
      { headers: { accept: "*/*;as=Table;v=v1;g=meta.k8s.io" } },
      { headers: { accept: "application/*;as=Table;v=v1;g=meta.k8s.io" } },
      {
        headers: {
          accept:
            "application/json;q=0.1,application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
        },
      },
      { headers: { accept: "application/json;stream=watch" } },
      { headers: { accept: "application/yaml;stream=watch" } },
      { headers: { accept: "application/json;stream=foo" } },
      { headers: { accept: "application/json;sv=v1" } },
      { headers: { accept: "application/json;sv=v2" } },
      { headers: { accept: "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io" } },
      PARTIAL_LIST,
    ].map((options) => get("configmaps/a", options)),
    get("configmaps", PARTIAL),
    get("deployments", PARTIAL),
    get("deployments/a", PARTIAL_LIST),
    get("deployments/a/scale", PARTIAL_LIST),
    get("/api/v1", { headers: TABLE }),
    get("configmaps/nothing", { headers: TABLE }),
    get("configmaps/nothing", PARTIAL),
    post(
      "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec: { nonResourceAttributes: { path: "/", verb: "get" } },
      },
      { headers: TABLE },
    ),
  ),
  scenario(
    "tables of subresources",
    post("deployments", sampleOf("deployments")),
    get("deployments/a/scale", { headers: TABLE }),
    get("deployments/a/scale", { ...BARE, query: { includeObject: "Object" } }),
    get("deployments/a/scale", PARTIAL),
    get("deployments/a/status", { headers: TABLE }),
    patch("deployments/a/scale", ["merge", { spec: { replicas: 4 } }], BARE),
    post("resourceclaims", sampleOf("resourceclaims")),
    get("resourceclaims/a/status", { headers: TABLE }),
    get("/api/v1/namespaces/${ns}", BARE),
    get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/nothing/status", {
      headers: TABLE,
    }),
  ),
  scenario(
    "writes answered as tables",
    post(
      "configmaps",
      { metadata: { name: "a" } },
      { ...BARE, query: { includeObject: "None", dryRun: "All" } },
    ),
    post("configmaps", { metadata: { name: "a" } }, BARE),
    post("configmaps", { metadata: { name: "a" } }, BARE),
    patch("configmaps/a", ["merge", { data: { k: "v" } }], BARE),
    patch("configmaps/a", ["merge", { metadata: { labels: { l: "1" } } }], PARTIAL),
    post("configmaps", { metadata: { name: "b" } }, PARTIAL),
    post("configmaps", { metadata: { name: "c" } }, PARTIAL_LIST),
    get("configmaps/c"),
    del("configmaps/a", undefined, BARE),
    del("configmaps", undefined, {
      ...BARE,
      query: { includeObject: "None", labelSelector: "none=such" },
    }),
    post("pods", sampleOf("pods")),
    del("pods/a", { gracePeriodSeconds: 0 }, BARE),
  ),
  scenario(
    "metadata of lists",
    map("a"),
    map("b"),
    get("configmaps", { ...PARTIAL_LIST, query: OWN }),
    get("configmaps", {
      ...form("PartialObjectMetadataList", "v=v1beta1;g=meta.k8s.io"),
      query: { ...OWN, limit: "1" },
    }),
    get("configmaps", { headers: TABLE, query: { ...OWN, limit: "1" } }),
    get("secrets", PARTIAL_LIST),
    get("pods", PARTIAL_LIST),
  ),
  scenario(
    "a watch as tables says its columns once",
    map("a"),
    watch("configmaps", {
      ...BARE,
      query: { ...BARE.query, ...OWN },
      first: 1,
      until: { events: 5 },
      during: [
        map("b"),
        patch("configmaps/a", ["merge", { data: { x: "y" } }]),
        del("configmaps/b"),
        map("end"),
      ],
    }),
    watch("configmaps", {
      headers: TABLE,
      query: {
        ...OWN,
        sendInitialEvents: "true",
        resourceVersionMatch: "NotOlderThan",
        allowWatchBookmarks: "true",
        timeoutSeconds: "60",
      },
      until: { events: 3 },
    }),
  ),
  scenario(
    "a watch of metadata",
    map("a"),
    watch("configmaps", {
      ...PARTIAL,
      query: {
        ...OWN,
        sendInitialEvents: "true",
        resourceVersionMatch: "NotOlderThan",
        allowWatchBookmarks: "true",
      },
      first: 2,
      until: { name: "end" },
      during: [map("b"), del("configmaps/b"), map("end")],
    }),
    watch("configmaps", { ...PARTIAL_LIST, query: OWN, until: "end" }),
    watch("configmaps", {
      headers: { accept: "application/yaml;as=Table;v=v1;g=meta.k8s.io" },
      until: "end",
    }),
    watch("configmaps", { headers: TABLE, query: { includeObject: "Foo" }, until: "end" }),
  ),
  scenario(
    "columns of a definition",
    define([printed]),
    as(
      "made",
      post(widgets(), {
        ...widget("full"),
        metadata: { name: "full", labels: { "app.kubernetes.io/name": "n" } },
        spec: {
          size: 3,
          share: 1.5,
          on: true,
          text: "t",
          replicas: 2,
          parts: [{ name: "p1" }, { name: "p2", inner: { deep: "found" } }],
          since: "2020-01-02T03:04:05Z",
        },
      }),
    ),
    post(widgets(), {
      ...widget("odd"),
      spec: { size: "x", share: 2, on: "yes", text: 7, parts: [], since: "yesterday" },
    }),
    post(widgets(), {
      ...widget("none"),
      spec: { size: 2.5, share: "x", text: null, parts: [{}], since: "" },
    }),
    post(widgets(), { ...widget("zero"), spec: { text: 1234567.5, parts: [{ name: true }] } }),
    patch(`${widgets()}/full/status`, [
      "merge",
      {
        status: {
          conditions: [
            { type: "Odd", status: "False" },
            { type: "Ready", status: "True" },
          ],
        },
      },
    ]),
    get(`${widgets()}/full`, { headers: TABLE }),
    get(widgets(), BARE),
    get(`${widgets()}/full/status`, BARE),
    get(`${widgets()}/full/scale`, { headers: TABLE }),
    get(`${widgets()}/full`, { ...BARE, query: { includeObject: "Object" } }),
    get(`${widgets()}/full`, PARTIAL),
    get(widgets(), PARTIAL_LIST),
    get(widgets(), PARTIAL),
    get(`${widgets()}/full`, PARTIAL_LIST),
    get(`${widgets()}/full`, { headers: { accept: "application/vnd.kubernetes.protobuf" } }),
    get(`${widgets()}/full`, { headers: { accept: "text/html" } }),
    get(`${widgets()}/full`, { headers: { accept: "application/*" } }),
    watch(widgets(), {
      ...BARE,
      first: 4,
      until: { events: 5 },
      during: [post(widgets(), { ...widget("end"), spec: { size: 1 } })],
    }),
    watch(widgets(), {
      ...PARTIAL,
      query: {
        sendInitialEvents: "true",
        resourceVersionMatch: "NotOlderThan",
        allowWatchBookmarks: "true",
      },
      until: { events: 6 },
    }),
  ),
  scenario(
    "a definition without columns",
    define([version(open)]),
    post(widgets(), { ...widget("a"), spec: { size: 3 } }),
    get(`${widgets()}/a`, { headers: TABLE }),
    watch(widgets(), {
      headers: TABLE,
      query: {
        sendInitialEvents: "true",
        resourceVersionMatch: "NotOlderThan",
        allowWatchBookmarks: "true",
      },
      until: { events: 2 },
    }),
  ),
];

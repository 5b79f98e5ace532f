/** In which order a strict reader tells what it found, in every form of a body. */
import type { JsonObject } from "@homeostat/object-model";
import { get, patch, post, put, type RequestStep, type Scenario, scenario } from "../scenario.ts";
import { define, GROUP, version, widgets } from "./sample-definitions.ts";

const levels = ["Strict", "Warn", "Ignore", undefined] as const;

/** The body at every level of validation; `#` in it is another digit each time. */
function each(place: string, body: string, type = "application/json"): RequestStep[] {
  return levels.map((level, at) =>
    post(
      place,
      { text: body.replaceAll("#", String(at)) },
      {
        query: level === undefined ? {} : { fieldValidation: level },
        headers: { "content-type": type },
      },
    ),
  );
}

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: d#
  name: d#
  nope: 1
spec:
  zoo: 1
  zoo: 2
  replicas: 1
  another: 1
  paused: true
  paused: false
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec:
      containers:
      - name: c
        image: i
        strange: 1
        imagePullPolicy: Always
        imagePullPolicy: Never
`;

const schema: JsonObject = {
  properties: {
    spec: {
      type: "object",
      properties: {
        size: { type: "integer" },
        inner: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          properties: { data: { type: "object", properties: { a: { type: "string" } } } },
        },
        free: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
        list: { type: "array", items: { type: "object", properties: { a: { type: "string" } } } },
      },
    },
  },
};

const head = `apiVersion: "${GROUP}/v1"
kind: Widget`;
const WIDGET = `${head}
metadata:
  name: w#
  nope: 1
spec:
  zoo: 1
  zoo: 2
  size: 1
  size: 2
  list:
  - a: x
    b: y
  inner:
    apiVersion: v1
    kind: Thing
    metadata: {name: a, odd: 1, labels: {a: b}}
    data: {a: x, c: y}
  free:
    apiVersion: v1
    kind: Thing
    metadata: {name: a, odd: 1}
    data: {c: y}
another: 1
`;
const WIDGET_JSON = `{"apiVersion":"${GROUP}/v1","kind":"Widget","metadata":{"name":"j#","nope":1},"spec":{"zoo":1,"zoo":2,"size":1,"size":2,"list":[{"a":"x","b":"y"}],"inner":{"apiVersion":"v1","kind":"Thing","metadata":{"name":"a","odd":1},"data":{"a":"x","c":"y"}}},"another":1}`;

const operations = `[
  {"op": "add", "path": "/data/a", "value": "b", "foo": 1},
  {"op": "add", "path": "/data/a", "path": "/data/b", "value": "c"},
  {"bar": 1, "op": "add", "op": "add", "path": "/zoo", "value": {"x": 1, "x": 2}},
  {"op": "add", "path": "/metadata/nope", "value": [{"y": 1, "y": 2}], "from": "", "from": ""}
]`;

export const fieldValidationOrder: readonly Scenario[] = [
  scenario("YAML of a built-in kind", ...each("deployments", DEPLOYMENT, "application/yaml")),
  scenario(
    "custom resources, in YAML and JSON",
    define([version(schema)]),
    ...each(widgets(), WIDGET, "application/yaml"),
    ...each(widgets(), WIDGET_JSON),
    ...[
      `"apiVersion":"${GROUP}/v1","kind":null,"metadata":{"name":"a"}`,
      `"apiVersion":"${GROUP}/v2","kind":null`,
      `"apiVersion":"","kind":null`,
      `"kind":null`,
      `"kind":"","apiVersion":"${GROUP}/v1"`,
      `"apiVersion":null,"kind":null`,
      `"apiVersion":"${GROUP}/v1"`,
      "",
    ].flatMap((text) => each(widgets(), `{${text}}`)),
  ),
  scenario(
    "operations of a JSON patch",
    post("configmaps", { metadata: { name: "a" }, data: { x: "y" } }),
    ...levels.map((level) =>
      patch("configmaps/a", ["json", operations], {
        query: level === undefined ? {} : { fieldValidation: level },
      }),
    ),
    patch("configmaps/a", ["json", '[{"op":"test","path":"/data/x","value":"y","foo":1}]'], {
      query: { fieldValidation: "Warn" },
    }),
  ),
  scenario(
    "a group without a name",
    post("configmaps", { text: '{"apiVersion":"/v1","kind":"ConfigMap","metadata":{"name":"a"}}' }),
    put("configmaps/a", {
      text: '{"apiVersion":"/v1","kind":"ConfigMap","metadata":{"name":"a","labels":{"a":"b"}}}',
    }),
    post("configmaps", { text: '{"apiVersion":"v1/","kind":"ConfigMap","metadata":{"name":"b"}}' }),
    post("configmaps", { text: '{"apiVersion":"/","kind":"ConfigMap","metadata":{"name":"c"}}' }),
    post("configmaps", {
      text: '{"apiVersion":"//v1","kind":"ConfigMap","metadata":{"name":"d"}}',
    }),
    post("deployments", { text: '{"apiVersion":"/v1","kind":"Deployment"}' }),
    post("deployments", { text: '{"apiVersion":"apps/","kind":"Deployment"}' }),
  ),
  scenario(
    "a parameter of former versions",
    post("configmaps", { metadata: { name: "a" } }),
    ...["", "0", "1", "true", "false", "False", "no"].map((text) =>
      get("configmaps/a", { query: { export: text } }),
    ),
    get("configmaps", { query: { export: "true" } }),
  ),
];

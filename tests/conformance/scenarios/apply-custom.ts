/** Server-side apply of custom resources (semantics 33 to 37): what is one field is told by the schema. */
import type { JsonObject } from "@homeostat/object-model";
import {
  apply,
  as,
  edited,
  get,
  patch,
  put,
  type RequestOptions,
  type RequestStep,
  type Scenario,
  scenario,
  settle,
} from "../scenario.ts";
import { CRD, define, version, widget, widgets, withSpec } from "./sample-definitions.ts";

const place = `${widgets()}/a`;
const force: RequestOptions = { query: { force: "true" } };
const by = (fieldManager: string): RequestOptions => ({ query: { fieldManager } });
const applied = (manager: string, more: JsonObject, options: RequestOptions = {}): RequestStep =>
  apply(place, [manager, widget("a", more)], options);
const specOf = (manager: string, spec: JsonObject, options: RequestOptions = {}): RequestStep =>
  applied(manager, { spec }, options);

const second = { name: "v2", storage: false };
const unserved = { ...second, served: false };
const versionsBecome = (...versions: JsonObject[]): RequestStep =>
  patch(CRD, ["merge", { spec: { versions } }]);

const text = { type: "string" };
const number = { type: "integer" };
const entry = {
  type: "object",
  required: ["name"],
  properties: { name: text, value: text, port: { ...number, default: 80 } },
};
const lists = {
  atomic: { type: "array", items: text },
  set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
  numbers: { type: "array", items: number, "x-kubernetes-list-type": "set" },
  map: {
    type: "array",
    items: entry,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name", "port"],
  },
};
const status = { type: "object", properties: { ready: { type: "boolean" }, replicas: number } };
const scaled = version(
  {
    properties: {
      spec: { type: "object", properties: { replicas: number, image: text } },
      status,
    },
  },
  {
    subresources: {
      status: {},
      scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
    },
  },
);

const scaleOf = (replicas: number): JsonObject => ({
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata: { name: "a" },
  spec: { replicas },
});

export const applyCustom: readonly Scenario[] = [
  scenario(
    "custom: created, changed and given up",
    define([withSpec({ a: text, b: text })]),
    specOf("one", { a: "1", b: "1" }),
    specOf("one", { a: "1", b: "1" }),
    specOf("two", { a: "2" }),
    specOf("two", { a: "2" }, force),
    specOf("one", {}),
    as("now", get(place)),
    put(place, edited("now", { spec: { a: "3" } }), by("three")),
    patch(place, ["merge", { spec: { b: "9" } }], by("four")),
    specOf("two", {}),
  ),
  scenario(
    "custom: lists of every type",
    define([withSpec(lists)]),
    specOf("one", {
      atomic: ["a", "b"],
      set: ["a", "b"],
      numbers: [10, 9],
      map: [
        { name: "a", value: "1" },
        { name: "a", port: 81 },
      ],
    }),
    specOf("two", {
      set: ["c", "a"],
      numbers: [1],
      map: [{ name: "b" }, { name: "a", port: 80, value: "1" }],
    }),
    specOf("two", { atomic: ["c"] }),
    specOf("one", { set: ["b"], map: [{ name: "a", port: 81 }] }),
    specOf("two", {}),
    specOf("one", { set: ["b", "b"] }),
    specOf("one", { map: [{ name: "a" }, { name: "a", port: 80 }] }),
  ),
  scenario(
    "custom: maps, atomic and not",
    define([
      withSpec({
        granular: { type: "object", additionalProperties: text },
        atomic: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
        struct: {
          type: "object",
          properties: { a: text, b: text },
          "x-kubernetes-map-type": "atomic",
        },
      }),
    ]),
    specOf("one", { granular: { a: "1" }, atomic: { a: "1" }, struct: { a: "1" } }),
    specOf("two", { granular: { b: "1" } }),
    specOf("two", { atomic: { b: "1" } }),
    specOf("two", { struct: { b: "1" } }, force),
    specOf("one", { granular: {} }),
  ),
  scenario(
    "custom: what the schema does not know",
    define([
      withSpec({
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        any: { "x-kubernetes-preserve-unknown-fields": true },
        either: { "x-kubernetes-int-or-string": true },
      }),
    ]),
    specOf("one", { free: { a: { b: [1, { c: 2 }], d: "1" } }, any: { x: [1] }, either: 1 }),
    specOf("two", { free: { a: { e: 1 } }, any: { y: 1 } }),
    specOf("two", { any: [1], either: "1" }),
    specOf("two", { any: [1], either: "1" }, force),
    specOf("one", { unknown: 1 }),
    specOf("one", { free: { a: {} } }),
  ),
  scenario(
    "custom: values of other types",
    define([withSpec({ a: text, n: number, flag: { type: "boolean" } })]),
    specOf("one", { a: 1 }),
    specOf("one", { n: "1" }),
    specOf("one", { n: 1.5 }),
    specOf("one", { flag: "yes" }),
    applied("one", { spec: ["a"] }),
    specOf("one", { a: null }),
  ),
  scenario(
    "custom: defaults belong to nobody who applies",
    define([
      withSpec({
        a: { ...text, default: "d" },
        o: { type: "object", properties: { x: { ...text, default: "y" } } },
      }),
    ]),
    specOf("one", { o: {} }),
    specOf("two", { a: "d" }),
    specOf("two", {}),
    patch(place, ["merge", { spec: { o: { x: "z" } } }], by("three")),
  ),
  scenario(
    "custom: status",
    define([scaled]),
    applied("one", { spec: { image: "i" }, status: { ready: true } }),
    apply(`${place}/status`, [
      "two",
      widget("a", { spec: { image: "j" }, status: { ready: true } }),
    ]),
    patch(
      `${place}/status`,
      ["merge", { metadata: { labels: { l: "1" } }, status: { ready: false } }],
      by("three"),
    ),
    applied("one", { spec: { image: "i" } }),
    apply(`${widgets()}/absent/status`, ["two", widget("absent", { status: {} })]),
  ),
  scenario(
    "custom: scale",
    define([scaled]),
    applied("one", { spec: { replicas: 1, image: "i" } }),
    patch(`${place}/scale`, ["merge", { spec: { replicas: 2 } }], by("two")),
    get(place),
    applied("one", { spec: { replicas: 1, image: "i" } }),
    applied("one", { spec: { image: "i" } }),
  ),
  scenario(
    "custom: an applied scale",
    define([scaled]),
    applied("one", { spec: { replicas: 1, image: "i" } }),
    apply(`${place}/scale`, ["two", scaleOf(1)]),
    apply(`${place}/scale`, ["two", scaleOf(4)], force),
  ),
  scenario(
    "custom: entries that a client clears",
    define([withSpec({ a: text })]),
    specOf("one", { a: "1" }),
    patch(place, ["merge", { metadata: { managedFields: [] } }], by("two")),
    patch(place, ["merge", { metadata: { managedFields: [{}] } }], by("two")),
    patch(place, ["merge", { spec: { a: "2" } }], by("two")),
    specOf("one", { a: "2" }),
  ),
  scenario(
    "custom: two versions",
    define([
      withSpec({ a: text, b: text }),
      withSpec({ a: text, b: text }, { name: "v2", storage: false }),
    ]),
    specOf("one", { a: "1" }),
    apply(`${widgets("v2")}/a`, ["two", widget("a", { spec: { b: "1" } }, "v2")]),
    apply(`${widgets("v2")}/a`, ["one", widget("a", { spec: { a: "2" } }, "v2")]),
    patch(`${widgets("v2")}/a`, ["merge", { spec: { b: "2" } }], by("three")),
    specOf("one", { a: "2", b: "3" }),
    get(place),
  ),
  scenario(
    "custom: managers in a version that is no longer served, then gone",
    define([withSpec({ a: text, b: text }), withSpec({ a: text, b: text }, second)]),
    specOf("one", { a: "1" }),
    apply(`${widgets("v2")}/a`, ["two", widget("a", { spec: { b: "1" } }, "v2")]),
    apply(`${widgets("v2")}/c`, ["two", widget("c", { spec: { b: "1" } }, "v2")]),
    versionsBecome(withSpec({ a: text, b: text }), withSpec({ a: text, b: text }, unserved)),
    settle(),
    specOf("three", { a: "1" }),
    specOf("three", { b: "2" }),
    patch(place, ["merge", { spec: { b: "2" } }], by("four")),
    versionsBecome(withSpec({ a: text, b: text })),
    settle(),
    specOf("three", { a: "1" }),
    specOf("one", { a: "2" }, force),
    specOf("two", { b: "3" }),
    apply(`${widgets()}/c`, ["two", widget("c", { spec: { b: "1" } })]),
    apply(`${widgets()}/c`, ["three", widget("c", { spec: { a: "1" } })]),
    patch(place, ["merge", { spec: { b: "4" } }], by("four")),
    get(place),
    patch(`${widgets()}/c`, ["merge", { spec: { a: "4" } }], by("four")),
    apply(`${widgets()}/c`, ["three", widget("c", { spec: { a: "1" } })]),
    put(`${widgets()}/c`, widget("c", { spec: { a: "5" } }), by("five")),
  ),
  scenario(
    "custom: a list that becomes one field",
    define([withSpec({ set: lists.set })]),
    specOf("one", { set: ["a"] }),
    specOf("two", { set: ["b"] }),
    patch(CRD, [
      "json",
      [
        {
          op: "remove",
          path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/set/x-kubernetes-list-type",
        },
      ],
    ]),
    settle(),
    specOf("three", {}),
    specOf("one", { set: ["c"] }),
  ),
];

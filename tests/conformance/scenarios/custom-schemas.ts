/** What a schema does to objects on their way in and out (semantics 52, 53, 55 and 56). */
import {
  as,
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

export const customSchemas: readonly Scenario[] = [
  scenario(
    "52 pruning and field validation",
    define([
      version({
        properties: {
          spec: { type: "object", properties: { size: { type: "integer" } } },
          free: {
            type: "object",
            "x-kubernetes-preserve-unknown-fields": true,
            properties: { known: { type: "object", properties: { a: { type: "string" } } } },
          },
          map: {
            type: "object",
            additionalProperties: { type: "object", properties: { a: { type: "string" } } },
          },
          list: { type: "array", items: { type: "object", properties: { a: { type: "string" } } } },
        },
      }),
    ]),
    create("a", {
      spec: { size: 1, x: 1, y: { z: 1 } },
      top: 1,
      free: { any: { thing: 1 }, known: { a: "1", b: 2 } },
      map: { k: { a: "1", b: 1 } },
      list: [{ a: "x", b: 1 }, { b: 2 }],
    }),
    post(place, widget("b", { spec: { x: 1 } }), { query: { fieldValidation: "Strict" } }),
    post(place, widget("c", { spec: { x: 1 } }), { query: { fieldValidation: "Ignore" } }),
    {
      ...post(place, {}),
      ...text(
        `{"apiVersion":"${GROUP}/v1","kind":"Widget","metadata":{"name":"d","foo":1,"name":"e"},"spec":{"size":1,"size":2,"x":1},"q":1}`,
      ),
      query: { fieldValidation: "Strict" },
    },
    {
      ...post(place, {}),
      ...text(
        `{"apiVersion":"${GROUP}/v1","kind":"Widget","metadata":{"name":"d","foo":1,"name":"e"},"spec":{"size":1,"size":2,"x":1},"q":1}`,
      ),
    },
    patch(`${place}/a`, ["merge", { spec: { y: 2 } }]),
    patch(`${place}/a`, ["merge", { spec: { y: 2 } }], { query: { fieldValidation: "Strict" } }),
    patch(`${place}/a`, ["json", [{ op: "add", path: "/spec/q", value: 1 }]]),
    patch(`${place}/a`, ["strategic", { spec: { size: 2 } }]),
    get(`${place}/a`),
  ),
  scenario(
    "52 embedded resources",
    define([
      version({
        properties: {
          inner: {
            type: "object",
            "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true,
          },
          strict: {
            type: "object",
            "x-kubernetes-embedded-resource": true,
            properties: { spec: { type: "object" } },
          },
        },
      }),
    ]),
    create("a", {
      inner: {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "x", labels: { a: "b" }, foo: 1, creationTimestamp: null },
        spec: { any: 1 },
      },
    }),
    create("b", { inner: { kind: "Pod" } }),
    create("c", { inner: { apiVersion: "v1", kind: "", metadata: { name: "Bad_" } } }),
    create("d", { inner: { apiVersion: "a/b/c", kind: "Bad kind", metadata: {} } }),
    create("e", {
      strict: { apiVersion: "v1", kind: "Pod", metadata: { name: "x" }, spec: { x: 1 }, y: 1 },
    }),
    create("f", {
      inner: { apiVersion: "v1", kind: "Pod", metadata: { name: "x", labels: { a: 1 } } },
    }),
    create("g", { inner: 1, strict: [] }),
  ),
  scenario(
    "53 defaults",
    define([
      withSpec(
        {
          a: { type: "integer", default: 1 },
          b: {
            type: "object",
            default: { c: "x" },
            properties: { c: { type: "string" }, d: { type: "integer", default: 2 } },
          },
          e: { type: "string", nullable: true, default: "e" },
          f: { type: "string", nullable: true },
          g: {
            type: "array",
            items: { type: "object", properties: { h: { type: "string", default: "h" } } },
          },
          m: {
            type: "object",
            additionalProperties: {
              type: "object",
              properties: { n: { type: "integer", default: 5 } },
            },
          },
        },
        { spec: { default: {} } },
      ),
    ]),
    create("a"),
    createSpec("b", {}),
    createSpec("c", {
      a: null,
      b: null,
      e: null,
      f: null,
      g: [{}, { h: null }],
      m: { x: {}, y: { n: null } },
    }),
    createSpec("d", { b: {}, g: [null], m: { x: null } }),
    create("e", { spec: null }),
    patch(`${place}/a`, ["merge", { spec: { a: null } }]),
    get(place),
  ),
  scenario(
    "53 defaults of a later schema",
    define([withSpec({ a: { type: "integer" }, gone: { type: "string" } })]),
    as("old", createSpec("a", { gone: "soon" })),
    patch(CRD, [
      "merge",
      { spec: { versions: [withSpec({ a: { type: "integer", default: 4 } })] } },
    ]),
    settle(),
    get(`${place}/a`),
    get(place),
    watch(place, { query: { resourceVersion: "0" }, until: { events: 1 } }),
    put(`${place}/a`, edited("old")),
    patch(`${place}/a`, ["merge", { metadata: { labels: { a: "b" } } }]),
    get(`${place}/a`),
  ),
  scenario(
    "required and unknown at the top",
    define([
      version({
        required: ["spec"],
        properties: {
          spec: { type: "object", required: ["a"], properties: { a: { type: "string" } } },
        },
      }),
    ]),
    create("a"),
    createSpec("b", {}),
    createSpec("c", { a: "" }),
    createSpec("d", { a: "x" }),
    patch(`${place}/d`, ["json", [{ op: "remove", path: "/spec/a" }]]),
    patch(`${place}/d`, ["json", [{ op: "remove", path: "/spec" }]]),
  ),
  scenario(
    "55 ratcheting",
    define([
      withSpec({
        a: { type: "integer" },
        b: { type: "string" },
        list: { type: "array", items: { type: "string" } },
        map: { type: "object", additionalProperties: { type: "string" } },
        o: { type: "object", properties: { x: { type: "string" }, y: { type: "string" } } },
        keyed: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["k"],
          items: {
            type: "object",
            required: ["k"],
            properties: { k: { type: "string" }, v: { type: "string" } },
          },
        },
      }),
    ]),
    as(
      "made",
      createSpec("a", {
        a: 50,
        b: "long text",
        list: ["one", "two", "three"],
        map: { k: "long text" },
        o: { x: "long text" },
        keyed: [
          { k: "1", v: "long text" },
          { k: "2", v: "ok" },
        ],
      }),
    ),
    patch(CRD, [
      "merge",
      {
        spec: {
          versions: [
            withSpec({
              a: { type: "integer", maximum: 10 },
              b: { type: "string", maxLength: 3 },
              list: { type: "array", maxItems: 2, items: { type: "string", maxLength: 3 } },
              map: { type: "object", additionalProperties: { type: "string", maxLength: 3 } },
              o: {
                type: "object",
                required: ["y"],
                properties: { x: { type: "string", maxLength: 3 }, y: { type: "string" } },
              },
              keyed: {
                type: "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["k"],
                items: {
                  type: "object",
                  required: ["k"],
                  properties: { k: { type: "string" }, v: { type: "string", maxLength: 3 } },
                },
              },
            }),
          ],
        },
      },
    ]),
    settle(),
    patch(`${place}/a`, ["merge", { metadata: { labels: { a: "b" } } }]),
    patch(`${place}/a`, ["merge", { spec: { a: 51 } }]),
    patch(`${place}/a`, ["merge", { spec: { a: 5 } }]),
    patch(`${place}/a`, ["merge", { spec: { b: "other text" } }]),
    patch(`${place}/a`, ["merge", { spec: { map: { l: "also long" } } }]),
    patch(`${place}/a`, ["merge", { spec: { map: { l: "ok" } } }]),
    patch(`${place}/a`, ["merge", { spec: { list: ["one", "two", "four"] } }]),
    patch(`${place}/a`, ["merge", { spec: { o: { y: "1" } } }]),
    patch(`${place}/a`, [
      "merge",
      {
        spec: {
          keyed: [
            { k: "2", v: "ok" },
            { k: "1", v: "long text" },
            { k: "3", v: "x" },
          ],
        },
      },
    ]),
    patch(`${place}/a`, [
      "merge",
      {
        spec: {
          keyed: [
            { k: "2", v: "too long" },
            { k: "1", v: "long text" },
          ],
        },
      },
    ]),
  ),
  scenario(
    "56 lists whose elements must differ",
    define([
      withSpec({
        set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
        objects: {
          type: "array",
          "x-kubernetes-list-type": "set",
          items: {
            type: "object",
            "x-kubernetes-map-type": "atomic",
            properties: { a: { type: "string" } },
          },
        },
        map: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["a", "b"],
          items: {
            type: "object",
            required: ["a"],
            properties: {
              a: { type: "string" },
              b: { type: "integer", default: 1 },
              c: { type: "string" },
            },
          },
        },
      }),
    ]),
    createSpec("a", {
      set: ["x", "y", "x", "x"],
      objects: [{ a: "1" }, { a: "1" }],
      map: [{ a: "1" }, { a: "1", b: 1 }, { a: "1", b: 2 }],
    }),
    as(
      "made",
      createSpec("b", {
        set: ["x", "y"],
        objects: [{ a: "1" }, {}],
        map: [{ a: "1" }, { a: "1", b: 2 }],
      }),
    ),
    patch(`${place}/b`, ["merge", { spec: { set: ["y", "y"] } }]),
  ),
];

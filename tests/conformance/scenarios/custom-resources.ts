/** Objects of custom resources: how they are read, pruned, defaulted, validated and answered. */
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

/** Specs that a schema is to judge. */
function judged(name: string, properties: JsonObject, ...specs: readonly JsonObject[]): Scenario {
  return scenario(
    name,
    define([withSpec(properties)]),
    ...specs.map((spec, index) => createSpec(`a${index}`, spec)),
  );
}

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
  judged(
    "types",
    {
      s: { type: "string" },
      i: { type: "integer" },
      n: { type: "number" },
      b: { type: "boolean" },
      o: { type: "object" },
      l: { type: "array", items: { type: "string" } },
      q: { "x-kubernetes-int-or-string": true },
    },
    { s: 1, i: "1", n: "x", b: 0, o: [], l: {}, q: true },
    { s: true, i: 1.5, n: true, b: "true", o: "x", l: "x", q: 1.5 },
    { s: "", i: 1, n: 1.5, b: false, o: {}, l: [], q: "10%" },
    { i: 9007199254740993, n: 1, q: 3 },
    { i: 1.0, n: 1e10, l: [1, "a", null] },
    { s: {}, i: [], n: {}, l: [["a"]] },
  ),
  judged(
    "numbers",
    {
      min: { type: "integer", minimum: 1, maximum: 10 },
      open: {
        type: "number",
        minimum: 1,
        exclusiveMinimum: true,
        maximum: 2,
        exclusiveMaximum: true,
      },
      many: { type: "integer", multipleOf: 3 },
      part: { type: "number", multipleOf: 0.5 },
      i32: { type: "integer", format: "int32" },
      i64: { type: "integer", format: "int64" },
      f: { type: "number", format: "float" },
    },
    { min: 0, open: 1, many: 4, part: 0.7, i32: 3000000000 },
    { min: 11, open: 2, many: 3, part: 1.5, i32: -3000000000 },
    { min: 1, open: 1.5, many: 0, part: 0, i32: 1, i64: 5, f: 1.5 },
    { f: 1e300 },
  ),
  judged(
    "texts",
    {
      short: { type: "string", maxLength: 3 },
      long: { type: "string", minLength: 2 },
      like: { type: "string", pattern: "^[a-z]+$" },
      one: { type: "string", enum: ["a", "b"] },
      num: { type: "integer", enum: [1, 2] },
      any: { "x-kubernetes-preserve-unknown-fields": true, enum: [1, "x", { a: 1 }, null] },
    },
    { short: "abcd", long: "a", like: "A1", one: "c", num: 3, any: 2 },
    { short: "日本語", long: "😀😀", like: "abc", one: "a", num: 1, any: { a: 1 } },
    { short: "日本語x", long: "😀", like: "", one: "" },
  ),
  judged(
    "formats",
    Object.fromEntries(
      [
        "bsonobjectid",
        "uri",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "cidr",
        "mac",
        "uuid",
        "uuid3",
        "uuid4",
        "uuid5",
        "isbn",
        "isbn10",
        "isbn13",
        "creditcard",
        "ssn",
        "hexcolor",
        "rgbcolor",
        "byte",
        "password",
        "date",
        "duration",
        "datetime",
        "date-time",
        "k8s-short-name",
        "k8s-long-name",
        "unknown",
      ].map((format) => [format.replaceAll("-", "_"), { type: "string", format }]),
    ),
    Object.fromEntries(
      [
        "bsonobjectid",
        "uri",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "cidr",
        "mac",
        "uuid",
        "uuid3",
        "uuid4",
        "uuid5",
        "isbn",
        "isbn10",
        "isbn13",
        "creditcard",
        "ssn",
        "hexcolor",
        "rgbcolor",
        "byte",
        "password",
        "date",
        "duration",
        "datetime",
        "date-time",
        "k8s-short-name",
        "k8s-long-name",
        "unknown",
      ].map((format) => [format.replaceAll("-", "_"), "Not Right!"]),
    ),
    {
      uri: "https://example.com/a?b",
      email: "a@example.com",
      hostname: "a.example.com",
      ipv4: "10.0.0.1",
      ipv6: "::1",
      cidr: "10.0.0.0/8",
      mac: "01:23:45:67:89:ab",
      uuid: "a7a0a4a2-4b8a-4b5e-9c0a-0123456789ab",
      date: "2026-01-02",
      duration: "1h5m",
      date_time: "2026-01-02T03:04:05Z",
      byte: "aGVsbG8=",
      hexcolor: "#ffffff",
      rgbcolor: "rgb(1,2,3)",
      k8s_short_name: "a-b",
      k8s_long_name: "a.b",
    },
    {
      ipv4: "::1",
      ipv6: "1.2.3.4",
      date: "2026-13-02",
      duration: "5 minutes",
      date_time: "2026-01-02 03:04:05Z",
      uuid4: "a7a0a4a2-4b8a-1b5e-9c0a-0123456789ab",
      byte: "a b",
      hostname: "-a",
      uri: "x",
    },
  ),
  judged(
    "lists and maps",
    {
      few: { type: "array", maxItems: 2, minItems: 1, items: { type: "string" } },
      map: {
        type: "object",
        maxProperties: 2,
        minProperties: 1,
        additionalProperties: { type: "integer", maximum: 5 },
      },
      deep: {
        type: "array",
        items: {
          type: "object",
          required: ["a", "b"],
          properties: { a: { type: "string" }, b: { type: "integer", maximum: 1 } },
        },
      },
    },
    { few: ["a", "b", "c"], map: { a: 1, b: 2, c: 3 }, deep: [{}, { a: "x" }, { a: 1, b: 2 }] },
    { few: [], map: {}, deep: [] },
    { map: { "odd.key/x": 9 }, deep: [{ a: "x", b: 2, c: 3 }] },
  ),
  judged(
    "logic",
    {
      any: { type: "string", anyOf: [{ pattern: "^a" }, { maxLength: 2 }] },
      all: { type: "string", allOf: [{ pattern: "^a" }, { maxLength: 2 }] },
      one: { type: "string", oneOf: [{ pattern: "^a" }, { maxLength: 2 }] },
      no: { type: "string", not: { pattern: "^a" } },
      either: {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "string" } },
        oneOf: [{ required: ["a"] }, { required: ["b"] }],
      },
    },
    { any: "bbb", all: "bbb", one: "ab", no: "a", either: {} },
    { any: "abc", all: "ab", one: "abc", no: "b", either: { a: "1", b: "2" } },
    { all: "abc", one: "bbb", either: { a: "1" } },
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
];

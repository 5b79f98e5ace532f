/** Names, labels, annotations and data: what may be written there, and what must not be lost. */
import { get, patch, post, type RequestStep, type Scenario, scenario } from "../scenario.ts";
import { sampleOf } from "./sample-objects.ts";

const named = (resource: string, name: string): RequestStep =>
  post(resource, { ...sampleOf(resource), metadata: { name } });
const text = (body: string): RequestStep => post("configmaps", { text: body });
const head = '"apiVersion":"v1","kind":"ConfigMap"';
const strange = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "prototype"];

export const names: readonly Scenario[] = [
  scenario(
    "names of most kinds are subdomains",
    ...[
      "a.b",
      "a-b",
      "0",
      "A",
      "a_b",
      "-a",
      "a-",
      ".a",
      "a..b",
      "é",
      "a b",
      "a/b",
      "..",
      "%",
      "a".repeat(253),
      "b".repeat(254),
      `${"c".repeat(64)}.x`,
      "__proto__",
      "constructor",
      "",
    ].map((name) => named("configmaps", name)),
  ),
  scenario(
    "names of services and namespaces are labels",
    ...["a", "0a", "a.b", "A", "a".repeat(63), "b".repeat(64), "-a"].map((name) =>
      named("services", name),
    ),
    ...["a.b", "A", "b".repeat(64), "-a"].map((name) => named("namespaces", name)),
  ),
  scenario(
    "names of roles are path segments",
    ...["system:x", "A_b", "é", "a b", ".", "..", "a/b", "a%b", "x".repeat(300)].map((name) =>
      named("roles", name),
    ),
    get("roles/system:x"),
    get("roles/%C3%A9"),
    get("roles/a%20b"),
  ),
  scenario(
    "names of other kinds",
    ...["a.b", "A", "a".repeat(64), "0"].flatMap((name) => [
      named("pods", name),
      named("statefulsets", name),
      named("jobs", name),
      named("cronjobs", name),
      named("leases", name),
      named("serviceaccounts", name),
      named("endpointslices", name),
    ]),
    named("cronjobs", "c".repeat(53)),
  ),
  scenario(
    "labels",
    ...[
      { a: "b", "x.io/y": "z", empty: "" },
      { "bad key": "v" },
      { "": "v" },
      { k: "bad value!" },
      { k: "-x" },
      { ["k".repeat(64)]: "v" },
      { k: "v".repeat(64) },
      { "a/b/c": "v" },
      { "/b": "v" },
      { "a/": "v" },
      { "UPPER.io/x": "v" },
      { "x.io/UPPER": "V" },
      { é: "v" },
    ].map((labels, i) => post("configmaps", { metadata: { name: `l${i}`, labels } })),
  ),
  scenario(
    "annotations",
    ...[
      { a: "anything é 😀 \n\t", "x.io/y": "" },
      { "bad key": "v" },
      { "": "v" },
      { "UPPER.io/x": "v" },
      { big: "x".repeat(262_000) },
      { big: "x".repeat(262_145) },
      { one: "x".repeat(131_072), two: "y".repeat(131_072) },
    ].map((annotations, i) => post("configmaps", { metadata: { name: `a${i}`, annotations } })),
  ),
  scenario(
    "keys that languages find special",
    text(
      `{${head},"metadata":{"name":"a","labels":{${strange.map((k) => `"x.io/${k}":"l"`).join()}},"annotations":{"constructor":"c","toString":"t"}},"data":{${strange
        .filter((k) => k !== "__proto__")
        .map((k) => `"${k}":"d"`)
        .join()}}}`,
    ),
    text(`{${head},"metadata":{"name":"b"},"data":{"__proto__":"d"}}`),
    text(`{${head},"metadata":{"name":"c","labels":{"__proto__":"d"}}}`),
    text(`{${head},"metadata":{"name":"d","annotations":{"__proto__":"d"}}}`),
    text(`{${head},"metadata":{"name":"e"},"__proto__":{"data":{"x":"y"}}}`),
    text(`{${head},"metadata":{"name":"f"},"constructor":5}`),
    get("configmaps/a"),
    patch("configmaps/a", ["merge", '{"data":{"__proto__":"x","constructor":null}}']),
    patch("configmaps/a", ["strategic", '{"data":{"toString":null,"valueOf":"w"}}']),
    patch("configmaps/a", [
      "json",
      '[{"op":"add","path":"/data/hasOwnProperty","value":"z"},{"op":"remove","path":"/data/prototype"}]',
    ]),
    patch("configmaps/a", ["json", '[{"op":"add","path":"/__proto__/polluted","value":"z"}]']),
    get("configmaps", { query: { labelSelector: "x.io/constructor=l" } }),
    get("configmaps", { query: { labelSelector: "constructor" } }),
    get("configmaps", { query: { labelSelector: "toString=x" } }),
    get("configmaps", { query: { fieldSelector: "constructor=x" } }),
    get("configmaps/a"),
  ),
  scenario(
    "data of maps",
    ...[
      { "a.b-c_D9": "v" },
      { "bad key": "v" },
      { "": "v" },
      { "..": "v" },
      { ".": "v" },
      { "..a": "v" },
      { ["k".repeat(254)]: "v" },
      { é: "v" },
      { "a/b": "v" },
    ].map((data, i) => post("configmaps", { metadata: { name: `d${i}` }, data })),
    post("configmaps", { metadata: { name: "both" }, data: { k: "v" }, binaryData: { k: "AA==" } }),
    post("configmaps", { metadata: { name: "bin" }, binaryData: { k: "AAEC/w==", e: "" } }),
    post("configmaps", { metadata: { name: "empty" }, data: {}, binaryData: {} }),
  ),
  scenario(
    "unicode comes back as it was",
    post("configmaps", {
      metadata: { name: "a" },
      data: { k: 'é€😀\u2028\u2029<>&\u0000\u0007"\\/' },
    }),
    get("configmaps/a"),
    text(`{${head},"metadata":{"name":"b"},"data":{"k":"\\ud83d\\ude00 \\u00e9"}}`),
    text(`{${head},"metadata":{"name":"c"},"data":{"k":"lone \\ud83d end"}}`),
    patch("configmaps/a", ["merge", { data: { ü: "x" } }]),
    patch("configmaps/a", ["merge", { metadata: { annotations: { n: "ü😀" } } }]),
  ),
];

import { expect, test } from "vitest";
import { mediaOfRefusals, negotiate, negotiateMedia, type Offer } from "./negotiation.ts";

const OBJECT: Offer = { route: "object", stream: false, tables: true };
const LIST: Offer = { route: "list", stream: false, tables: true };
const WATCH: Offer = { route: "list", stream: true, tables: true };
const CUSTOM: Offer = { route: "custom", stream: false, tables: true };
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
const PARTIAL = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

test.for([
  [undefined, "application/json"],
  ["", "application/json"],
  ["*/*", "application/json"],
  ["application/yaml", "application/yaml"],
  ["application/yaml; q=0.1", "application/yaml"],
  ["application/yaml, application/json", "application/yaml"],
  ["application/json;q=0.1,application/yaml", "application/yaml"],
  ["*/*,application/yaml", "application/yaml"],
  ["application/json;as=Nope;v=v1;g=meta.k8s.io,application/yaml", "application/yaml"],
  ["application/yaml;as=Table,application/json", "application/json"],
  ["application/json;AS=Table", "application/json"],
  ["application/json;stream=watch", "application/json"],
  ["application/json;sv=v1", "application/json"],
  ["text/html, */*;q=0.8", "application/json"],
] as const)("%s gets the object as %s", ([accept, media]) => {
  expect(negotiate(accept, OBJECT)).toEqual({ media, form: { kind: "object" } });
});

test.for([
  [TABLE, "application/json", { kind: "table", apiVersion: "meta.k8s.io/v1" }],
  [
    "application/yaml;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
    "application/yaml",
    { kind: "table", apiVersion: "meta.k8s.io/v1beta1" },
  ],
  [
    "*/*;as=Table;v=v1;g=meta.k8s.io",
    "application/json",
    { kind: "table", apiVersion: "meta.k8s.io/v1" },
  ],
  [PARTIAL, "application/json", { kind: "partial", list: false, apiVersion: "meta.k8s.io/v1" }],
  [
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
    "application/json",
    { kind: "partial", list: true, apiVersion: "meta.k8s.io/v1" },
  ],
] as const)("%s gets another form", ([accept, media, form]) => {
  expect(negotiate(accept, OBJECT)).toEqual({ media, form });
  expect(negotiate(accept, CUSTOM)).toEqual({ media, form });
});

test("a place without tables passes them over", () => {
  const bare = { ...OBJECT, tables: false };
  expect(negotiate(`${TABLE},${PARTIAL},application/json`, bare).form.kind).toBe("partial");
  expect(() => negotiate(TABLE, bare)).toThrow(
    "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf",
  );
});

test("routes refuse what they cannot serve and name what they can", () => {
  expect(() => negotiate("text/html", OBJECT)).toThrow(
    /^406: Not Acceptable\n\nAvailable representations: application\/json, application\/yaml, application\/vnd.kubernetes.protobuf$/,
  );
  expect(() => negotiate("application/*", LIST)).toThrow(/protobuf;stream=watch$/);
  expect(() => negotiate("*", OBJECT)).toThrow("406: Not Acceptable");
});

test("custom resources have no routes to refuse", () => {
  expect(negotiate("application/*", CUSTOM).media).toBe("application/json");
  expect(() => negotiate("text/html", CUSTOM)).toThrow("only the following media types");
});

test.for([
  "application/json;as=Table;v=v2;g=meta.k8s.io",
  "application/json;as=table;v=v1;g=meta.k8s.io",
  "application/json;as=Table",
  "application/json;g=meta.k8s.io;v=v1",
  "application/json;stream=foo",
  "application/yaml;stream=watch",
  "application/json;sv=v2",
])("%s is a form of nothing", (accept) => {
  expect(() => negotiate(accept, OBJECT)).toThrow("only the following media types are accepted");
});

test("a watch is never YAML", () => {
  expect(negotiate("application/json", WATCH).media).toBe("application/json");
  expect(() => negotiate("application/yaml", WATCH)).toThrow(
    "only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch",
  );
});

test("a refusal is told in JSON when nothing else will do", () => {
  expect(mediaOfRefusals("application/yaml")).toBe("application/yaml");
  expect(mediaOfRefusals("text/html")).toBe("application/json");
  expect(mediaOfRefusals("application/yaml;as=Table;v=v1;g=meta.k8s.io")).toBe("application/json");
  expect(() => negotiateMedia(TABLE)).toThrow("only the following media types are accepted");
});

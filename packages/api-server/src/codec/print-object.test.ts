import type { JsonObject } from "@homeostat/object-model";
import { encodeJson, schemaOf } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { printObject } from "./print-object.ts";

function print(schema: string, object: JsonObject): string {
  return encodeJson(printObject(schemaOf(schema), object));
}

test("fields come in struct order with the zeros that Go prints", () => {
  expect(print("core.v1.Pod", { spec: { containers: [{ image: "i" }] }, kind: "Pod" })).toBe(
    '{"kind":"Pod","metadata":{},"spec":{"containers":[{"name":"","image":"i","resources":{}}]},"status":{}}',
  );
  expect(print("rbac.v1.Role", { rules: [] })).toBe('{"metadata":{},"rules":null}');
  expect(print("apps.v1.ControllerRevision", {})).toBe('{"metadata":{},"data":null,"revision":0}');
  expect(print("core.v1.Event", {})).toContain('"firstTimestamp":null');
});

test("empty fields are left out, but not zeros behind pointers", () => {
  const spec = { replicas: 0, minReadySeconds: 0, selector: null, template: {} };
  expect(print("apps.v1.ReplicaSetSpec", spec)).toBe(
    '{"replicas":0,"selector":null,"template":{"metadata":{},"spec":{"containers":null}}}',
  );
  expect(print("core.v1.ConfigMap", { data: {}, immutable: false, metadata: { name: "" } })).toBe(
    '{"metadata":{},"immutable":false}',
  );
  expect(print("core.v1.ServicePort", { port: 0, targetPort: "" })).toBe(
    '{"port":0,"targetPort":""}',
  );
});

test("map keys are sorted by their bytes", () => {
  const data = { z: "1", "\u{1f600}": "2", "\uffee": "3", A: "4", a: "5" };
  expect(print("core.v1.ConfigMap", { data })).toBe(
    '{"metadata":{},"data":{"A":"4","a":"5","z":"1","\uffee":"3","\u{1f600}":"2"}}',
  );
});

test("maps of structs, and schemas in all their places, are printed too", () => {
  const leaf = { format: "f", type: "t" };
  expect(
    print("apiextensions.v1.JSONSchemaProps", {
      properties: { b: leaf, a: { type: "t" } },
      items: [leaf],
      additionalProperties: leaf,
      additionalItems: false,
      dependencies: { d: leaf, c: ["z", "y"] },
      default: { b: 1, a: 2 },
    }),
  ).toBe(
    '{"default":{"b":1,"a":2},"items":[{"type":"t","format":"f"}],"properties":{"a":{"type":"t"},"b":{"type":"t","format":"f"}},"additionalProperties":{"type":"t","format":"f"},"dependencies":{"c":["z","y"],"d":{"type":"t","format":"f"}},"additionalItems":false}',
  );
});

test("what is in order is shared, what is not is copied, and nothing is changed", () => {
  const schema = schemaOf("core.v1.ConfigMap");
  const object: JsonObject = Object.freeze({
    data: Object.freeze({ a: "1", b: "2" }),
    metadata: Object.freeze({ labels: Object.freeze({ b: "1", a: "2" }), name: "n" }),
  });
  const printed = printObject(schema, object);
  expect(printed["data"]).toBe(object["data"]);
  expect(encodeJson(printed)).toBe(
    '{"metadata":{"name":"n","labels":{"a":"2","b":"1"}},"data":{"a":"1","b":"2"}}',
  );
  expect(printObject(schema, printed)).toBe(printed);
});

test("printing twice does not add to what was printed first", () => {
  const schema = schemaOf("core.v1.Pod");
  const first = printObject(schema, {});
  (first["status"] as JsonObject)["phase"] = "Running";
  expect(encodeJson(printObject(schema, {}))).not.toContain("Running");
});

test("unknown and undefined fields are not printed", () => {
  const object = { foo: 1, metadata: { bar: 1 }, data: undefined } as unknown as JsonObject;
  expect(print("core.v1.ConfigMap", object)).toBe('{"metadata":{}}');
});

test("what an object has of a printed one is taken as it is", () => {
  const schema = schemaOf("core.v1.Pod");
  const old = printObject(schema, { kind: "Pod", spec: { containers: [{ name: "a" }] } });
  const given = { status: {}, spec: old["spec"]!, kind: "Pod", metadata: { name: "" } };
  expect(encodeJson(printObject(schema, given, old))).toBe(encodeJson(old));
  expect(printObject(schema, given, old)["spec"]).toBe(old["spec"]);
});

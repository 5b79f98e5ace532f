import { readFileSync } from "node:fs";
import { decodeJson, encodeJson, type JsonObject, schemaOf } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { ObjectDecodeError } from "./object-decode-error.ts";
import { readObject } from "./read-object.ts";

const { refused } = JSON.parse(
  readFileSync(new URL("fixtures/kube-apiserver-1.36.json", import.meta.url), "utf8"),
) as { refused: { schema: string; part: string; message: string }[] };

test.for(refused)(
  "$schema $part is refused in kube-apiserver's words",
  ({ schema, part, message }) => {
    const reading = () => readObject(schemaOf(schema), decodeJson(part));
    expect(reading).toThrow(ObjectDecodeError);
    expect(reading).toThrow(expect.objectContaining({ message }));
  },
);

test("a body that is no object is refused", () => {
  expect(() => readObject(schemaOf("core.v1.Pod"), [])).toThrow(
    "json: cannot unmarshal array into Go value of type v1.Pod",
  );
});

test("an error carries its code and, where a parser found it, the cause", () => {
  expect(() =>
    readObject(schemaOf("coordination.v1.Lease"), { spec: { renewTime: "soon" } }),
  ).toThrow(
    expect.objectContaining({
      code: "object-undecodable",
      cause: expect.objectContaining({ code: "time-malformed", input: "soon" }) as unknown,
    }),
  );
});

function read(schema: string, text: string): string {
  return encodeJson(readObject(schemaOf(schema), decodeJson(text)).object);
}

test("null is an absent field, and the zero of its type in a list or map", () => {
  expect(read("core.v1.ConfigMap", '{"data":null,"metadata":null}')).toBe("{}");
  expect(read("core.v1.ConfigMap", '{"data":{"a":null},"binaryData":{"b":null}}')).toBe(
    '{"data":{"a":""},"binaryData":{"b":""}}',
  );
  expect(read("core.v1.PodSpec", '{"containers":[null]}')).toBe('{"containers":[{}]}');
  expect(read("core.v1.ResourceRequirements", '{"limits":{"cpu":null}}')).toBe(
    '{"limits":{"cpu":"0"}}',
  );
  expect(read("authentication.v1.UserInfo", '{"extra":{"a":null,"b":[null]}}')).toBe(
    '{"extra":{"a":[],"b":[""]}}',
  );
  expect(read("apiextensions.v1.JSONSchemaProps", '{"enum":[null],"default":null}')).toBe(
    '{"enum":[null]}',
  );
});

test("a zero is absent except behind a pointer, and what is empty stays", () => {
  const spec = '{"hostNetwork":false,"nodeName":"","hostUsers":false,"priority":0,"containers":[]}';
  expect(read("core.v1.PodSpec", spec)).toBe('{"hostUsers":false,"priority":0,"containers":[]}');
  expect(read("core.v1.ServicePort", '{"targetPort":"","port":0}')).toBe('{"targetPort":""}');
});

test("scalars become what Go prints", () => {
  expect(
    read(
      "core.v1.ResourceRequirements",
      '{"limits":{"a":"1000m","b":"1024Mi","c":1.5,"d":" 2 ","e":"0.1"}}',
    ),
  ).toBe('{"limits":{"a":"1","b":"1Gi","c":"1500m","d":"2","e":"100m"}}');
  expect(read("meta.v1.ObjectMeta", '{"creationTimestamp":"2024-02-29T23:30:00.9-01:00"}')).toBe(
    '{"creationTimestamp":"2024-03-01T00:30:00Z"}',
  );
  expect(
    read("coordination.v1.LeaseSpec", '{"renewTime":"2024-02-29T23:30:00.120000-01:00"}'),
  ).toBe('{"renewTime":"2024-03-01T00:30:00.120000Z"}');
  expect(read("core.v1.Secret", '{"data":{"a":"YR==","b":"YW\\nI=","c":[104,105]}}')).toBe(
    '{"data":{"a":"YQ==","b":"YWI=","c":"aGk="}}',
  );
  expect(read("core.v1.PodSpec", '{"priority":-0,"activeDeadlineSeconds":9007199254740993}')).toBe(
    '{"priority":0,"activeDeadlineSeconds":9007199254740993}',
  );
});

test("a day that its month does not have is refused, however canonical it looks", () => {
  const time = '{"creationTimestamp":"2023-02-29T00:00:00Z"}';
  expect(() => read("meta.v1.ObjectMeta", time)).toThrow(
    'parsing time "2023-02-29T00:00:00Z": day out of range',
  );
});

test("names of fields match by case, and unknown ones are listed as met, 100 at most", () => {
  const pod =
    '{"Spec":{},"spec":{"containers":[{"x":{}},{"Name":"a"}],"volumes":[{"y":1}]},"zz":1}';
  const { object, unknownFields } = readObject(schemaOf("core.v1.Pod"), decodeJson(pod));
  expect(encodeJson(object)).toBe('{"spec":{"containers":[{},{}],"volumes":[{}]}}');
  expect(unknownFields).toEqual([
    "Spec",
    "spec.containers[0].x",
    "spec.containers[1].Name",
    "spec.volumes[0].y",
    "zz",
  ]);
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`k${index}`, 1]));
  expect(readObject(schemaOf("core.v1.Pod"), many).unknownFields).toHaveLength(100);
});

test("what is read shares nothing with its source", () => {
  const source = {
    metadata: { labels: { a: "1" }, managedFields: [{ fieldsV1: { "f:a": {} } }] },
    spec: { containers: [{ args: ["x"] }] },
  };
  const before = encodeJson(source);
  const pod = readObject(schemaOf("core.v1.Pod"), source).object as typeof source;
  pod.metadata.labels.a = "2";
  pod.metadata.managedFields[0]!.fieldsV1["f:a"] = { b: 1 };
  pod.spec.containers[0]!.args.push("y");
  expect(encodeJson(source)).toBe(before);
});

test("a schema too deep for the stack is refused like any other bad body", () => {
  let text = "{}";
  for (let level = 0; level < 4_000; level++) text = `{"properties":{"a":${text}}}`;
  expect(() => read("apiextensions.v1.JSONSchemaProps", text)).toThrow(ObjectDecodeError);
  let free = "1";
  for (let level = 0; level < 9_000; level++) free = `[${free}]`;
  expect(read("apiextensions.v1.JSONSchemaProps", `{"default":${free}}`)).toContain(free);
});

test("what a type says that reads itself is told apart from where it stands", () => {
  const inner = (pod: JsonObject): string | undefined => {
    try {
      readObject(schemaOf("core.v1.Pod"), pod);
    } catch (error) {
      return (error as ObjectDecodeError).inner;
    }
    throw new Error("expected a refusal");
  };
  expect(inner({ metadata: { creationTimestamp: 5 } })).toBe(
    "json: cannot unmarshal number into Go value of type string",
  );
  expect(inner({ spec: { nodeName: 5 } })).toBeUndefined();
});

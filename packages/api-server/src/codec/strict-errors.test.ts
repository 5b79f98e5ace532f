import { readFileSync } from "node:fs";
import { decodeJson, schemaOf } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { readObject } from "./read-object.ts";
import { strictDecodingErrors } from "./strict-errors.ts";

const { strict } = JSON.parse(
  readFileSync(new URL("fixtures/kube-apiserver-1.36.json", import.meta.url), "utf8"),
) as { strict: { schema: string; body: string; message: string }[] };

function errorsOf(schemaName: string, text: string | Uint8Array): string[] {
  const schema = schemaOf(schemaName);
  const { value, duplicates } = decodeJson(text, { duplicates: "report" });
  const { unknownFields } = readObject(schema, value);
  return strictDecodingErrors({ unknownFields, duplicates, body: { schema, text } });
}

test.for(strict)(
  "$schema bodies get kube-apiserver's list: $message",
  ({ schema, body, message }) => {
    expect(errorsOf(schema, body).join(", ")).toBe(message);
    expect(errorsOf(schema, new TextEncoder().encode(body)).join(", ")).toBe(message);
  },
);

test("space, escapes and nesting in the text do not mislead the scan", () => {
  const text = String.raw`
    { "free" : [ "]}\"" , { "\\" : [ {} , [ ] ] } , 1e5 , null ] ,
      "met\u0061data" : { "labels" : { "a\"b" : "x,}" , "a\"b" : "\\" } , "finalizers" : [ "a" , "]" ] } ,
      "immutable" : true , "immutable" : false , "data" : null , "later" : -1 }`;
  expect(errorsOf("core.v1.ConfigMap", text)).toEqual([
    'unknown field "free"',
    String.raw`duplicate field "metadata.labels.a\"b"`,
    'duplicate field "immutable"',
    'unknown field "later"',
  ]);
});

test("without the body unknown fields come first, none twice, 100 in all", () => {
  const many = Array.from({ length: 70 }, (_, index) => `k${index}`);
  const errors = strictDecodingErrors({ unknownFields: many, duplicates: [...many, "k0"] });
  expect(errors).toHaveLength(100);
  expect(errors[69]).toBe('unknown field "k69"');
  expect(errors[70]).toBe('duplicate field "k0"');
  expect(strictDecodingErrors({ unknownFields: ["a", "a"], duplicates: [] })).toHaveLength(1);
});

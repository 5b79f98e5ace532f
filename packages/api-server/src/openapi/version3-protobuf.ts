/** OpenAPI 3 as a protobuf message: openapi.v3.Document of gnostic. */
import type { JsonObject } from "@homeostat/object-model";
import { WireWriter } from "../protobuf/wire-writer.ts";
import {
  any,
  type Body,
  double,
  flag,
  integer,
  many,
  message,
  named,
  one,
  text,
  texts,
} from "./document-writer.ts";

const reference = message({ $ref: text(1) });

/** Schemas hold schemas. */
const schema: Body = (writer, value) => {
  if ((value as JsonObject)["$ref"] === undefined) one(1, schemaMessage)(writer, value);
  else one(2, reference)(writer, value);
};

const bareSchema: Body = (writer, value) => schemaMessage(writer, value);

const additionalProperties: Body = (writer, value) => {
  if (typeof value === "boolean") flag(2, { zeros: true })(writer, value);
  else one(1, schema)(writer, value);
};

const ANY_VALUE = { zeros: true };

/** There is no form for objects. */
const defaultValue: Body = (writer, value) => {
  if (typeof value === "number") double(1, ANY_VALUE)(writer, value);
  else if (typeof value === "boolean") flag(2, ANY_VALUE)(writer, value);
  else if (typeof value === "string") text(3, ANY_VALUE)(writer, value);
};

const externalDocs = message({ description: text(1), url: text(2) });

const schemaMessage = message(
  {
    nullable: flag(1),
    externalDocs: one(6, externalDocs),
    example: one(7, any),
    title: text(9),
    multipleOf: double(10),
    maximum: double(11),
    exclusiveMaximum: flag(12),
    minimum: double(13),
    exclusiveMinimum: flag(14),
    maxLength: integer(15),
    minLength: integer(16),
    pattern: text(17),
    maxItems: integer(18),
    minItems: integer(19),
    uniqueItems: flag(20),
    maxProperties: integer(21),
    minProperties: integer(22),
    required: texts(23),
    enum: many(24, any),
    type: text(25),
    allOf: many(26, schema),
    oneOf: many(27, schema),
    anyOf: many(28, schema),
    not: one(29, bareSchema),
    items: one(30, one(1, schema)),
    properties: one(31, named(1, schema)),
    additionalProperties: one(32, additionalProperties),
    default: one(33, defaultValue),
    description: text(34),
    format: text(35),
  },
  36,
);

const content = named(1, message({ schema: one(1, schema) }));

const parameter = message({
  name: text(1),
  in: text(2),
  description: text(3),
  required: flag(4),
  schema: one(10, schema),
});

const response = message({ description: text(1), content: one(3, content) });
const requestBody = message({ content: one(2, content), required: flag(3) });

const operation = message(
  {
    tags: texts(1),
    description: text(3),
    operationId: text(5),
    parameters: many(6, one(1, parameter)),
    requestBody: one(7, one(1, requestBody)),
    responses: one(8, named(2, one(1, response))),
  },
  13,
);

const pathItem = message({
  get: one(4, operation),
  put: one(5, operation),
  post: one(6, operation),
  delete: one(7, operation),
  options: one(8, operation),
  head: one(9, operation),
  patch: one(10, operation),
  parameters: many(13, one(1, parameter)),
});

const securityScheme = message({ type: text(1), description: text(2), name: text(3), in: text(4) });

const components = message({
  schemas: one(1, named(1, schema)),
  securitySchemes: one(7, named(1, one(1, securityScheme))),
});

const document = message({
  openapi: text(1),
  info: one(2, message({ title: text(1), version: text(6) })),
  paths: one(4, named(1, pathItem)),
  components: one(5, components),
});

export function encodeVersion3(given: JsonObject): Uint8Array {
  const writer = new WireWriter(1 << 18);
  document(writer, given);
  return writer.take();
}

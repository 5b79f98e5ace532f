/** OpenAPI 2 as a protobuf message: openapi.v2.Document of gnostic, which old clients read. */
import type { JsonObject } from "@homeostat/object-model";
import { WireWriter } from "../protobuf/wire-writer.ts";
import {
  any,
  type Body,
  double,
  type Field,
  flag,
  integer,
  many,
  message,
  named,
  one,
  text,
  texts,
} from "./document-writer.ts";

/** Schemas hold schemas. */
const schema: Body = (writer, value) => schemaMessage(writer, value);

const additionalProperties: Body = (writer, value) => {
  if (typeof value === "boolean") flag(2, { zeros: true })(writer, value);
  else one(1, schema)(writer, value);
};

const externalDocs = message({ description: text(1), url: text(2) });

const schemaMessage = message(
  {
    $ref: text(1),
    format: text(2),
    title: text(3),
    description: text(4),
    default: one(5, any),
    multipleOf: double(6),
    maximum: double(7),
    exclusiveMaximum: flag(8),
    minimum: double(9),
    exclusiveMinimum: flag(10),
    maxLength: integer(11),
    minLength: integer(12),
    pattern: text(13),
    maxItems: integer(14),
    minItems: integer(15),
    uniqueItems: flag(16),
    maxProperties: integer(17),
    minProperties: integer(18),
    required: texts(19),
    enum: many(20, any),
    additionalProperties: one(21, additionalProperties),
    type: one(22, text(1)),
    items: one(23, one(1, schema)),
    allOf: many(24, schema),
    properties: one(25, named(1, schema)),
    externalDocs: one(29, externalDocs),
    example: one(30, any),
  },
  31,
);

const bodyParameter = message({
  description: text(1),
  name: text(2),
  in: text(3),
  required: flag(4),
  schema: one(5, schema),
});

const queryParameter = message({
  required: flag(1),
  in: text(2),
  description: text(3),
  name: text(4),
  type: text(6),
  uniqueItems: flag(20),
});

const pathParameter = message({
  required: flag(1),
  in: text(2),
  description: text(3),
  name: text(4),
  type: text(5),
  uniqueItems: flag(19),
});

const parameter: Body = (writer, value) => {
  const place = (value as JsonObject)["in"];
  if (place === "body") one(1, bodyParameter)(writer, value);
  else if (place === "path") one(2, one(4, pathParameter))(writer, value);
  else one(2, one(3, queryParameter))(writer, value);
};

const parameterOrReference: Body = (writer, value) => {
  if ((value as JsonObject)["$ref"] === undefined) one(1, parameter)(writer, value);
  else one(2, message({ $ref: text(1) }))(writer, value);
};

const parameters = (number: number): Field => many(number, parameterOrReference);

const response = message({ description: text(1), schema: one(2, one(1, schema)) });

const operation = message(
  {
    tags: texts(1),
    summary: text(2),
    description: text(3),
    operationId: text(5),
    produces: texts(6),
    consumes: texts(7),
    parameters: parameters(8),
    responses: one(9, named(1, one(1, response))),
    schemes: texts(10),
  },
  13,
);

const pathItem = message({
  get: one(2, operation),
  put: one(3, operation),
  post: one(4, operation),
  delete: one(5, operation),
  options: one(6, operation),
  head: one(7, operation),
  patch: one(8, operation),
  parameters: parameters(9),
});

const apiKey = message({ type: text(1), name: text(2), in: text(3), description: text(4) });
const scopes: Body = (writer, value) => texts(1)(writer, value);

const document = message({
  swagger: text(1),
  info: one(2, message({ title: text(1), version: text(2) })),
  paths: one(8, named(2, pathItem)),
  definitions: one(9, named(1, schema)),
  parameters: one(10, named(1, parameter)),
  security: many(12, named(1, scopes)),
  securityDefinitions: one(13, named(1, one(2, apiKey))),
});

export function encodeSwagger(swagger: JsonObject): Uint8Array {
  const writer = new WireWriter(1 << 20);
  document(writer, swagger);
  return writer.take();
}

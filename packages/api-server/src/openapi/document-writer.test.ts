import type { JsonObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { encodeSwagger } from "./swagger-protobuf.ts";
import { encodeVersion3 } from "./version3-protobuf.ts";

/** Documents that use every layout once; the bytes are those that gnostic makes of them. */
const swagger: JsonObject = {
  swagger: "2.0",
  info: { title: "T", version: "1" },
  paths: {
    "/p": {
      get: {
        consumes: ["*/*"],
        produces: ["a/b"],
        tags: ["t"],
        operationId: "o",
        parameters: [
          { $ref: "#/parameters/q" },
          { name: "body", in: "body", required: true, schema: { $ref: "#/definitions/D" } },
        ],
        responses: { "200": { description: "OK", schema: { $ref: "#/definitions/D" } } },
        schemes: ["https"],
        "x-n": 1,
      },
      parameters: [{ uniqueItems: true, type: "string", name: "name", in: "path", required: true }],
    },
  },
  definitions: {
    D: {
      type: "object",
      required: ["a"],
      properties: {
        a: { type: "integer", format: "int32", minimum: 0, maximum: 300, maxLength: 300 },
        b: { type: "array", items: { type: "string" } },
        c: { type: "object", additionalProperties: false },
      },
      "x-f": true,
    },
  },
  parameters: { q: { uniqueItems: true, type: "boolean", name: "q", in: "query" } },
  securityDefinitions: { B: { description: "d", type: "apiKey", name: "n", in: "header" } },
  security: [{ B: [] }],
};
const version3: JsonObject = {
  openapi: "3.0.0",
  info: { title: "T", version: "1" },
  paths: {
    "/p": {
      post: {
        tags: ["t"],
        operationId: "o",
        requestBody: {
          content: { "a/b": { schema: { $ref: "#/components/schemas/D" } } },
          required: true,
        },
        responses: {
          "200": { description: "OK", content: { "a/b": { schema: { type: "string" } } } },
          "401": { description: "no" },
        },
        "x-n": 1,
      },
      parameters: [{ name: "q", in: "query", schema: { type: "string", uniqueItems: true } }],
    },
  },
  components: {
    schemas: {
      D: {
        type: "object",
        properties: {
          a: { type: "string", default: "" },
          b: { default: 0, type: "integer", nullable: true },
          c: {
            default: false,
            anyOf: [{ type: "integer" }, { $ref: "#/components/schemas/D" }],
            not: { minLength: 3 },
          },
        },
      },
    },
    securitySchemes: { B: { type: "apiKey", description: "d", name: "n", in: "header" } },
  },
};

const swaggerBytes = [
  "0a03322e3012060a015412013142b30112b0010a022f7012a9011285010a01742a016f3203612f623a032a2f",
  "2a421212100a0e232f706172616d65746572732f7142250a230a211204626f64791a04626f647920012a110a",
  "0f232f646566696e6974696f6e732f444a240a220a03323030121b0a190a024f4b12130a110a0f232f646566",
  "696e6974696f6e732f44520568747470736a0b0a03782d6e12041202310a4a1f0a1d121b2219080112047061",
  "746822046e616d652a06737472696e679801014a8a010a87010a01441281019a010161b201080a066f626a65",
  "6374ca015e0a240a0161121f1205696e743332390000000000c0724058ac02b201090a07696e74656765720a",
  "1f0a0162121ab201070a056172726179ba010d0a0bb201080a06737472696e670a150a01631210aa01021000",
  "b201080a066f626a656374fa010e0a03782d6612071205747275650a52210a1f0a0171121a12181a16120571",
  "756572792201713207626f6f6c65616ea0010162070a050a014212006a1f0a1d0a0142121812160a06617069",
  "4b657912016e1a06686561646572220164",
].join("");
const version3Bytes = [
  "0a05332e302e3012060a015432013122a2010a9f010a022f7012980132780a01742a016f3a2b0a2912250a23",
  "0a03612f62121c0a1a12180a16232f636f6d706f6e656e74732f736368656d61732f441801423612250a0332",
  "3030121e0a1c0a024f4b1a160a140a03612f62120d0a0b0a09ca0106737472696e67120d0a0334303112060a",
  "040a026e6f6a0b0a03782d6e12041202310a6a1c0a1a0a017112057175657279520e0a0ca00101ca01067374",
  "72696e672ab4010a90010a8d010a01441287010a8401ca01066f626a656374fa01780a150a016112100a0eca",
  "0106737472696e678a02021a000a1f0a0162121a0a180801ca0107696e74656765728a020909000000000000",
  "00000a3e0a016312390a37e2010c0a0aca0107696e7465676572e2011a12180a16232f636f6d706f6e656e74",
  "732f736368656d61732f44ea01038001038a020210003a1f0a1d0a014212180a160a066170694b6579120164",
  "1a016e2206686561646572",
].join("");

test("a document of OpenAPI 2 is written as gnostic writes it", () => {
  expect(Buffer.from(encodeSwagger(swagger)).toString("hex")).toBe(swaggerBytes);
});

test("a document of OpenAPI 3 is written as gnostic writes it, zeros that are chosen included", () => {
  expect(Buffer.from(encodeVersion3(version3)).toString("hex")).toBe(version3Bytes);
});

test("integers that no number holds are written whole", () => {
  const definition = { maxLength: 2n ** 53n + 1n, "x-n": 2n ** 60n };
  const bytes = Buffer.from(encodeSwagger({ definitions: { D: definition } }));
  expect(bytes.includes(Buffer.from("1152921504606846976"))).toBe(true);
  expect(bytes.includes(Buffer.from([0x58, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10]))).toBe(
    true,
  );
});

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { generate } from "./generate.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const input = join(fixtures, "input");
const goStructs = join(fixtures, "go-structs.json");

/** A copy of the input elsewhere, with one JSON file changed. */
function inputWith(file: string, change: (text: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), "generate-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(input, folder, { recursive: true });
  const path = join(folder, file);
  const before = readFileSync(path, "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
  return folder;
}

function goStructsWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "generate-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "go-structs.json");
  writeFileSync(path, text);
  return path;
}

test("the small input gives exactly the committed files", () => {
  const folder = join(fixtures, "expected");
  const expected = readdirSync(folder).map((file): [string, string] => [
    file.slice(0, -".txt".length),
    readFileSync(join(folder, file), "utf8"),
  ]);
  expect(Object.fromEntries(generate(input, goStructs))).toEqual(Object.fromEntries(expected));
});

test("a second run gives the same bytes, also from another folder with keys in another order", () => {
  const moved = inputWith("openapi/v1.json", (text) => {
    const document = JSON.parse(text) as { schemas: Record<string, unknown> };
    document.schemas = Object.fromEntries(Object.entries(document.schemas).reverse());
    return JSON.stringify(document);
  });
  const first = generate(input, goStructs);
  expect([...generate(input, goStructs)]).toEqual([...first]);
  expect([...generate(moved, goStructs)]).toEqual([...first]);
});

test("no line of a type file is longer than 100 characters", () => {
  for (const [name, text] of generate(input, goStructs)) {
    if (name === "builtin-schemas.ts") continue;
    expect(text.split("\n").filter((line) => line.length > 100)).toEqual([]);
  }
});

test("a folder without API data is refused with what was expected", () => {
  expect(() => generate(join(fixtures, "nowhere"), goStructs)).toThrow(
    /no Kubernetes API data in ".*nowhere": expected openapi/,
  );
});

test("a property that protobuf does not number is refused", () => {
  const changed = inputWith("protobuf.json", (text) => text.replace('"weight"', '"height"'));
  expect(() => generate(changed, goStructs)).toThrow(/core\.v1\.GadgetSpec/);
});

test("a field whose type differs between OpenAPI and protobuf is refused", () => {
  const changed = inputWith("protobuf.json", (text) =>
    text.replace('["size", "int64"]', '["size", "int32"]'),
  );
  expect(() => generate(changed, goStructs)).toThrow(
    "core.v1.GadgetSpec.size is single of int32 in protobuf but single of int64 in OpenAPI",
  );
});

test("a schema that differs between group-versions is refused", () => {
  const changed = inputWith("openapi/apps_v1.json", (text) =>
    text.replace(
      '"schemas": {',
      '"schemas": { "io.k8s.api.core.v1.Nothing": { "type": "string" },',
    ),
  );
  expect(() => generate(changed, goStructs)).toThrow(
    "schema io.k8s.api.core.v1.Nothing differs between group-versions",
  );
});

test("a resource whose kind has no schema is refused", () => {
  const changed = inputWith("discovery.json", (text) =>
    text.replaceAll('"kind": "Machine"', '"kind": "Engine"'),
  );
  expect(() => generate(changed, goStructs)).toThrow("no schema for apps/v1 Engine");
});

test.each([
  ['{ "core.v1.Ghost": {} }', "go-structs.json names unknown core.v1.Ghost"],
  [
    '{ "core.v1.GadgetSpec": { "pointers": "ghost" } }',
    "go-structs.json names unknown field core.v1.GadgetSpec.ghost",
  ],
  [
    '{ "core.v1.GadgetSpec": { "order": "size ports" } }',
    "go-structs.json orders other fields of core.v1.GadgetSpec than there are",
  ],
])("Go facts that do not fit the input are refused: %s", (facts, message) => {
  expect(() => generate(input, goStructsWith(facts))).toThrow(message);
});

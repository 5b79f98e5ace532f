import {
  decodeJson,
  encodeJson,
  equalJson,
  type JsonObject,
  type JsonValue,
} from "@homeostat/object-model";
import { encode, type FuzzTarget, pick, requireLaw } from "../fuzz-target.ts";
import { madeUpObject } from "../made-up-json.ts";
import { FREE, openFuzzedPlane } from "../open-plane.ts";

const HEAD = "apiVersion: fuzz.example.com/v1\nkind: Free\nmetadata: {name: a}\n";
const SPECS = [
  "spec:\n  a: b\n  c: [1, 2.5, null, yes, ~]\n  d:\n  - e: |\n      text\n    f: >-\n      folded\n",
  "spec: {a: 'b''c', \"d\": \"\\u00e9\\n\", ? e : f}\n",
  "spec:\n  octal: 0o17\n  hex: 0x1f\n  exp: 1e3\n  date: 2026-01-01\n  base60: 1:30\n  big: 9007199254740993\n",
  "spec:\n  - - - a\n    - b\n",
  "spec: &x {a: *x}\n",
  "spec: {<<: {a: b}, __proto__: {c: d}, constructor: e}\n",
  "# comment\nspec: !!binary aGVsbG8=\n---\nsecond: document\n",
];

/** Created from YAML, an object is the one that its own JSON and its own YAML create. */
export async function openYaml(): Promise<FuzzTarget> {
  const plane = await openFuzzedPlane();
  const create = async (type: string, body: Uint8Array, accept = "application/json") =>
    plane.ask({
      method: "POST",
      path: FREE,
      query: { dryRun: "All", fieldValidation: "Ignore" },
      headers: { "content-type": type, accept },
      body: { kind: "bytes", bytes: body },
    });
  return {
    corpus: SPECS.map((spec) => encode(HEAD + spec)),
    words: [
      ": ",
      "- ",
      "&a ",
      "*a",
      "<<: ",
      "!!str ",
      "!!float ",
      "|\n",
      ">-\n",
      "? ",
      "---\n",
      "...\n",
      "%YAML 1.1\n",
      "'",
      '"',
      "#",
      "{",
      "}",
      "[",
      "]",
      "~",
      "yes",
      ".inf",
      ".nan",
      "\t",
    ],
    generate(random) {
      const spec = madeUpObject(random, 5);
      return encode(
        random.below(2) === 0
          ? HEAD + block("spec", spec, 0)
          : `${HEAD}spec: ${encodeJson(spec)}\n`,
      );
    },
    async run(input, random) {
      const first = await create("application/yaml", input);
      if (first.status !== 201) return;
      const spec = specOf(first.bytes);
      const asYaml = await create("application/yaml", input, "application/yaml");
      requireLaw(asYaml.status === 201, `asked for YAML it is answered ${asYaml.status}`);
      const again = await create(pick(random, ["application/yaml"]), asYaml.bytes);
      requireLaw(
        again.status === 201,
        `its own YAML is answered ${again.status}: ${String(Buffer.from(again.bytes))}`,
      );
      requireLaw(equalJson(specOf(again.bytes), spec), "its own YAML makes another object");
      const json = await create("application/json", first.bytes);
      requireLaw(json.status === 201, `its own JSON is answered ${json.status}`);
      requireLaw(equalJson(specOf(json.bytes), spec), "its own JSON makes another object");
    },
    [Symbol.asyncDispose]: () => plane[Symbol.asyncDispose](),
  };
}

function specOf(bytes: Uint8Array): JsonValue {
  return (decodeJson(bytes) as JsonObject)["spec"] ?? null;
}

/** Block style, with keys quoted as JSON quotes them. */
function block(key: string, value: JsonValue, depth: number): string {
  const indent = "  ".repeat(depth);
  const name = `${indent}${JSON.stringify(key)}:`;
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    return `${name} ${encodeJson(value)}\n`;
  }
  if (Array.isArray(value)) {
    return `${name}\n${value.map((each) => `${indent}- ${encodeJson(each)}\n`).join("")}`;
  }
  const members = Object.entries(value).map(([k, v]) => block(k, v, depth + 1));
  return `${name}\n${members.join("")}`;
}

import type { SeededRandom } from "@homeostat/concurrency";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  createMergePatch,
  createStrategicMergePatch,
  decodeJson,
  encodeJson,
  equalJson,
  JsonError,
  type JsonObject,
  type JsonValue,
  PatchError,
  patchSchemaOf,
} from "@homeostat/object-model";
import { objectFixtures } from "../fixture-corpus.ts";
import { encode, type FuzzTarget, pick, requireLaw } from "../fuzz-target.ts";
import { madeUpJson, madeUpObject } from "../made-up-json.ts";

const OPERATIONS = ["add", "remove", "replace", "move", "copy", "test", "constructor"];
const SCHEMAS = ["core.v1.Pod", "core.v1.Service", "apps.v1.Deployment", "core.v1.ConfigMap"];

/** An input is `{"document": ..., "patch": ...}`; each patch is tried as all three kinds. */
export async function openPatches(): Promise<FuzzTarget> {
  const objects = objectFixtures();
  const schemas = SCHEMAS.map((name) => patchSchemaOf(name)).filter((each) => each !== undefined);
  return {
    corpus: objects.flatMap((document, at) => [
      input(document, objects[(at + 1) % objects.length]!),
      input(document, [
        { op: "add", path: "/metadata/labels/x", value: "y" },
        { op: "test", path: "/kind", value: document["kind"] ?? null },
        { op: "copy", from: "/metadata", path: "/spec/list/-" },
        { op: "move", from: "/spec", path: "/metadata/annotations/a~1b" },
      ]),
      input(document, { metadata: { finalizers: [{ $patch: "replace" }], $retainKeys: ["name"] } }),
      input(document, {
        spec: {
          containers: [{ name: "c", $patch: "delete" }],
          "$setElementOrder/containers": [{ name: "c" }],
        },
      }),
    ]),
    words: [
      '"op":"copy"',
      '"from":"/"',
      '"path":"/-"',
      "~0",
      "~1",
      '"$patch":"delete"',
      '"$patch":"merge"',
      '"$retainKeys":[]',
      "null",
      '"/a/-1"',
    ],
    generate: (random) => {
      const document = random.below(2) === 0 ? pick(random, objects) : madeUpObject(random, 5);
      const patch = random.below(2) === 0 ? jsonPatch(random, document) : madeUpObject(random, 5);
      return input(document, patch);
    },
    run(bytes, random) {
      const given = read(bytes);
      if (given === undefined) return;
      const { document, patch } = given;
      const before = encodeJson(document);
      judge(() => applyJsonPatch(document, patch));
      const merged = judge(() => applyMergePatch(document, patch));
      if (merged !== undefined) {
        // Lists that take the place of objects keep their nulls the first time, as in Kubernetes.
        const twice = judge(() => applyMergePatch(merged, patch)) ?? merged;
        const thrice = judge(() => applyMergePatch(twice, patch)) ?? null;
        requireLaw(equalJson(thrice, twice), "a merge patch goes on changing what it made");
        const made = judge(() => createMergePatch(document, twice));
        if (made !== undefined && !holdsNull(twice)) {
          const reached = applyMergePatch(document, made);
          requireLaw(equalJson(reached, twice), "the patch to a value does not lead to it");
        }
      }
      const schema = pick(random, schemas);
      const strategic = judge(() => applyStrategicMergePatch(document, patch, { schema }));
      if (strategic !== undefined && isObject(document)) {
        judge(() => createStrategicMergePatch(document, strategic, { schema }));
      }
      requireLaw(encodeJson(document) === before, "the document was changed in its place");
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function input(document: JsonValue, patch: JsonValue): Uint8Array {
  return encode(encodeJson({ document, patch }));
}

function read(bytes: Uint8Array): { document: JsonValue; patch: JsonValue } | undefined {
  try {
    const value = decodeJson(bytes);
    if (!isObject(value)) return undefined;
    const { document = null, patch = null } = value;
    return { document, patch };
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** The result, which can be written; undefined for a refusal. */
function judge<T extends JsonValue>(apply: () => T): T | undefined {
  try {
    const result = apply();
    encodeJson(result);
    return result;
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

function holdsNull(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return value === null;
  return Object.values(value).some(holdsNull);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function jsonPatch(random: SeededRandom, document: JsonValue): JsonValue {
  const paths = ["", "/", "/-", "/a/0", "/a/-1", ...pathsIn(document)];
  const path = (): string => pick(random, paths) + (random.below(4) === 0 ? "/new" : "");
  return Array.from({ length: random.below(6) }, () => ({
    op: pick(random, OPERATIONS),
    path: path(),
    from: path(),
    value: madeUpJson(random, 2),
  }));
}

function pathsIn(value: JsonValue, prefix = "", depth = 3): readonly string[] {
  if (typeof value !== "object" || value === null || depth === 0) return [prefix];
  const below = Object.entries(value).flatMap(([key, member]) => {
    const step = key.replaceAll("~", "~0").replaceAll("/", "~1");
    return pathsIn(member, `${prefix}/${step}`, depth - 1);
  });
  return [prefix, ...below];
}

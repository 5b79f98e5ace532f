import { expect, test } from "vitest";
import type { PatchSchema } from "../patch/patch-schema.ts";
import { applyStrategicMergePatch } from "../patch/strategic-merge-patch.ts";
import { patchSchemaOf } from "./patch-schema-of.ts";

function walk(schema: PatchSchema, ...path: readonly string[]): PatchSchema | undefined {
  return path.reduce<PatchSchema | undefined>((found, name) => found?.field(name)?.schema, schema);
}

test("lists carry merge key, strategies and element type", () => {
  const spec = walk(patchSchemaOf("core.v1.Pod"), "spec");
  expect(spec).toMatchObject({ kind: "struct", name: "PodSpec" });
  const containers = spec?.field("containers");
  expect(containers).toMatchObject({ list: true, mergeKey: "name", strategies: ["merge"] });
  expect(containers?.schema.name).toBe("Container");
  expect(spec?.field("volumes")).toMatchObject({
    mergeKey: "name",
    strategies: ["merge", "retainKeys"],
  });
  expect(spec?.field("tolerations")).toMatchObject({ list: true, strategies: [] });
});

test("a list of primitives merges without a key", () => {
  const finalizers = walk(patchSchemaOf("core.v1.Pod"), "metadata")?.field("finalizers");
  expect(finalizers).toMatchObject({
    list: true,
    strategies: ["merge"],
    schema: { kind: "scalar" },
  });
  expect(finalizers).not.toHaveProperty("mergeKey");
});

test("embedded fields, kind and apiVersion are fields of the struct", () => {
  const volume = walk(patchSchemaOf("core.v1.Pod"), "spec", "volumes");
  expect(volume?.field("emptyDir")?.schema.name).toBe("EmptyDirVolumeSource");
  expect(patchSchemaOf("core.v1.Pod").field("apiVersion")?.schema.kind).toBe("scalar");
});

test("maps, scalars and types with their own JSON declare no fields", () => {
  const pod = patchSchemaOf("core.v1.Pod");
  expect(walk(pod, "metadata", "labels")).toMatchObject({ kind: "map", name: "map" });
  expect(walk(pod, "metadata", "labels")?.field("app")).toBeUndefined();
  expect(walk(pod, "spec", "hostNetwork")).toMatchObject({ kind: "scalar", name: "bool" });
  const data = walk(patchSchemaOf("apps.v1.ControllerRevision"), "data");
  expect(data).toMatchObject({ kind: "struct", name: "RawExtension" });
  expect(data?.field("raw")).toBeUndefined();
  expect(pod.field("__proto__")).toBeUndefined();
  expect(pod.field("constructor")).toBeUndefined();
});

test("a list that is a message on the wire is a list here", () => {
  const verbs = patchSchemaOf("meta.v1.APIResource").field("verbs");
  expect(verbs).toMatchObject({ list: true, schema: { kind: "scalar", name: "string" } });
  const extra = patchSchemaOf("authentication.v1.UserInfo").field("extra");
  expect(extra).toMatchObject({ list: false, schema: { kind: "map" } });
});

test("a recursive type is its own field's type", () => {
  const props = patchSchemaOf("apiextensions.v1.JSONSchemaProps");
  expect(props.field("not")?.schema).toBe(props);
});

test("an unknown type is an error", () => {
  expect(() => patchSchemaOf("core.v1.Ghost")).toThrow('no built-in schema "core.v1.Ghost"');
});

test("strategic merge works on a built-in kind through the table", () => {
  const deployment = {
    spec: {
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } },
      template: {
        spec: {
          containers: [
            { name: "web", image: "web:1", ports: [{ containerPort: 80 }, { containerPort: 81 }] },
            { name: "log", image: "log:1" },
          ],
        },
      },
    },
  };
  const patch = {
    spec: {
      strategy: { $retainKeys: ["type"], type: "Recreate" },
      template: {
        spec: {
          containers: [
            { name: "web", ports: [{ containerPort: 81, $patch: "delete" }] },
            { name: "log", image: "log:2" },
          ],
        },
      },
    },
  };
  const schema = patchSchemaOf("apps.v1.Deployment");
  expect(applyStrategicMergePatch(deployment, patch, { schema })).toEqual({
    spec: {
      strategy: { type: "Recreate" },
      template: {
        spec: {
          containers: [
            { name: "web", image: "web:1", ports: [{ containerPort: 80 }] },
            { name: "log", image: "log:2" },
          ],
        },
      },
    },
  });
});

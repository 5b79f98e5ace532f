/**
 * The types that expressions of changes are made of: `Object.spec{replicas: 3}` and
 * `JSONPatch{op: "remove", path: "/spec/x"}`. Any name under `Object` is a type with any fields.
 */
import {
  DYN,
  Failure,
  type MessageType,
  MessageValue,
  type ObjectType,
  type ObjectTypeField,
  STRING,
  type Type,
  type Value,
} from "@homeostat/cel";

class AnyFields extends Map<string, ObjectTypeField> {
  override get(name: string): ObjectTypeField {
    return { type: DYN, jsonName: name };
  }
}

const ANY_FIELDS = new AnyFields();

function objectTypeNamed(name: string): ObjectType {
  return { kind: "object", name, fields: ANY_FIELDS };
}

export const OBJECT: Type = objectTypeNamed("Object");

/** Kubernetes takes any other field for one whose type has no name. */
class PatchFields extends Map<string, ObjectTypeField> {
  override get(name: string): ObjectTypeField {
    const unknown: ObjectType = { kind: "object", name: "", fields: new Map() };
    return super.get(name) ?? { type: unknown, jsonName: name };
  }
}

export const JSON_PATCH: ObjectType = {
  kind: "object",
  name: "JSONPatch",
  fields: new PatchFields(
    Object.entries({ op: STRING, path: STRING, from: STRING, value: DYN }).map(([name, type]) => [
      name,
      { type, jsonName: name },
    ]),
  ),
};

/** What `Name{...}` makes; undefined for names of no such type. */
export function mutationType(name: string): MessageType | undefined {
  if (name === "JSONPatch") return { type: JSON_PATCH, make: makePatch };
  if (name !== "Object" && !name.startsWith("Object.")) return undefined;
  const type = objectTypeNamed(name);
  return { type, make: (fields) => new MessageValue(type, fields) };
}

function makePatch(fields: ReadonlyMap<string, Value>): Value {
  for (const [name, value] of fields) {
    if (!JSON_PATCH.fields.has(name)) {
      return new Failure(`unexpected JSONPatchType field: ${name}`);
    }
    if (name === "value" || typeof value === "string") continue;
    const got = GO_NAMES[typeof value] ?? "interface {}";
    return new Failure(`unexpected type ${got} for JSONPatchType '${name}' field`);
  }
  return new MessageValue(JSON_PATCH, fields);
}

const GO_NAMES: Readonly<Partial<Record<string, string>>> = {
  bigint: "int64",
  boolean: "bool",
  number: "float64",
};

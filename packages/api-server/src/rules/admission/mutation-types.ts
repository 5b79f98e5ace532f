/**
 * The types that expressions of changes are made of: `Object.spec{replicas: 3}` and
 * `JSONPatch{op: "remove", path: "/spec/x"}`. Any name under `Object` is a type with any fields.
 */
import {
  DYN,
  type Environment,
  type ObjectType,
  type ObjectTypeField,
  opaque,
  STRING,
  type Type,
  typeOf,
} from "@homeostat/cel";
import type { Place } from "@homeostat/schema";
import { printExactType, reportCompilation } from "../checks/cel-texts.ts";
import { checkType } from "./policy-expressions.ts";

class AnyFields extends Map<string, ObjectTypeField> {
  override get(name: string): ObjectTypeField {
    return { type: DYN, jsonName: name };
  }
}

function objectTypeNamed(name: string): ObjectType {
  return { kind: "object", name, fields: new AnyFields() };
}

export const OBJECT: Type = objectTypeNamed("Object");

/** Kubernetes takes any other field for one whose type has no name. */
class PatchFields extends Map<string, ObjectTypeField> {
  override get(name: string): ObjectTypeField {
    const unknown: ObjectType = { kind: "object", name: "", fields: new Map() };
    return super.get(name) ?? { type: unknown, jsonName: name };
  }
}

export const JSON_PATCH: Type = {
  kind: "object",
  name: "JSONPatch",
  fields: new PatchFields(
    Object.entries({ op: STRING, path: STRING, from: STRING, value: DYN }).map(([name, type]) => [
      name,
      { type, jsonName: name },
    ]),
  ),
};

const TYPE_NAME = /(?<![\w.])Object(?:\.[A-Za-z_]\w*)*/g;

/** Knows the types that the text mentions. */
function withTypesOf(text: string, environment: Environment): Environment {
  const names: Record<string, Type> = { JSONPatch: typeOf(JSON_PATCH) };
  for (const [name] of text.matchAll(TYPE_NAME)) names[name] = typeOf(objectTypeNamed(name));
  return environment.with(names);
}

const NOTHING = opaque("nothing");
const MADE = "unknown type: ";

/** Has to compile, to this type. */
export function checkMutation(
  text: string,
  place: Place,
  { environment: base, type }: { readonly environment: Environment; readonly type: Type },
): void {
  const environment = withTypesOf(text, base);
  const compiled = environment.compile(text);
  if (compiled.ok) {
    const got = printExactType(compiled.expression.outputType);
    checkType(got, place, { types: [type], shown: text });
  } else if (compiled.stage === "instantiation" && compiled.message.startsWith(MADE)) {
    const got = typeOfMade(text, environment, type);
    checkType(got, place, { types: [type], shown: text });
  } else reportCompilation(compiled, text, place);
}

/**
 * As it is printed. Expressions that make objects can be checked but not be evaluated yet, so the type
 * is found by comparing: with a value of the type wanted, and with one that only `dyn` can equal.
 */
function typeOfMade(text: string, environment: Environment, wanted: Type): string {
  const other = mismatch(text, environment, wanted);
  if (other !== undefined) return other;
  if (mismatch(text, environment, NOTHING) === undefined) return "dyn";
  if (wanted.kind !== "list") return printExactType(wanted);
  const isMixed = mismatch(text, environment, { kind: "list", element: NOTHING }) === undefined;
  return isMixed ? "list(dyn)" : printExactType(wanted);
}

/** Undefined where a value of the type can be equal. */
function mismatch(text: string, environment: Environment, type: Type): string | undefined {
  const compiled = environment.with({ wanted: type }).compile(`(${text}\n) == wanted`);
  if (compiled.ok || compiled.stage === "instantiation") return undefined;
  const [issue] = compiled.issues;
  return /applied to '\((.*), [^,]*\)'$/s.exec(issue?.message ?? "")?.[1];
}

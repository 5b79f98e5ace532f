/**
 * The typed codec: what decoding JSON into the Go struct of a built-in kind and encoding it again
 * does to an object. `read-object.ts` is the way in (only known fields, checked and in canonical
 * form, errors in Go's words), `print-object.ts` the way out (struct order, Go's omissions),
 * `strict-errors.ts` the sentences for what reading dropped. Pure; nothing given is changed.
 *
 * This file turns a schema into what both walk: fields by name with their place in the struct.
 */

import type {
  JsonForm,
  JsonValue,
  ObjectSchema,
  ScalarType,
  SchemaField,
} from "@homeostat/object-model";
import { schemaOf } from "@homeostat/object-model";

/** What a value is, whatever holds it: a field, a list or a map. */
export type ValueKind = JsonForm | ScalarType;

const plans = new WeakMap<ObjectSchema, ObjectPlan>();

/** Compiled on first use. */
export function planOf(schema: ObjectSchema): ObjectPlan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    plan = new ObjectPlan(schema);
    plans.set(schema, plan);
  }
  return plan;
}

export class ObjectPlan {
  /** `core.v1.Pod` */
  readonly schemaName: string;
  readonly fields: ReadonlyMap<string, FieldPlan>;
  /** The same in struct order: `ordered[i].index` is i. */
  readonly ordered: readonly FieldPlan[];
  /** Undefined for each field. */
  readonly noValues: readonly (JsonValue | undefined)[];
  /** How many fields are printed even when empty. */
  readonly alwaysPrinted: number;

  constructor(schema: ObjectSchema) {
    this.schemaName = schema.name;
    const homes = homesOf(schema);
    this.ordered = Array.from(
      schema.fields.values(),
      (field, index) =>
        new FieldPlan({ field, index, holder: schema, home: homes.get(field.name) }),
    );
    this.noValues = this.ordered.map(() => undefined);
    this.fields = new Map(this.ordered.map((field) => [field.name, field]));
    this.alwaysPrinted = this.ordered.filter((field) => field.printedWhenEmpty).length;
  }
}

interface FieldOptions {
  readonly field: SchemaField;
  readonly index: number;
  readonly holder: ObjectSchema;
  readonly home: FieldHome | undefined;
}

export class FieldPlan {
  readonly name: string;
  readonly index: number;
  readonly shape: SchemaField["shape"];
  /** Of the value, the list element or the map value. */
  readonly kind: ValueKind;
  readonly pointer: boolean;
  readonly printedWhenEmpty: boolean;
  /** The schema of the value, list element or map value; undefined for a scalar. */
  readonly schemaName: string | undefined;
  /** The struct whose field this is to JSON. */
  readonly holder: string;
  readonly home: FieldHome;
  /** Whether a zero is the same as nothing: so it is in Go, except behind a pointer and that no
   * bytes at all print as null. */
  readonly #zeroIsEmpty: boolean;
  #plan: ObjectPlan | undefined;

  constructor({ field, index, holder, home }: FieldOptions) {
    this.name = field.name;
    this.index = index;
    this.shape = field.shape;
    this.kind = field.schema === undefined ? field.scalar! : schemaOf(field.schema).form;
    this.pointer = field.pointer;
    this.printedWhenEmpty = field.printedWhenEmpty;
    this.schemaName = field.schema;
    this.holder = holder.name;
    this.#zeroIsEmpty =
      !field.pointer &&
      field.shape === "single" &&
      field.schema === undefined &&
      (field.scalar !== "bytes" || !field.printedWhenEmpty);
    this.home = home ?? { schemaName: "meta.v1.TypeMeta", embedded: "TypeMeta." };
  }

  /** Whether this scalar in this field is no more than an absent one. */
  isEmptyAs(value: JsonValue): boolean {
    return this.#zeroIsEmpty && (value === "" || value === 0 || value === false);
  }

  /** The plan of the values: of the schema itself, or of the one that a `schema-or-...` may be. */
  get plan(): ObjectPlan {
    this.#plan ??= planOf(objectSchemaIn(schemaOf(this.schemaName!)));
    return this.#plan;
  }
}

function objectSchemaIn(schema: ObjectSchema): ObjectSchema {
  if (schema.form === "object") return schema;
  const alternative = schema.wireFields.values().find((field) => field.schema !== undefined);
  return schemaOf(alternative!.schema!);
}

/** Where Go declares a field: in the struct itself, or in one that it embeds. */
interface FieldHome {
  readonly schemaName: string;
  /** The embedded structs on the way to the field, `VolumeSource.`; Go's messages show them. */
  readonly embedded: string;
}

/** `kind` and `apiVersion` have none: TypeMeta is no message. */
function homesOf(schema: ObjectSchema, embedded = ""): Map<string, FieldHome> {
  const homes = new Map<string, FieldHome>();
  for (const { name, schema: inner } of schema.wireFields.values()) {
    if (name !== undefined) {
      homes.set(name, { schemaName: schema.name, embedded });
      continue;
    }
    const typeName = inner!.slice(inner!.lastIndexOf(".") + 1);
    for (const [key, home] of homesOf(schemaOf(inner!), `${embedded}${typeName}.`)) {
      homes.set(key, home);
    }
  }
  return homes;
}

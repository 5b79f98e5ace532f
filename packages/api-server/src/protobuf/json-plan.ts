import { type ObjectSchema, schemaOf } from "@homeostat/object-model";
import { JsonName } from "./json-name.ts";
import { type WireFieldPlan, wirePlanOf } from "./wire-plan.ts";
import { WireWriter } from "./wire-writer.ts";

const NO_BYTES: Buffer = Buffer.alloc(0);
const plans = new WeakMap<ObjectSchema, JsonPlan>();

/** Compiled on first use. */
export function jsonPlanOf(schema: ObjectSchema): JsonPlan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    plan = new JsonPlan(schema);
    plans.set(schema, plan);
  }
  return plan;
}

/**
 * How the JSON of a struct becomes its message. In JSON the fields of embedded structs stand in the
 * place of the struct: all of them together have places, in the order in which Go prints them. What
 * has another form in JSON than its message has (a list, a schema or a boolean) has places too, by
 * the names of the message.
 */
export class JsonPlan {
  /** By place. */
  readonly places: readonly JsonField[];
  /** What the message is written of, the highest number first. */
  readonly descending: readonly JsonField[];
  /** By place. */
  readonly names: readonly JsonName[];

  constructor(schema: ObjectSchema) {
    this.descending = fieldsOf(schema);
    const places = new Map(placesIn(this.descending).map((field) => [field.wire.name, field]));
    // What has no order in JSON is not looked for by name.
    const order = schema.form === "object" ? [...schema.fields.keys()] : [...places.keys()];
    this.places = order.map((name) => places.get(name)).filter((field) => field !== undefined);
    for (const [place, field] of this.places.entries()) field.place = place;
    this.names = this.places.map(({ wire: { name } }) => new JsonName(name));
  }
}

function fieldsOf(schema: ObjectSchema): readonly JsonField[] {
  return wirePlanOf(schema).descending.map((wire) => new JsonField(wire));
}

function placesIn(fields: readonly JsonField[]): readonly JsonField[] {
  return fields.flatMap((field) =>
    field.embedded === undefined ? field : placesIn(field.embedded),
  );
}

/** A field of a message, where it is in the JSON of the struct that it belongs to. */
export class JsonField {
  readonly wire: WireFieldPlan;
  readonly kind: WireFieldPlan["kind"];
  readonly shape: WireFieldPlan["shape"];
  readonly tag: number;
  /** Of an embedded struct, whose fields have places of their own; undefined for every other field. */
  readonly embedded: readonly JsonField[] | undefined;
  /** What Go marshals of the field when nobody gave it, with its tag. */
  readonly absent: Buffer;
  /** Set by the plan that the field is of. */
  place = 0;
  #plan: JsonPlan | undefined;
  #zero: Buffer | undefined;

  constructor(wire: WireFieldPlan) {
    this.wire = wire;
    this.kind = wire.kind;
    this.shape = wire.shape;
    this.tag = wire.tag;
    this.embedded = wire.embedded ? fieldsOf(schemaOf(wire.schemaName!)) : undefined;
    const isLeftOut = wire.pointer || wire.shape !== "single";
    this.absent = isLeftOut ? NO_BYTES : written((writer) => writeAbsent(writer, this));
  }

  /** Of the message that the values are. */
  get plan(): JsonPlan {
    this.#plan ??= jsonPlanOf(schemaOf(this.wire.schemaName!));
    return this.#plan;
  }
  /** What Go marshals of a value that nobody gave, behind its length where it has one. */
  get zero(): Buffer {
    this.#zero ??= zeroOf(this);
    return this.#zero;
  }
}

function written(write: (writer: WireWriter) => void): Buffer {
  const writer = new WireWriter(64);
  write(writer);
  return writer.take();
}

function writeAbsent(writer: WireWriter, field: JsonField): void {
  if (field.embedded === undefined) writer.bytes(field.zero);
  else {
    const before = writer.size;
    for (const inner of field.embedded) writer.bytes(inner.absent);
    writer.varint(writer.size - before);
  }
  writer.varint(field.tag);
}

function zeroOf(field: JsonField): Buffer {
  switch (field.kind) {
    case "double":
      return written((writer) => writer.double(0));
    case "object":
      return written((writer) => {
        for (const inner of field.plan.descending) writer.bytes(inner.absent);
        writer.varint(writer.size);
      });
    case "quantity":
      return Buffer.of(3, 0x0a, 1, 0x30);
    case "duration":
      return Buffer.of(2, 0x08, 0);
    case "int-or-string":
      return Buffer.of(6, 0x08, 0, 0x10, 0, 0x1a, 0);
    default:
      // A number of 0, or nothing behind a length of 0.
      return Buffer.of(0);
  }
}

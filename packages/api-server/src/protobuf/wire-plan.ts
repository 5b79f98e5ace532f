/**
 * Kubernetes' protobuf: built-in kinds as bytes, and back. `decode-object.ts` is the way in: a body
 * becomes the same tree that reading its JSON would give, in linear time and whatever the bytes are,
 * or a ProtobufError in Go's words. `encode-object.ts`, `encode-list.ts` and `encode-watch-event.ts`
 * are the way out: byte for byte what kube-apiserver sends for the same object. They are given its
 * JSON, as it is kept, and decode nothing: `json-tape.ts` finds where everything stands in it, and
 * `encode-message.ts` puts pieces of it together.
 *
 * This file turns a schema into what both walk: the fields of a message by number. Message types and
 * their numbers come from the schema table of the object model; there is no table of its own.
 */

import type { ObjectSchema, ScalarType, SchemaField, WireField } from "@homeostat/object-model";
import { schemaOf } from "@homeostat/object-model";
import type { ValueKind } from "../codec/object-plan.ts";

const plans = new WeakMap<ObjectSchema, WirePlan>();

/** Compiled on first use. */
export function wirePlanOf(schema: ObjectSchema): WirePlan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    plan = new WirePlan(schema);
    plans.set(schema, plan);
  }
  return plan;
}

/** How a message looks on the wire. */
export class WirePlan {
  /** `Pod`, as messages about malformed bytes name it. */
  readonly typeName: string;
  /** By number; there are holes. */
  readonly byNumber: readonly (WireFieldPlan | undefined)[];
  /** The highest number first: messages are written from their end. */
  readonly descending: readonly WireFieldPlan[];

  constructor(schema: ObjectSchema) {
    this.typeName = schema.name
      .slice(schema.name.lastIndexOf(".") + 1)
      .replace(/^(?:Micro)?Time$/, "Timestamp");
    const byNumber: (WireFieldPlan | undefined)[] = [];
    for (const wire of schema.wireFields.values()) {
      const field = wire.name === undefined ? undefined : schema.fields.get(wire.name);
      byNumber[wire.number] = new WireFieldPlan(wire, field);
    }
    // Holes as values: reading one stays in the array.
    this.byNumber = Array.from(byNumber);
    this.descending = this.byNumber.filter((field) => field !== undefined).reverse();
  }
}

export class WireFieldPlan {
  readonly number: number;
  /** JSON name; "" for an embedded struct, whose fields stand in its place in JSON. */
  readonly name: string;
  readonly embedded: boolean;
  readonly shape: "list" | "map" | "single";
  readonly kind: ValueKind;
  readonly wireType: 0 | 1 | 2;
  /** Of the values of a map; the same for everything else. */
  readonly elementWireType: 0 | 1 | 2;
  /** The number with the wire type, as it is written before each value. */
  readonly tag: number;
  /** Left out when absent; everything else that is single is written with its zero. */
  readonly pointer: boolean;
  /** What Go cannot tell from an absent field, and what reading therefore leaves out. */
  readonly dropsZero: boolean;
  /** Of the message that the values are. */
  readonly schemaName: string | undefined;
  #plan: WirePlan | undefined;

  constructor(wire: WireField, field: SchemaField | undefined) {
    const { scalar } = wire;
    this.number = wire.number;
    this.name = wire.name ?? "";
    this.embedded = wire.name === undefined;
    this.shape = wire.shape;
    this.kind = wire.schema === undefined ? scalar! : schemaOf(wire.schema).form;
    this.wireType = wire.wireType;
    this.elementWireType = wire.shape === "map" ? elementWireType(scalar) : wire.wireType;
    this.tag = wire.number * 8 + wire.wireType;
    // Bytes have no pointer: they are there or not.
    this.pointer = field?.pointer === true || (wire.shape === "single" && scalar === "bytes");
    this.dropsZero =
      field?.pointer === false &&
      wire.shape === "single" &&
      scalar !== undefined &&
      (scalar !== "bytes" || !field.printedWhenEmpty);
    this.schemaName = wire.schema;
  }

  get plan(): WirePlan {
    this.#plan ??= wirePlanOf(schemaOf(this.schemaName!));
    return this.#plan;
  }
}

function elementWireType(scalar: ScalarType | undefined): 0 | 1 | 2 {
  if (scalar === "bool" || scalar === "int32" || scalar === "int64") return 0;
  return scalar === "double" ? 1 : 2;
}

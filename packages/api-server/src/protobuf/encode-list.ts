import {
  encodeJsonBytes,
  type ListMeta,
  type ObjectSchema,
  schemaOf,
} from "@homeostat/object-model";
import type { ObjectJson } from "../answers/answer.ts";
import { sharedEncoder } from "./encode-object.ts";
import { ENVELOPE_END, writeEnvelopeHead } from "./envelope.ts";
import { type JsonPlan, jsonPlanOf } from "./json-plan.ts";
import type { ObjectType } from "./protobuf-error.ts";

const CHUNK = 256 * 1024;
const FIRST_CHUNK = 4 * 1024;
/** Fields 1 and 2 of every list: its metadata and its items. */
const METADATA = 0x0a;
const ITEM = 0x12;

/**
 * Writes a list item by item. The envelope says the size of the whole list before its first item,
 * so the bytes can only be sent when all items are in them; until then the encoder holds them in
 * chunks. Whoever adds many items lets others have their turn in between.
 */
export class ListEncoder {
  readonly #plan: JsonPlan;
  readonly #full: Buffer[] = [];
  #chunk: Buffer = Buffer.alloc(0);
  #used = 0;
  #size = 0;

  /** `item` is the schema of the items. */
  constructor(item: ObjectSchema) {
    this.#plan = jsonPlanOf(item);
  }

  /** An item by its JSON. */
  add(json: ObjectJson): void {
    const encoder = sharedEncoder();
    const { writer } = encoder;
    encoder.write(this.#plan, json);
    writer.varint(writer.size);
    writer.byte(ITEM);
    const { size } = writer;
    if (size > this.#chunk.length - this.#used) {
      if (this.#used > 0) this.#full.push(this.#chunk.subarray(0, this.#used));
      // As much again as there is: a short list does not take a whole chunk.
      const room = Math.min(CHUNK, Math.max(FIRST_CHUNK, this.#size));
      this.#chunk = Buffer.allocUnsafe(Math.max(room, size));
      this.#used = 0;
    }
    this.#used += writer.copyTo(this.#chunk, this.#used);
    this.#size += size;
  }

  /** The whole list. The encoder is of no use afterwards. */
  *finish(type: ObjectType, metadata: ListMeta): Generator<Buffer> {
    const encoder = sharedEncoder();
    const head = encoder.writer;
    encoder.write(jsonPlanOf(schemaOf("meta.v1.ListMeta")), {
      bytes: encodeJsonBytes(metadata),
      sets: [],
    });
    head.varint(head.size);
    head.byte(METADATA);
    writeEnvelopeHead(head, head.size + this.#size, type);
    yield head.take();
    for (let chunk = this.#full.shift(); chunk !== undefined; chunk = this.#full.shift()) {
      yield chunk;
    }
    if (this.#used > 0) yield this.#chunk.subarray(0, this.#used);
    yield Buffer.from(ENVELOPE_END);
  }
}

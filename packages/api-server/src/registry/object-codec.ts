import {
  type JsonObject,
  type JsonValue,
  type ObjectSchema,
  type PatchSchema,
  patchSchemaOf,
} from "@homeostat/object-model";
import { builtinMergeSchema, type MergeSchema } from "@homeostat/schema";
import { printObject } from "../codec/print-object.ts";
import { type ReadObject, readObject } from "../codec/read-object.ts";
import { sortRawValues } from "../codec/sort-raw-values.ts";
import { applyDefaults } from "../rules/apply-defaults.ts";

/** How objects of one kind and version are read and printed, whoever defined the kind. */
export interface ObjectCodec {
  /** Of a built-in kind, whose objects have types; custom resources are what their schema allows. */
  readonly schema: ObjectSchema | undefined;
  /** For server-side apply and the entries of managed fields. */
  readonly mergeSchema: MergeSchema;
  /** For strategic merge; undefined where there is none. */
  readonly patchSchema: PatchSchema | undefined;
  /** What a client sent, as the kind has it; throws ObjectDecodeError. Shares nothing with `value`. */
  read(value: JsonValue): ReadObject;
  /** What an apply made, the same way; of custom resources, only the metadata is read anew. */
  readApplied(value: JsonObject): JsonObject;
  /**
   * As clients get it. May share with `object`, or be it. `like` is as this printed it once: what
   * `object` has of it is taken as it is.
   */
  print(object: JsonObject, like?: Readonly<JsonObject>): JsonObject;
  /** The same to whoever does not look at the order of keys, which takes long to make in large objects. */
  printUnordered(object: JsonObject, like?: Readonly<JsonObject>): JsonObject;
  /** In place; see rules/apply-defaults.ts for `now`. */
  applyDefaults(object: JsonObject, now?: number): void;
  /** Puts what a patch gave for values of free content in the order in which they print. In place. */
  sortFreeContent(object: JsonObject): void;
}

/** Of a built-in kind, or of one that only travels: DeleteOptions, Scale. */
export function builtinCodec(schema: ObjectSchema): ObjectCodec {
  return {
    schema,
    get mergeSchema() {
      return builtinMergeSchema(schema);
    },
    get patchSchema() {
      return patchSchemaOf(schema.name);
    },
    read: (value) => readObject(schema, value),
    readApplied: (value) => readObject(schema, value).object,
    print: (object, like) => printObject(schema, object, like),
    printUnordered: (object, like) => printObject(schema, object, like),
    applyDefaults: (object, now) => applyDefaults(schema, object, now),
    sortFreeContent: (object) => sortRawValues(schema, object),
  };
}

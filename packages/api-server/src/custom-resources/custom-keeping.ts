import { finishNow, inSlices, type WorkSteps } from "@homeostat/cel";
import { encodeJson, type JsonObject, type KubernetesObject } from "@homeostat/object-model";
import type { ObjectCodec } from "../registry/object-codec.ts";
import type { Keeping } from "../registry/served-resource.ts";
import { decodeStored, encodeUntyped, storedMark } from "../registry/stored-object.ts";
import { printLarge } from "./print-large.ts";
import type { VersionConverter } from "./version-converter.ts";
import type { VersionSchema } from "./version-schema.ts";

/** One version of a definition, as far as keeping its objects needs to know it. */
export interface KeptVersion {
  readonly apiVersion: string;
  readonly schema: VersionSchema;
  readonly codec: ObjectCodec;
  /** Tells bytes written under this version of this definition from all others. Not 0. */
  readonly mark: number;
  /** In the order of the kind's field names. */
  readonly fieldsOf: (object: KubernetesObject) => readonly string[];
}

export interface KeepingOptions {
  readonly storage: KeptVersion;
  readonly converter: VersionConverter;
  /** Of any version of the definition, served or not. */
  readonly schemaOf: (apiVersion: string) => VersionSchema | undefined;
}

/**
 * Objects are kept in the definition's storage version and read in the one that is served: bytes that
 * were written under the very definition are taken as they are, others are pruned and defaulted by the
 * schema of the version in which they were written, converted, and pruned by the served version's. So
 * a default that only the served version has is never seen on a read.
 */
export function customKeeping(served: KeptVersion, options: KeepingOptions): Keeping {
  const { storage, converter, schemaOf } = options;
  return {
    isRemote: converter.isRemote,
    encode(object, breathe) {
      const encodeAs = (kept: KubernetesObject, mark: number): Uint8Array | Promise<Uint8Array> =>
        breathe === undefined
          ? encode(kept, storage, mark)
          : inSlices(encodeLarge(kept, storage, mark), breathe);
      if (served === storage) return encodeAs(object, storage.mark);
      // Not defaulted by the storage version's schema: whoever reads it there has that to do.
      const finish = ([converted]: readonly KubernetesObject[]):
        | Uint8Array
        | Promise<Uint8Array> => {
        finishNow(storage.schema.prune(converted as unknown as JsonObject, { lenient: true }));
        return encodeAs(converted!, NO_MARK);
      };
      const converted = converter.convert([object], storage.apiVersion);
      return converted instanceof Promise ? converted.then(finish) : finish(converted);
    },
    refresh(values) {
      if (values.every((value) => storedMark(value) === served.mark)) return values;
      const stale = values.flatMap((value, at) => {
        if (storedMark(value) === served.mark) return [];
        const object = read(value);
        return [{ at, object, from: object.apiVersion }];
      });
      const objects = stale.map(({ object }) => object);
      const converted = converter.convert(objects, served.apiVersion);
      if (!(converted instanceof Promise)) return merge(values, stale, converted);
      const kept = values.map((value) => value.slice());
      return converted.then((made) => merge(kept, stale, made));
    },
  };

  function read(value: Uint8Array): KubernetesObject {
    const object = decodeStored(value, 0);
    const schema = schemaOf(object.apiVersion ?? "");
    if (schema === undefined) return object;
    finishNow(schema.prune(object as unknown as JsonObject, { lenient: true }));
    finishNow(schema.applyDefaults(object as unknown as JsonObject));
    return object;
  }

  function merge(
    values: readonly Uint8Array[],
    stale: readonly { readonly at: number; readonly from: string | undefined }[],
    converted: readonly KubernetesObject[],
  ): readonly Uint8Array[] {
    const fresh = [...values];
    for (const [index, { at, from }] of stale.entries()) {
      const object = converted[index]!;
      if (from !== served.apiVersion) {
        finishNow(served.schema.prune(object as unknown as JsonObject, { lenient: true }));
      }
      fresh[at] = encode(object, served, served.mark);
    }
    return fresh;
  }
}

/** Never current. */
const NO_MARK = 0;

function encode(object: KubernetesObject, version: KeptVersion, mark: number): Uint8Array {
  const printed = version.codec.print(object as unknown as JsonObject);
  return encodeUntyped(printed, { fields: version.fieldsOf(object), mark });
}

/** {@link encode} in steps. */
function* encodeLarge(
  object: KubernetesObject,
  version: KeptVersion,
  mark: number,
): WorkSteps<Uint8Array> {
  const unordered = version.codec.printUnordered(object as unknown as JsonObject);
  const { printed, texts } = yield* printLarge(unordered);
  return encodeUntyped(printed, { fields: version.fieldsOf(object), mark, texts });
}

/** A number from 1 to 2^31 - 1 that differs, as far as that goes, for different texts. */
export function markOf(...parts: readonly (number | string)[]): number {
  let hash = 0x811c9dc5;
  for (const char of encodeJson(parts)) {
    hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193) >>> 0;
  }
  return hash & 0x7fff_ffff || 1;
}

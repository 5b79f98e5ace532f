/** What the metadata of resources inside other ones is: that of any object. */
import {
  type FieldError,
  type JsonObject,
  type JsonValue,
  type ObjectMeta,
  schemaOf,
} from "@homeostat/object-model";
import type { MetadataReader, ReadMetadata } from "@homeostat/schema";
import { printObject } from "../../codec/print-object.ts";
import { readObject } from "../../codec/read-object.ts";
import { checkObjectMeta, nameIsPathSegment } from "../../resources/object-meta.ts";

export const embeddedMetadata: MetadataReader = {
  read(metadata, { dropMalformed }) {
    const isObject = typeof metadata === "object" && metadata !== null && !Array.isArray(metadata);
    return dropMalformed && isObject ? readWhatReads(metadata) : readWhole(metadata);
  },
  check(metadata, path) {
    // Whoever embeds it may leave the name to somebody else.
    const named = (metadata["name"] ? metadata : { ...metadata, name: "fakename" }) as ObjectMeta;
    const errors = checkObjectMeta(named, {
      namespaced: Boolean(metadata["namespace"]),
      checkName: nameIsPathSegment,
      qualifiedFinalizers: false,
    });
    return errors.map((error) => moved(error, String(path)));
  },
};

function readWhole(metadata: JsonValue): ReadMetadata {
  const schema = schemaOf("meta.v1.ObjectMeta");
  const { object, unknownFields } = readObject(schema, metadata);
  const printed = printObject(schema, object);
  if (printed["creationTimestamp"] === null) delete printed["creationTimestamp"];
  return { metadata: printed, unknownFields };
}

/** Field by field, so that one that is malformed does not take the others with it. */
function readWhatReads(metadata: JsonObject): ReadMetadata {
  const readable: JsonObject = {};
  for (const [name, value] of Object.entries(metadata)) {
    try {
      readWhole({ [name]: value });
      Object.assign(readable, { [name]: value });
    } catch {
      // Left out, as told.
    }
  }
  return readWhole(readable);
}

/** The same error of metadata that stands at `path`. */
function moved(error: FieldError, path: string): FieldError {
  const field = error.field.replace(/^metadata/, path);
  const { type, body } = error;
  return { type, field, body, toString: () => `${field}: ${body}` };
}

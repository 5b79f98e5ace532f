/**
 * The moves between client-side and server-side apply that happen in the server: `kubectl` applying
 * server-side takes over what it applied client-side before, and keeps the annotation true.
 */
import {
  annotationOf,
  compareBytewise,
  decodeJson,
  encodeJson,
  JsonError,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  ownKey,
  setOwnKey,
} from "@homeostat/object-model";
import {
  compareValues,
  difference,
  type FieldSet,
  fieldSetOf,
  MergeValueError,
  union,
  validateValue,
} from "@homeostat/schema";
import { metadataOf } from "../registry/system-metadata.ts";
import { textOf } from "./managed-object.ts";
import type { ManagedVersion } from "./managed-version.ts";

/** The manager whose applies keep the annotation. */
export const KUBECTL = "kubectl";

const ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";
const MAX_ANNOTATION_BYTES = 256 * 1024;

/** What was applied client-side, as the object's annotation has it; undefined for none. */
function lastApplied(object: Readonly<KubernetesObject>): string | undefined {
  return annotationOf(object, ANNOTATION) || undefined;
}

/** Fields of the last client-side apply that still are as they were applied. */
export function lastAppliedFields(
  live: Readonly<JsonObject>,
  { schema, apiVersion }: ManagedVersion,
): FieldSet | undefined {
  const text = lastApplied(live);
  if (text === undefined) return undefined;
  try {
    const applied = decodeJson(text);
    if (textOf(applied as JsonObject, "apiVersion") !== apiVersion) return undefined;
    validateValue(applied, schema);
    validateValue(live, schema);
    const { added, modified, removed } = compareValues(applied, live, schema);
    const changed = union(union(modified, added), removed);
    return difference(fieldSetOf(applied, schema), changed);
  } catch (error) {
    if (error instanceof JsonError || error instanceof MergeValueError) return undefined;
    throw error;
  }
}

/** Renews the annotation of an object that has one. In place. */
export function renewLastApplied(object: KubernetesObject, configuration: JsonObject): void {
  if (lastApplied(object) === undefined) return;
  const metadata = metadataOf(object);
  const annotations = { ...metadata.annotations };
  setOwnKey(annotations, ANNOTATION, `${encodeSorted(withoutAnnotation(configuration))}\n`);
  if (sizeOf(annotations) > MAX_ANNOTATION_BYTES) delete annotations[ANNOTATION];
  metadata.annotations = annotations;
}

function withoutAnnotation(configuration: JsonObject): JsonObject {
  const metadata = ownKey(configuration, "metadata") as JsonObject | undefined;
  const annotations = ownKey(metadata, "annotations") as JsonObject | undefined;
  if (metadata === undefined || annotations == null || !Object.hasOwn(annotations, ANNOTATION)) {
    return configuration;
  }
  const { [ANNOTATION]: _last, ...rest } = annotations;
  return { ...configuration, metadata: { ...metadata, annotations: rest } };
}

/** As Go writes a map: keys in order, and what HTML would mistake as escapes. */
function encodeSorted(value: JsonValue): string {
  return encodeJson(sorted(value)).replaceAll(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function sorted(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const copy: JsonObject = {};
  for (const key of Object.keys(value).toSorted(compareBytewise)) {
    setOwnKey(copy, key, sorted(value[key]!));
  }
  return copy;
}

function sizeOf(annotations: Readonly<Record<string, string>>): number {
  let size = 0;
  for (const key of Object.keys(annotations)) {
    size += Buffer.byteLength(key) + Buffer.byteLength(annotations[key]!);
  }
  return size;
}

/**
 * The bytes of one object as the store keeps them: the JSON that clients get, without the resource
 * version (the store's revision of the key is it), behind a small head that answers what lists and
 * watches ask, so that neither decodes:
 *
 *     head   6 numbers of 4 bytes, little endian: format, length of the fields with the number of the
 *            sets in its highest byte, and the places in the JSON where a list item begins, the
 *            resource version belongs, the labels begin and end
 *     fields a JSON list of the values of the kind's selectable fields
 *     sets   where each field set of a manager begins and ends in the JSON: two numbers of 4 bytes.
 *            Left out where the JSON is not all ASCII
 *     JSON   {"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","uid":"1"^,...,"labels":{...}
 *             a list item begins here ^ (with "{" before it)                  ^ ,"resourceVersion":"7"
 *
 * Objects of no type (custom resources) have their keys sorted, carry their kind in lists too, and
 * have in the place of the format a mark of the definition under which they were written.
 *
 * Offsets count from the start of the JSON. What is returned never refers to the store's memory.
 */
import type { JsonObject, JsonValue, KubernetesObject, Labels } from "@homeostat/object-model";
import { decodeJson, encodeJson } from "@homeostat/object-model";
import { type FieldSet, fieldsV1OfText } from "@homeostat/schema";
import { StoredText } from "./stored-text.ts";

const FORMAT = 1;
const HEAD_LENGTH = 24;
const SETS_AT = 7;
const MAX_SETS = 255;
const NO_LABELS: Labels = Object.freeze({});

/** Metadata by the side of the resource version and the labels on which it prints. */
const BEFORE_VERSION = ["name", "generateName", "namespace", "selfLink", "uid"] as const;
const BEFORE_LABELS = [
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;
const AFTER_LABELS = ["annotations", "ownerReferences", "finalizers", "managedFields"] as const;

/**
 * `printed` is in its kind's order; its metadata has a name and a uid, its version is left out.
 * `texts`: of values in it that took long to write.
 */
export function encodeStored(
  printed: JsonObject,
  fields: readonly string[],
  texts?: ReadonlyMap<JsonValue, string>,
): Buffer {
  const { kind, apiVersion, metadata: printedMetadata, ...rest } = printed;
  const metadata = printedMetadata as JsonObject;
  const written = new StoredText(texts);
  written.add({ kind: kind!, apiVersion: apiVersion! }, ["kind", "apiVersion"]);
  const itemAt = written.end + 1;
  written.enter("metadata");
  written.addMetadata(metadata, BEFORE_VERSION);
  const versionAt = written.end;
  written.addMetadata(metadata, BEFORE_LABELS);
  const labels = addLabels(written, metadata);
  written.addMetadata(metadata, AFTER_LABELS);
  written.leave();
  let tail = "}";
  if (texts !== undefined) written.add(rest, Object.keys(rest));
  else {
    const restText = encodeJson(rest);
    if (restText !== "{}") tail = `,${restText.slice(1)}`;
  }
  return assemble(written, tail, { format: FORMAT, fields, itemAt, versionAt, ...labels });
}

interface UntypedOptions {
  readonly fields: readonly string[];
  /** Below 2^31; tells later whether the bytes are still good. */
  readonly mark: number;
  /** Texts of values in the object that took long to write; those need not be sorted. */
  readonly texts?: ReadonlyMap<JsonValue, string>;
}

/** The same for an object of no type, whose keys are sorted on every level. */
export function encodeUntyped(
  printed: JsonObject,
  { fields, mark, texts }: UntypedOptions,
): Buffer {
  const keys = Object.keys(printed);
  const metadataAt = keys.indexOf("metadata");
  const metadata = printed["metadata"] as JsonObject;
  const names = Object.keys(metadata).filter((name) => name !== "resourceVersion");
  const written = new StoredText(texts);
  written.add(printed, keys.slice(0, metadataAt));
  written.enter("metadata");
  written.addMetadata(
    metadata,
    names.filter((name) => name < "labels"),
  );
  const labels = addLabels(written, metadata);
  written.addMetadata(
    metadata,
    names.filter((name) => name > "labels" && name < "resourceVersion"),
  );
  const versionAt = written.end;
  written.addMetadata(
    metadata,
    names.filter((name) => name > "resourceVersion"),
  );
  written.leave();
  written.add(printed, keys.slice(metadataAt + 1));
  const format = (UNTYPED | mark) >>> 0;
  return assemble(written, "}", { format, fields, itemAt: 1, versionAt, ...labels });
}

function addLabels(
  written: StoredText,
  metadata: JsonObject,
): { readonly labelsAt: number; readonly labelsEnd: number } {
  const { labels } = metadata;
  const labelsAt = labels === undefined ? written.end : written.addMember("labels", labels);
  return { labelsAt, labelsEnd: written.end };
}

/** Set in the format of objects of no type, beside their mark. */
const UNTYPED = 0x8000_0000;

/** The mark that {@link encodeUntyped} was given; undefined for an object of a type. */
export function storedMark(stored: Uint8Array): number | undefined {
  const format = u32(stored, 0);
  return format >= UNTYPED ? format - UNTYPED : undefined;
}

/** Whether two are the same to clients, whenever and under whichever mark they were written. */
export function isSameObject(one: Uint8Array, other: Uint8Array): boolean {
  const textOf = (stored: Uint8Array): Uint8Array => stored.subarray(jsonStart(stored));
  return Buffer.compare(textOf(one), textOf(other)) === 0;
}

/** What the head tells; places count characters of the JSON. */
interface Head {
  readonly format: number;
  readonly fields: readonly string[];
  readonly itemAt: number;
  readonly versionAt: number;
  readonly labelsAt: number;
  readonly labelsEnd: number;
}

function assemble(written: StoredText, tail: string, head: Head): Buffer {
  const text = written.text + tail;
  const length = Buffer.byteLength(text);
  // In most texts characters are bytes, and their places the same.
  const isPlain = length === text.length;
  const placeOf = (at: number): number => (isPlain ? at : Buffer.byteLength(text.slice(0, at)));
  const sets = isPlain ? written.sets.slice(0, 2 * MAX_SETS) : [];
  const fieldText = head.fields.length === 0 ? "" : encodeJson(head.fields);
  const fieldLength = Buffer.byteLength(fieldText);
  const setsAt = HEAD_LENGTH + fieldLength;
  const jsonAt = setsAt + 4 * sets.length;
  const bytes = Buffer.allocUnsafe(jsonAt + length);
  bytes.writeUInt32LE(head.format, 0);
  bytes.writeUIntLE(fieldLength, 4, 3);
  bytes[SETS_AT] = sets.length / 2;
  bytes.writeUInt32LE(placeOf(head.itemAt), 8);
  bytes.writeUInt32LE(placeOf(head.versionAt), 12);
  bytes.writeUInt32LE(placeOf(head.labelsAt), 16);
  bytes.writeUInt32LE(placeOf(head.labelsEnd), 20);
  bytes.write(fieldText, HEAD_LENGTH);
  for (const [at, place] of sets.entries()) bytes.writeUInt32LE(place, setsAt + 4 * at);
  bytes.write(text, jsonAt, isPlain ? "latin1" : "utf8");
  return bytes;
}

/** How many bytes {@link writeItem} needs at most. */
export function itemSize(stored: Uint8Array): number {
  return stored.length + VERSION_ROOM;
}

/** `,"resourceVersion":"9007199254740991"` */
const VERSION_ROOM = 40;

/** The object as clients get it alone. */
export function renderObject(stored: Uint8Array, revision: number): Buffer {
  const jsonAt = jsonStart(stored);
  const versionEnd = jsonAt + u32(stored, 12);
  const version = versionMember(revision);
  const out = Buffer.allocUnsafe(stored.length - jsonAt + version.length);
  out.set(stored.subarray(jsonAt, versionEnd), 0);
  const at = versionEnd - jsonAt;
  out.write(version, at, "latin1");
  out.set(stored.subarray(versionEnd), at + version.length);
  return out;
}

/** Writes the object as an item of a typed list, without its kind; returns where it ends. */
export function writeItem(
  out: Buffer,
  at: number,
  { value: stored, revision }: { readonly value: Uint8Array; readonly revision: number },
): number {
  const jsonAt = jsonStart(stored);
  const itemAt = jsonAt + u32(stored, 8);
  const versionEnd = jsonAt + u32(stored, 12);
  out[at] = 0x7b;
  out.set(stored.subarray(itemAt, versionEnd), at + 1);
  const end = at + 1 + versionEnd - itemAt;
  const next = end + out.write(versionMember(revision), end, "latin1");
  out.set(stored.subarray(versionEnd), next);
  return next + stored.length - versionEnd;
}

/**
 * What {@link renderObject}, or for a list item {@link writeItem}, puts together, in order. Refers to
 * `stored`: for whoever takes a part of it at once.
 */
export function partsOf(
  stored: Uint8Array,
  revision: number,
  of: "item" | "object",
): readonly Uint8Array[] {
  const jsonAt = jsonStart(stored);
  const versionEnd = jsonAt + u32(stored, 12);
  const isItem = of === "item";
  return [
    Buffer.from(isItem ? "{" : ""),
    stored.subarray(isItem ? jsonAt + u32(stored, 8) : jsonAt, versionEnd),
    Buffer.from(versionMember(revision)),
    stored.subarray(versionEnd),
  ];
}

/**
 * Where the sets stand in what {@link renderObject}, or for a list item {@link writeItem}, gives: begin
 * and end of each. Revision 0 is that of the JSON as it is kept.
 */
export function setPlaces(
  stored: Uint8Array,
  revision: number,
  of: "item" | "object",
): readonly number[] {
  const count = stored[SETS_AT]!;
  const setsAt = jsonStart(stored) - 8 * count;
  const moved =
    (revision === 0 ? 0 : versionMember(revision).length) -
    (of === "item" ? u32(stored, 8) - 1 : 0);
  const places: number[] = [];
  for (let at = setsAt; at < setsAt + 8 * count; at += 4) places.push(u32(stored, at) + moved);
  return places;
}

function versionMember(revision: number): string {
  return `,"resourceVersion":"${revision}"`;
}

/** A new decoded copy. Revision 0 (a dry run) leaves the resource version out. */
export function decodeStored(stored: Uint8Array, revision: number): KubernetesObject {
  const object = decodeObject(stored);
  if (isLargeStored(stored)) large.add(object);
  const metadata = object["metadata"] as JsonObject;
  if (revision > 0) metadata["resourceVersion"] = String(revision);
  return object;
}

/** In the text that is decoded, where a set has been cut out. */
const STAND_IN = 0;

/** Copies of the JSON with a stand-in for each set, and of the JSON of those. */
export function cutSets(stored: Uint8Array): {
  readonly json: Buffer;
  readonly sets: readonly Buffer[];
} {
  const jsonAt = jsonStart(stored);
  const count = stored[SETS_AT]!;
  const setsAt = jsonAt - 8 * count;
  const sets: Buffer[] = [];
  const between: Uint8Array[] = [];
  let at = jsonAt;
  for (let index = 0; index < count; index++) {
    const begin = jsonAt + u32(stored, setsAt + 8 * index);
    between.push(stored.subarray(at, begin), Buffer.from(String(STAND_IN)));
    at = jsonAt + u32(stored, setsAt + 8 * index + 4);
    sets.push(Buffer.from(stored.subarray(begin, at)));
  }
  between.push(stored.subarray(at));
  return { json: Buffer.concat(between), sets };
}

/** In the places of their stand-ins. */
export function putSets(object: KubernetesObject, sets: readonly FieldSet[]): void {
  let next = 0;
  for (const entry of object.metadata!.managedFields ?? []) {
    if ((entry.fieldsV1 as unknown) === STAND_IN) entry.fieldsV1 = sets[next++]!;
  }
}

/** Sets whose places are told are shared with whoever has the same. */
function decodeObject(stored: Uint8Array): JsonObject {
  const jsonAt = jsonStart(stored);
  const count = stored[SETS_AT]!;
  if (count === 0) return decodeJson(stored.subarray(jsonAt)) as JsonObject;
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  const setsAt = jsonAt - 8 * count;
  const sets: FieldSet[] = [];
  let text = "";
  let at = jsonAt;
  for (let index = 0; index < count; index++) {
    const begin = jsonAt + u32(bytes, setsAt + 8 * index);
    const end = jsonAt + u32(bytes, setsAt + 8 * index + 4);
    text += bytes.toString("latin1", at, begin) + STAND_IN;
    sets.push(fieldsV1OfText(bytes.toString("latin1", begin, end)));
    at = end;
  }
  const object = decodeJson(text + bytes.toString("latin1", at)) as KubernetesObject;
  putSets(object, sets);
  return object as unknown as JsonObject;
}

/** From here on the steps of a write take long enough for others to have a turn between them. */
const LARGE_OBJECT_BYTES = 128 * 1024;

export function isLargeStored(stored: Uint8Array): boolean {
  return stored.length > LARGE_OBJECT_BYTES;
}

const large = new WeakSet<object>();

/** Has a draft that came in a large body, or takes the place of a large object, treated as such. */
export function markLarge(object: KubernetesObject): void {
  large.add(object);
}

/** Whether this was decoded from more than {@link LARGE_OBJECT_BYTES}, or marked. */
export function isLargeObject(object: Readonly<KubernetesObject> | undefined): boolean {
  return object !== undefined && large.has(object);
}

/** The object's JSON as it is kept, without its version. A view into `stored`. */
export function storedJson(stored: Uint8Array): Uint8Array {
  return stored.subarray(jsonStart(stored));
}

export function storedLabels(stored: Uint8Array): Labels {
  const jsonAt = jsonStart(stored);
  const begin = u32(stored, 16);
  const end = u32(stored, 20);
  if (begin === end) return NO_LABELS;
  return decodeJson(stored.subarray(jsonAt + begin, jsonAt + end)) as Record<string, string>;
}

/** The values of the kind's selectable fields, in the order of its `fieldNames`. */
export function storedFields(stored: Uint8Array): readonly string[] {
  const length = fieldLengthOf(stored);
  if (length === 0) return [];
  const fields: JsonValue = decodeJson(stored.subarray(HEAD_LENGTH, HEAD_LENGTH + length));
  return fields as string[];
}

function jsonStart(stored: Uint8Array): number {
  return HEAD_LENGTH + fieldLengthOf(stored) + 8 * stored[SETS_AT]!;
}

function fieldLengthOf(stored: Uint8Array): number {
  return stored[4]! | (stored[5]! << 8) | (stored[6]! << 16);
}

function u32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
  );
}

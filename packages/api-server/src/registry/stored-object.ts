/**
 * The bytes of one object as the store keeps them: the JSON that clients get, without the resource
 * version (the store's revision of the key is it), behind a small head that answers what lists and
 * watches ask, so that neither decodes:
 *
 *     head   6 numbers of 4 bytes, little endian: format, length of the fields, and the places in
 *            the JSON where a list item begins, the resource version belongs, the labels begin and end
 *     fields a JSON list of the values of the kind's selectable fields
 *     JSON   {"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","uid":"1"^,...,"labels":{...}
 *             a list item begins here ^ (with "{" before it)                  ^ ,"resourceVersion":"7"
 *
 * Objects of no type (custom resources) have their keys sorted, carry their kind in lists too, and
 * have in the place of the format a mark of the definition under which they were written.
 *
 * Offsets count from the start of the JSON. What is returned never refers to the store's memory.
 */
import type { JsonObject, JsonValue, KubernetesObject, Labels } from "@homeostat/object-model";
import { decodeJson, encodeJson, ownKey } from "@homeostat/object-model";
import { fieldsV1Text } from "@homeostat/schema";

const FORMAT = 1;
const HEAD_LENGTH = 24;
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

/** `printed` is in its kind's order; its metadata has a name and a uid, its version is left out. */
export function encodeStored(printed: JsonObject, fields: readonly string[]): Buffer {
  const { kind, apiVersion, metadata: printedMetadata, ...rest } = printed;
  const metadata = printedMetadata as JsonObject;
  const type = `{"kind":${memberText(kind!)},"apiVersion":${memberText(apiVersion!)},`;
  const before = `"metadata":${openMembers(metadata, BEFORE_VERSION)}`;
  let after = members(metadata, BEFORE_LABELS);
  let labels = "";
  const labelValue = metadata["labels"];
  if (labelValue !== undefined) {
    after += ',"labels":';
    labels = encodeJson(labelValue);
  }
  let tail = members(metadata, AFTER_LABELS);
  const restText = encodeJson(rest);
  tail += restText === "{}" ? "}}" : `},${restText.slice(1)}`;

  const itemAt = Buffer.byteLength(type);
  const versionAt = itemAt + Buffer.byteLength(before);
  const labelsAt = versionAt + Buffer.byteLength(after);
  const labelsEnd = labelsAt + Buffer.byteLength(labels);
  const places = { itemAt, versionAt, labelsAt, labelsEnd };
  return assemble({ format: FORMAT, fields, places, text: type + before + after + labels + tail });
}

/**
 * The same for an object of no type, whose keys are sorted on every level. `mark` is below 2^31 and
 * tells later whether the bytes are still good.
 */
export function encodeUntyped(
  printed: JsonObject,
  { fields, mark }: { readonly fields: readonly string[]; readonly mark: number },
): Buffer {
  const keys = Object.keys(printed);
  const metadataAt = keys.indexOf("metadata");
  const metadata = printed["metadata"] as JsonObject;
  const names = Object.keys(metadata).filter((name) => name !== "resourceVersion");
  const split = names.findIndex((name) => name > "resourceVersion");
  const beforeVersion = split < 0 ? names : names.slice(0, split);
  let opening = membersOf(printed, keys.slice(0, metadataAt));
  opening += `${opening === "" ? "" : ","}"metadata":{`;
  const labelsIndex = beforeVersion.indexOf("labels");
  const beforeLabels = labelsIndex < 0 ? [] : beforeVersion.slice(0, labelsIndex);
  const toLabels =
    labelsIndex < 0 ? "" : joined(metadataMembers(metadata, beforeLabels), '"labels":');
  const labels = labelsIndex < 0 ? "" : encodeJson(metadata["labels"]);
  const rest = metadataMembers(metadata, beforeVersion.slice(labelsIndex + 1));
  const afterLabels = labelsIndex < 0 || rest === "" ? rest : `,${rest}`;
  const behind = split < 0 ? "" : members(metadata, names.slice(split));
  const others = membersOf(printed, keys.slice(metadataAt + 1));
  const tail = `${behind}}${others === "" ? "" : `,${others}`}}`;
  const labelsAt = 1 + Buffer.byteLength(opening + toLabels);
  const labelsEnd = labelsAt + Buffer.byteLength(labels);
  const versionAt = labelsEnd + Buffer.byteLength(afterLabels);
  return assemble({
    format: (UNTYPED | mark) >>> 0,
    fields,
    places: { itemAt: 1, versionAt, labelsAt, labelsEnd },
    text: `{${opening}${toLabels}${labels}${afterLabels}${tail}`,
  });
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
  const textOf = (stored: Uint8Array): Uint8Array => stored.subarray(HEAD_LENGTH + u32(stored, 4));
  return Buffer.compare(textOf(one), textOf(other)) === 0;
}

function membersOf(object: JsonObject, names: readonly string[]): string {
  let text = "";
  for (const name of names) {
    text += `${text === "" ? "" : ","}${memberText(name)}:${memberText(ownKey(object, name)!)}`;
  }
  return text;
}

/** Texts that are written as they are: most of what metadata holds. */
const PLAIN = /^[\w./: -]*$/;

function memberText(value: JsonValue): string {
  return typeof value === "string" && PLAIN.test(value) ? `"${value}"` : encodeJson(value);
}

/** Metadata's `managedFields`, whose sets are large, and often one that others have too. */
function entriesText(entries: JsonValue): string {
  if (!Array.isArray(entries)) return encodeJson(entries);
  let text = "[";
  for (const entry of entries as JsonObject[]) {
    text += `${text === "[" ? "" : ","}{`;
    let isFirst = true;
    for (const name of Object.keys(entry)) {
      const value = entry[name];
      if (value === undefined) continue;
      text += isFirst ? `"${name}":` : `,"${name}":`;
      text += name === "fieldsV1" ? fieldsV1Text(value) : memberText(value);
      isFirst = false;
    }
    text += "}";
  }
  return `${text}]`;
}

/** As `"a":1,"b":2`. */
function metadataMembers(metadata: JsonObject, names: readonly string[]): string {
  return members(metadata, names).slice(1);
}

function joined(text: string, next: string): string {
  return text === "" ? next : `${text},${next}`;
}

interface StoredParts {
  readonly format: number;
  readonly fields: readonly string[];
  readonly places: Readonly<Record<"itemAt" | "labelsAt" | "labelsEnd" | "versionAt", number>>;
  readonly text: string;
}

function assemble({ format, fields, places, text }: StoredParts): Buffer {
  const fieldText = fields.length === 0 ? "" : encodeJson(fields);
  const fieldLength = Buffer.byteLength(fieldText);
  const bytes = Buffer.allocUnsafe(HEAD_LENGTH + fieldLength + Buffer.byteLength(text));
  bytes.writeUInt32LE(format, 0);
  bytes.writeUInt32LE(fieldLength, 4);
  bytes.writeUInt32LE(places.itemAt, 8);
  bytes.writeUInt32LE(places.versionAt, 12);
  bytes.writeUInt32LE(places.labelsAt, 16);
  bytes.writeUInt32LE(places.labelsEnd, 20);
  bytes.write(fieldText, HEAD_LENGTH);
  bytes.write(text, HEAD_LENGTH + fieldLength);
  return bytes;
}

/** The members of `object` that are in `names`, as `{"a":1,"b":2`, left open. */
function openMembers(object: JsonObject, names: readonly string[]): string {
  return `{${members(object, names).slice(1)}`;
}

/** As `,"a":1,"b":2`. */
function members(object: JsonObject, names: readonly string[]): string {
  let text = "";
  for (const name of names) {
    const value = object[name];
    if (value === undefined) continue;
    text += `,"${name}":${name === "managedFields" ? entriesText(value) : memberText(value)}`;
  }
  return text;
}

/** How many bytes {@link writeItem} needs at most. */
export function itemSize(stored: Uint8Array): number {
  return stored.length + VERSION_ROOM;
}

/** `,"resourceVersion":"9007199254740991"` */
const VERSION_ROOM = 40;

/** The object as clients get it alone. */
export function renderObject(stored: Uint8Array, revision: number): Buffer {
  const jsonAt = HEAD_LENGTH + u32(stored, 4);
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
  const jsonAt = HEAD_LENGTH + u32(stored, 4);
  const itemAt = jsonAt + u32(stored, 8);
  const versionEnd = jsonAt + u32(stored, 12);
  out[at] = 0x7b;
  out.set(stored.subarray(itemAt, versionEnd), at + 1);
  const end = at + 1 + versionEnd - itemAt;
  const next = end + out.write(versionMember(revision), end, "latin1");
  out.set(stored.subarray(versionEnd), next);
  return next + stored.length - versionEnd;
}

function versionMember(revision: number): string {
  return `,"resourceVersion":"${revision}"`;
}

/** A new decoded copy. Revision 0 (a dry run) leaves the resource version out. */
export function decodeStored(stored: Uint8Array, revision: number): KubernetesObject {
  const jsonAt = HEAD_LENGTH + u32(stored, 4);
  const object = decodeJson(stored.subarray(jsonAt)) as JsonObject;
  if (stored.length > LARGE_OBJECT_BYTES) large.add(object);
  const metadata = object["metadata"] as JsonObject;
  if (revision > 0) metadata["resourceVersion"] = String(revision);
  return object;
}

/** From here on the steps of a write take long enough for others to have a turn between them. */
export const LARGE_OBJECT_BYTES: number = 128 * 1024;

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
  return stored.subarray(HEAD_LENGTH + u32(stored, 4));
}

export function storedLabels(stored: Uint8Array): Labels {
  const jsonAt = HEAD_LENGTH + u32(stored, 4);
  const begin = u32(stored, 16);
  const end = u32(stored, 20);
  if (begin === end) return NO_LABELS;
  return decodeJson(stored.subarray(jsonAt + begin, jsonAt + end)) as Record<string, string>;
}

/** The values of the kind's selectable fields, in the order of its `fieldNames`. */
export function storedFields(stored: Uint8Array): readonly string[] {
  const length = u32(stored, 4);
  if (length === 0) return [];
  const fields: JsonValue = decodeJson(stored.subarray(HEAD_LENGTH, HEAD_LENGTH + length));
  return fields as string[];
}

function u32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
  );
}

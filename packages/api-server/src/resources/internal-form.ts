/**
 * How kube-apiserver prints parts of objects in messages: not as the API writes them, but as its
 * internal types do (`HostNetwork` inside `SecurityContext`, every field, null where nothing is).
 * Since the form says what Go would hold, it is also how two parts are compared: an absent list is
 * an empty one and an absent text is "", while an absent pointer is not a pointer to zero.
 */

import {
  encodeJson,
  equalJson,
  type JsonObject,
  type JsonValue,
  ownKey,
  Quantity,
  setOwnKey,
} from "@homeostat/object-model";
import { internalTypes } from "./generated/internal-types.ts";

/** The name of a type in `generated/internal-types.ts`. */
export type InternalType =
  | "Container"
  | "EphemeralContainer"
  | "EventSource"
  | "LabelSelector"
  | "NodeAffinity"
  | "NodeConfigSource"
  | "NodeSelectorTerm"
  | "ObjectReference"
  | "PersistentVolumeClaimSpec"
  | "PersistentVolumeSource"
  | "PodSpec"
  | "PodTemplateSpec"
  | "PodResourceClaim"
  | "SeccompProfile"
  | "SecurityContext"
  | "ScopeSelector"
  | "Taint"
  | "Toleration"
  | "VolumeNodeAffinity"
  | "apps.DaemonSetUpdateStrategy"
  | "apps.DeploymentStrategy"
  | "apps.RollingUpdateStatefulSetStrategy"
  | "apps.StatefulSetUpdateStrategy"
  | "batch.PodFailurePolicy"
  | "batch.SuccessPolicy"
  | "batch.UncountedTerminatedPods"
  | "certificates.CertificateSigningRequestCondition"
  | "flowcontrol.FlowDistinguisherMethod"
  | "flowcontrol.FlowSchemaSpec"
  | "flowcontrol.PriorityLevelConfigurationSpec"
  | "networking.ParentReference"
  | "policy.PodDisruptionBudgetSpec"
  | "rbac.RoleRef"
  | "resource.AllocationResult"
  | "resource.DeviceAttribute"
  | "resource.ResourceClaimSpec"
  | "resource.ResourceClaimTemplateSpec"
  | "storage.CSINodeDriver"
  | "storage.VolumeAttachmentSpec";

interface InternalField {
  readonly name: string;
  /** Lower case: the API's name and Go's differ in nothing else, or the table gives it. */
  readonly key: string;
  readonly omitEmpty: boolean;
  readonly type: string;
}

const parsed = new Map<string, readonly InternalField[]>();
let lines: ReadonlyMap<string, string> | undefined;

/** The part as Go holds it. `undefined` is its zero value. */
export function internalForm(type: InternalType, value: unknown): JsonObject {
  return formOfStruct(type, value, false);
}

/** The pieces of a list, each in its internal form; null for no list. */
export function internalList(type: InternalType, values: unknown): JsonValue {
  return formOf(`[${type}`, values, false);
}

/** Whether Go would call the two the same (`Semantic.DeepEqual`); an absent one is zero. */
export function sameInternal(type: InternalType, left: unknown, right: unknown): boolean {
  // Most updates change something else, and finding that out must be cheap.
  if (equalJson(left, right)) return true;
  return sameForm(formOfStruct(type, left, true), formOfStruct(type, right, true));
}

/** The same where Go holds pointers: absent is not the same as a pointer to a zero value. */
export function samePointer(type: InternalType, left: unknown, right: unknown): boolean {
  if (left === undefined || right === undefined) return left === right;
  return sameInternal(type, left, right);
}

/** Forms are the same where an empty list or map stands for none, and `1000m` for `1`. */
export function sameForm(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) || Array.isArray(right)) {
    const [one, two] = [left ?? [], right ?? []];
    return (
      Array.isArray(one) &&
      Array.isArray(two) &&
      one.length === two.length &&
      one.every((item, index) => sameForm(item, two[index]))
    );
  }
  if (isMap(left) || isMap(right)) return sameMembers(left, right);
  return false;
}

function sameMembers(left: unknown, right: unknown): boolean {
  const one = left ?? {};
  const two = right ?? {};
  if (!isMap(one) || !isMap(two)) return false;
  // A struct is never null here, so a null beside something is a pointer that is not set.
  if ((left === null || right === null) && Object.keys(left === null ? two : one).length > 0) {
    return false;
  }
  const keys = new Set([...Object.keys(one), ...Object.keys(two)]);
  return [...keys].every((key) => sameForm(ownKey(one, key) ?? null, ownKey(two, key) ?? null));
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `whole`: nothing is left out for being empty. */
function formOf(type: string, value: unknown, whole: boolean): JsonValue {
  switch (type[0]) {
    case "*":
      return value == null ? null : formOf(type.slice(1), value, whole);
    case "[":
      return Array.isArray(value) ? value.map((item) => formOf(type.slice(1), item, whole)) : null;
    case "%":
      return isMap(value) ? formOfMap(type.slice(1), value, whole) : null;
    default:
      return formOfValue(type, value, whole);
  }
}

function formOfMap(type: string, map: Record<string, unknown>, whole: boolean): JsonObject {
  const form: JsonObject = {};
  for (const key of Object.keys(map).sort(compareBytes))
    setOwnKey(form, key, formOf(type, map[key], whole));
  return form;
}

function formOfValue(type: string, value: unknown, whole: boolean): JsonValue {
  switch (type) {
    case "s":
      return (value as JsonValue | undefined) ?? "";
    case "b":
      return (value as JsonValue | undefined) ?? false;
    case "i":
      return (value as JsonValue | undefined) ?? 0;
    case "q":
      return Quantity.fromJson((value as string | undefined) ?? "0").canonical();
    case "t":
      return (value as JsonValue | undefined) ?? null;
    case "v":
      return (value as JsonValue | undefined) ?? 0;
    default:
      return formOfStruct(type, value, whole);
  }
}

function formOfStruct(type: string, value: unknown, whole: boolean): JsonObject {
  const members = new Map<string, unknown>();
  if (isMap(value)) {
    const source = type === "PodSpec" ? withHostFields(value) : value;
    // Internally the metadata of a template is embedded: its fields are the template's.
    const sources = isMap(source["metadata"]) ? [source, source["metadata"]] : [source];
    for (const part of sources) {
      for (const key of Object.keys(part)) members.set(key.toLowerCase(), part[key]);
    }
  }
  const form: JsonObject = {};
  for (const field of fieldsOf(type)) {
    const member = formOf(field.type, members.get(field.key) ?? undefined, whole);
    if (whole || !field.omitEmpty || !isEmpty(member)) form[field.name] = member;
  }
  return form;
}

const HOST_FIELDS = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"];

/** Internally they belong to the security context, which a pod always has. */
function withHostFields(spec: Record<string, unknown>): Record<string, unknown> {
  const securityContext: Record<string, unknown> = { ...(spec["securityContext"] as object) };
  for (const name of HOST_FIELDS) {
    if (spec[name] !== undefined) securityContext[name] = spec[name];
  }
  return { ...spec, securityContext };
}

/** `omitempty`: for structs it never holds, times are compared with null. */
function isEmpty(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === null || value === "" || value === 0 || value === false;
}

/** The fields of a type, those of embedded types in their place. */
function fieldsOf(type: string): readonly InternalField[] {
  let fields = parsed.get(type);
  if (fields === undefined) {
    fields = (typeLines().get(type) ?? "").split(" ").filter(Boolean).flatMap(readField);
    parsed.set(type, fields);
  }
  return fields;
}

function typeLines(): ReadonlyMap<string, string> {
  lines ??= new Map(
    internalTypes.split("\n").map((line) => {
      const space = line.indexOf(" ");
      return space === -1 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)];
    }),
  );
  return lines;
}

function readField(text: string): readonly InternalField[] {
  if (text.startsWith("...")) return fieldsOf(text.slice(3));
  const [head = "", type = ""] = text.split(":");
  const [written = "", json] = head.split("=");
  const omitEmpty = written.endsWith("?");
  const name = omitEmpty ? written.slice(0, -1) : written;
  return [{ name, key: (json ?? name).toLowerCase(), omitEmpty, type }];
}

/** Go sorts keys by their UTF-8 bytes. */
function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

const HTML = /[<>&\u2028\u2029]/g;

/** As Go's `json.MarshalIndent` with one space: empty lists and maps stay on their line. */
export function printIndented(value: JsonValue): string {
  return indented(value, "\n").replace(
    HTML,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function indented(value: JsonValue, newLine: string): string {
  if (typeof value !== "object" || value === null) return encodeJson(value);
  const inner = `${newLine} `;
  const [open, close, members] = Array.isArray(value)
    ? ["[", "]", value.map((item) => indented(item, inner))]
    : [
        "{",
        "}",
        Object.keys(value).map((key) => `${encodeJson(key)}: ${indented(value[key]!, inner)}`),
      ];
  if (members.length === 0) return open + close;
  return open + inner + members.join(`,${inner}`) + newLine + close;
}

import { type JsonObject, type JsonValue, setOwnKey } from "@homeostat/object-model";
import { goTypeName } from "./go-type-name.ts";
import { elementsOf, isList } from "./list-value.ts";
import { isMap } from "./map-value.ts";
import { isOptional } from "./optional-value.ts";
import { printDurationValue, printTimestamp } from "./time-text.ts";
import { isDuration, isTimestamp } from "./time-value.ts";
import { isUint } from "./uint-value.ts";
import type { Value } from "./value.ts";

/** A value that has no form in JSON: a type, or one of a library. */
export class NoJsonError extends Error {
  override readonly name: string = "NoJsonError";
  readonly code = "no-json";
}

/** The JSON that a value is; whole numbers beyond what is exact stay whole. Throws NoJsonError. */
export function jsonOf(value: Value): JsonValue {
  switch (typeof value) {
    case "bigint":
      return jsonOfInt(value);
    case "boolean":
    case "number":
    case "string":
      return value;
    default:
  }
  if (value === null) return null;
  if (value instanceof Uint8Array) return base64Of(value);
  if (isUint(value)) return jsonOfInt(value.value);
  if (isTimestamp(value)) return printTimestamp(value);
  if (isDuration(value)) return printDurationValue(value);
  if (isOptional(value)) return value.value === undefined ? null : jsonOf(value.value);
  if (isList(value)) return [...elementsOf(value)].map(jsonOf);
  if (!isMap(value)) throw new NoJsonError(`unsupported type ${goTypeName(value)}`);
  const object: JsonObject = {};
  for (const key of value.keys()) {
    if (typeof key !== "string") {
      throw new NoJsonError(`map key is of type ${goTypeName(key)}, not string`);
    }
    setOwnKey(object, key, jsonOf(value.find(key)!));
  }
  return object;
}

function jsonOfInt(value: bigint): JsonValue {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const group = [a >> 2, ((a & 3) << 4) | (b >> 4), ((b & 15) << 2) | (c >> 6), c & 63];
    const left = bytes.length - at;
    for (const [place, digit] of group.entries()) text += place > left ? "=" : DIGITS[digit]!;
  }
  return text;
}

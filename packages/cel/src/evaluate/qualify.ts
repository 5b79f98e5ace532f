import { printTypeName } from "../expression-types/print-type.ts";
import { Failure, isFailure } from "../values/failure.ts";
import { goTypeName } from "../values/go-type-name.ts";
import { isList } from "../values/list-value.ts";
import { isMap } from "../values/map-value.ts";
import { printValue } from "../values/print-value.ts";
import { typeOfValue } from "../values/type-of-value.ts";
import { isUint } from "../values/uint-value.ts";
import type { ListValue, Value } from "../values/value.ts";

/** `object[key]` or `object.key`; undefined where there is nothing under that key. */
export function find(object: Value, key: Value): Value | undefined {
  if (isMap(object)) return object.find(key);
  if (isList(object)) return findElement(object, key);
  return isFailure(object) ? object : undefined;
}

/** Why a value cannot be a key at all; undefined for those that can. */
export function refusedKey(key: Value): Failure | undefined {
  if (typeof key !== "object" || (key !== null && isUint(key))) return undefined;
  return new Failure(`invalid qualifier type: ${goTypeName(key)}`);
}

/** What having nothing under a key is called. */
export function missing(object: Value, key: Value): Failure {
  return new Failure(
    `${isList(object) ? "index out of bounds" : "no such key"}: ${printValue(key)}`,
  );
}

function findElement(list: ListValue, key: Value): Value | undefined {
  const index = indexOf(key);
  if (typeof index !== "number") return index;
  return index >= 0 && index < list.size ? list.at(index) : undefined;
}

/** Whole numbers of any type. */
function indexOf(key: Value): number | Failure {
  if (typeof key === "bigint") return Number(key);
  if (typeof key === "number" && Number.isInteger(key)) return key;
  if (isUint(key)) return Number(key.value);
  if (typeof key === "number")
    return new Failure(`unsupported index value ${printValue(key)} in list`);
  return new Failure(`unsupported index type '${printTypeName(typeOfValue(key))}' in list`);
}

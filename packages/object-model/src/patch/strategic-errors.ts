/**
 * What strategic merge refuses, in the words of apimachinery's strategicpatch, which quotes values
 * and types as Go prints them.
 */
import { goQuote } from "../json/go-quote.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { goString, goText, goType } from "./go-text.ts";
import { PatchError } from "./patch-error.ts";

export function unknownDirective(directive: JsonValue, patch: JsonObject): PatchError {
  return new PatchError(
    "patch-directive-unknown",
    `unknown patch type: ${goString(directive)} in map: ${goText(patch)}`,
  );
}

export function mergeDirectiveInList(): PatchError {
  return new PatchError(
    "patch-directive-unknown",
    "merging lists cannot yet be specified in the patch",
  );
}

export function malformedRetainKeys(): PatchError {
  return new PatchError("patch-malformed", "invalid patch format of retainKeys");
}

export function malformedElementOrder(): PatchError {
  return new PatchError("patch-malformed", "invalid patch format of setElementOrder list");
}

export function malformedPrimitiveList(): PatchError {
  return new PatchError("patch-malformed", "invalid patch format of primitive list");
}

export function orderMismatch(patch: JsonValue[], order: JsonValue[]): PatchError {
  return new PatchError(
    "patch-order-mismatch",
    `The order in patch list:\n${goText(patch)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
  );
}

export function mergeKeyMissing(item: JsonObject, mergeKey: string): PatchError {
  return new PatchError(
    "patch-merge-key-missing",
    `map: ${goText(item)} does not contain declared merge key: ${mergeKey}`,
  );
}

export function mergeKeyUndeclared(elementType: string): PatchError {
  return new PatchError(
    "patch-merge-key-missing",
    `cannot merge lists without merge key for ${elementType}`,
  );
}

export function wrongType(expected: JsonValue[] | JsonObject, got: JsonValue): PatchError {
  return new PatchError(
    "patch-type-mismatch",
    `expected a ${goType(expected)}, but received a ${goType(got)}`,
  );
}

export function notAnObject(index: number): PatchError {
  return new PatchError("patch-type-mismatch", `value for key ${index} is not a map`);
}

export function mixedTypes(lists: JsonValue[][]): PatchError {
  return new PatchError(
    "patch-type-mismatch",
    `list element types are not identical: ${goText(lists)}`,
  );
}

export function noElements(): PatchError {
  return new PatchError("patch-type-mismatch", "no elements in any of the given slices");
}

export function listOfLists(): PatchError {
  return new PatchError("patch-list-of-lists", "lists of lists are not supported");
}

export function fieldUnknown(typeName: string, field: string): PatchError {
  return new PatchError(
    "patch-field-unknown",
    `unable to find api field in struct ${typeName} for the json field ${goQuote(field)}`,
  );
}

export function notAStruct(kind: string): PatchError {
  return new PatchError(
    "patch-field-unknown",
    `merging an object in json but data type is not struct, instead is: ${kind}`,
  );
}

export function notAList(kind: string): PatchError {
  return new PatchError("patch-field-unknown", `expected slice or array type, but got: ${kind}`);
}

export function strategyUnknown(strategies: readonly string[]): PatchError {
  return new PatchError(
    "patch-field-unknown",
    `unexpected patch strategy: ${goText([...strategies])}`,
  );
}

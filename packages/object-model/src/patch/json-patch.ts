/**
 * JSON Patch (RFC 6902) as kube-apiserver applies it, which is how evanphx/json-patch v4 reads the
 * RFC. Where the two differ kube-apiserver wins: `replace` of an absent member adds it, `add` and
 * `remove` cannot address the whole document, `copy` of an absent member copies null, an absent
 * `value` is null, and `test` takes an absent member for null.
 *
 * All or nothing: a failing operation throws, and the document given is never changed. The result
 * shares what did not change with document and patch, so treat it as read-only.
 */
import { equalJson } from "../json/equal-json.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { ownKey } from "../json/own-key.ts";
import { goText } from "./go-text.ts";
import { isContainer, isObject, jsonKind } from "./json-kind.ts";
import { PatchError } from "./patch-error.ts";
import { PatchBudget, type PatchLimits } from "./patch-limits.ts";
import { PatchedDocument, type Place } from "./patched-document.ts";

/** One step of a JSON Patch, for those who write one. */
export type JsonPatchOperation =
  | { op: "add" | "replace" | "test"; path: string; value: JsonValue }
  | { op: "remove"; path: string }
  | { op: "move" | "copy"; from: string; path: string };

/** Applies `patch`, a list of operations in order, to a document that is an object or a list. */
export function applyJsonPatch(
  document: JsonValue,
  patch: JsonValue,
  limits: PatchLimits = {},
): JsonValue {
  const budget = new PatchBudget(limits);
  const operations = readOperations(patch);
  budget.checkOperations(operations.length);
  const patchDepth = budget.checkDepth(patch, "patch");
  if (!isContainer(document)) {
    throw new PatchError(
      "patch-type-mismatch",
      `a JSON patch applies to an object or an array, got ${jsonKind(document)}`,
    );
  }
  const run = new JsonPatchRun(new PatchedDocument(document, budget), { budget, patchDepth });
  for (const operation of operations) run.apply(operation);
  return run.finish();
}

function readOperations(patch: JsonValue): JsonObject[] {
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw undecodablePatch(patch, "jsonpatch.Patch");
  return patch.map((operation) => {
    if (operation === null) return {};
    if (isObject(operation)) return operation;
    throw undecodablePatch(operation, "jsonpatch.Operation");
  });
}

function undecodablePatch(got: JsonValue, expected: string): PatchError {
  return new PatchError(
    "patch-malformed",
    `json: cannot unmarshal ${jsonKind(got)} into Go value of type ${expected}`,
  );
}

class JsonPatchRun {
  readonly #document: PatchedDocument;
  readonly #budget: PatchBudget;
  readonly #patchDepth: number;
  #depthInDoubt = false;

  constructor(
    document: PatchedDocument,
    { budget, patchDepth }: { budget: PatchBudget; patchDepth: number },
  ) {
    this.#document = document;
    this.#budget = budget;
    this.#patchDepth = patchDepth;
  }

  /**
   * Depth is judged once, at the end: no operation recurses into the document, and only moves,
   * copies and additions far down can have deepened it.
   */
  finish(): JsonValue {
    if (this.#depthInDoubt) this.#budget.checkDepth(this.#document.root, "patched document");
    return this.#document.root;
  }

  apply(operation: JsonObject): void {
    const op = ownKey(operation, "op");
    switch (op) {
      case "add":
        return this.#add(operation);
      case "remove":
        return this.#remove(operation);
      case "replace":
        return this.#replace(operation);
      case "move":
        return this.#move(operation);
      case "copy":
        return this.#copy(operation);
      case "test":
        return this.#test(operation);
      default: {
        const kind = typeof op === "string" ? op : "unknown";
        throw new PatchError("patch-operation-invalid", `Unexpected kind: ${kind}`);
      }
    }
  }

  #add(operation: JsonObject): void {
    const path = pointerOf(operation, "path", "missing value");
    const place = this.#document.find(path, "write");
    if (place === undefined) {
      throw missing(`add operation does not apply: doc is missing path: "${path}"`);
    }
    this.#noteDepth(place);
    this.#document.insert(place, valueOf(operation), `error in add for path: '${path}'`);
  }

  #remove(operation: JsonObject): void {
    const path = pointerOf(operation, "path", "missing value");
    const place = this.#document.find(path, "write");
    if (place === undefined) {
      throw missing(`remove operation does not apply: doc is missing path: "${path}"`);
    }
    this.#document.remove(place, `error in remove for path: '${path}'`);
  }

  #replace(operation: JsonObject): void {
    const path = pointerOf(operation, "path");
    const value = valueOf(operation);
    if (path === "") return this.#replaceRoot(value);
    const place = this.#document.find(path, "write");
    if (place === undefined) {
      throw missing(`replace operation does not apply: doc is missing path: ${path}`);
    }
    this.#noteDepth(place);
    if (!this.#document.replace(place, value)) {
      throw missing(`replace operation does not apply: doc is missing key: ${path}`);
    }
  }

  #replaceRoot(value: JsonValue): void {
    if (!isContainer(value)) {
      // The tail is how Go prints the cause it lacks here; clients see it.
      throw new PatchError(
        "patch-operation-invalid",
        "replace operation value must be object or array: %!w(<nil>)",
      );
    }
    this.#document.replaceRoot(value);
  }

  #move(operation: JsonObject): void {
    const from = pointerOf(operation, "from");
    const source = this.#document.find(from, "write");
    if (source === undefined) {
      throw missing(`move operation does not apply: doc is missing from path: ${from}`);
    }
    const value = this.#document.read(source, `error in move for path: '${source.key}'`);
    this.#document.remove(source, `error in move for path: '${source.key}'`);
    const path = pointerOf(operation, "path");
    const target = this.#document.find(path, "write");
    if (target === undefined) {
      throw missing(`move operation does not apply: doc is missing destination path: ${path}`);
    }
    this.#depthInDoubt = true;
    this.#document.insert(target, value, `error in move for path: '${path}'`);
  }

  #copy(operation: JsonObject): void {
    const from = pointerOf(operation, "from");
    const source = this.#document.find(from, "read");
    if (source === undefined) {
      throw missing(`copy operation does not apply: doc is missing from path: ${from}`);
    }
    const value = this.#document.read(source, `error in copy for from: '${from}'`);
    const path = pointerOf(operation, "path", "missing value");
    if (this.#document.find(path, "read") !== undefined) {
      // Shared before the way to the target is made writable: that way may lead through the value.
      this.#document.share(value);
    }
    const target = this.#document.find(path, "write");
    if (target === undefined) {
      throw missing(`copy operation does not apply: doc is missing destination path: ${path}`);
    }
    this.#depthInDoubt = true;
    this.#document.insert(target, value, "error while adding value during copy");
  }

  #test(operation: JsonObject): void {
    const path = pointerOf(operation, "path");
    if (equalJson(this.#valueToTest(path), valueOf(operation))) return;
    throw new PatchError("patch-test-failed", `testing value ${path} failed: test failed`);
  }

  #valueToTest(path: string): JsonValue {
    if (path === "") return this.#document.root;
    const place = this.#document.find(path, "read");
    if (place === undefined) {
      throw missing(`test operation does not apply: is missing path: ${path}`);
    }
    return this.#document.read(place, `error in test for path: '${path}'`);
  }

  #noteDepth(place: Place): void {
    this.#depthInDoubt ||= this.#budget.mayExceedDepth(place.depth, this.#patchDepth);
  }
}

function valueOf(operation: JsonObject): JsonValue {
  return ownKey(operation, "value") ?? null;
}

/** A pointer member of an operation. Some operations always give the same `problem` for a bad one. */
function pointerOf(operation: JsonObject, member: "path" | "from", problem?: string): string {
  const pointer = ownKey(operation, member) ?? null;
  if (typeof pointer === "string") return pointer;
  const lacking = member === "path" ? "operation missing path" : "operation, missing from";
  const found =
    pointer === null
      ? `${lacking} field: missing value`
      : `json: cannot unmarshal ${jsonKind(pointer)} into Go value of type string`;
  throw new PatchError(
    "patch-operation-invalid",
    `${goText(ownKey(operation, "op") ?? null)} operation failed to decode ${member}: ${problem ?? found}`,
  );
}

function missing(what: string): PatchError {
  return new PatchError("patch-path-missing", `${what}: missing value`);
}

/**
 * A document under a JSON Patch: copy-on-write below, places and values above. It owns the
 * containers it has copied and changes only those, so the document given stays as it was and what
 * no operation touched is shared with it.
 */
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { ownKey, setOwnKey } from "../json/own-key.ts";
import { isContainer } from "./json-kind.ts";
import { listIndex, pointerTokens } from "./json-pointer.ts";
import { jsonSize } from "./json-size.ts";
import { PatchError } from "./patch-error.ts";
import type { PatchBudget } from "./patch-limits.ts";

export type Container = JsonObject | JsonValue[];

/** Where a pointer leads: a container that exists and a key in it that may not. */
export interface Place {
  readonly container: Container;
  readonly key: string;
  /** How many levels below the root a value put here stands. */
  readonly depth: number;
}

export class PatchedDocument {
  readonly #budget: PatchBudget;
  #root: Container;

  /**
   * Containers that may be changed in place. Each is referenced exactly once, by another owned one
   * or as the root: what `share` hands out a second time leaves the set.
   */
  readonly #owned = new Set<Container>();

  constructor(document: Container, budget: PatchBudget) {
    this.#root = document;
    this.#budget = budget;
  }

  get root(): Container {
    return this.#root;
  }

  replaceRoot(value: Container): void {
    this.#root = value;
  }

  /**
   * The place a pointer names; undefined where the way there does not exist. A place found to
   * "write" has had every container on its way copied, so that it may be changed.
   */
  find(pointer: string, purpose: "read" | "write"): Place | undefined {
    const tokens = pointerTokens(pointer);
    const key = tokens?.pop();
    if (tokens === undefined || key === undefined) return undefined;
    const write = purpose === "write";
    let container = this.#root;
    if (write) {
      container = this.#own(container);
      this.#root = container;
    }
    for (const token of tokens) {
      const next = valueAt(container, token);
      if (!isContainer(next)) return undefined;
      container = write ? this.#ownChild(next, { parent: container, token }) : next;
    }
    return { container, key, depth: tokens.length + 1 };
  }

  /** The value at a place, null where an object lacks the key. `context` opens the error. */
  read({ container, key }: Place, context: string): JsonValue {
    if (!Array.isArray(container)) return ownKey(container, key) ?? null;
    return container[indexIn(container, key, context)] ?? null;
  }

  /** Sets a key whether it exists or not, or a list element that does: false where it does not. */
  replace({ container, key }: Place, value: JsonValue): boolean {
    if (!Array.isArray(container)) {
      setOwnKey(container, key, value);
      return true;
    }
    const index = listIndex(key, container.length);
    if (typeof index === "string") return false;
    container[index] = value;
    return true;
  }

  insert({ container, key }: Place, value: JsonValue, context: string): void {
    if (!Array.isArray(container)) {
      setOwnKey(container, key, value);
      return;
    }
    if (key === "-") {
      container.push(value);
      return;
    }
    const index = listIndex(key, container.length + 1);
    if (typeof index === "string") {
      const detail = index.startsWith("strconv")
        ? `value was not a proper array index: '${key}': ${index}`
        : index;
      throw new PatchError("patch-index-invalid", `${context}: ${detail}`);
    }
    this.#spendShift(container.length - index);
    container.splice(index, 0, value);
  }

  remove({ container, key }: Place, context: string): void {
    if (Array.isArray(container)) {
      const index = indexIn(container, key, context);
      this.#spendShift(container.length - index);
      container.splice(index, 1);
      return;
    }
    if (!Object.hasOwn(container, key)) {
      throw new PatchError(
        "patch-path-missing",
        `${context}: Unable to remove nonexistent key: ${key}: missing value`,
      );
    }
    delete container[key];
  }

  /**
   * Makes a value of the document safe to stand in a second place: nothing in it is changed in
   * place any more. Pays for its size.
   */
  share(value: JsonValue): void {
    if (value === null) return;
    this.#budget.spendCopy(jsonSize(value, (container) => this.#owned.delete(container)));
  }

  #own(container: Container): Container {
    if (this.#owned.has(container)) return container;
    const copy = Array.isArray(container) ? container.slice() : { ...container };
    this.#owned.add(copy);
    return copy;
  }

  #ownChild(child: Container, { parent, token }: { parent: Container; token: string }): Container {
    const owned = this.#own(child);
    if (owned === child) return owned;
    if (Array.isArray(parent)) parent[indexIn(parent, token, "find")] = owned;
    else setOwnKey(parent, token, owned);
    return owned;
  }

  /** Elements move along in blocks, which is far cheaper than touching each of them. */
  #spendShift(elements: number): void {
    this.#budget.spendSteps(elements / 128);
  }
}

function valueAt(container: Container, token: string): JsonValue | undefined {
  if (!Array.isArray(container)) return ownKey(container, token);
  const index = listIndex(token, container.length);
  return typeof index === "string" ? undefined : container[index];
}

function indexIn(list: readonly JsonValue[], token: string, context: string): number {
  const index = listIndex(token, list.length);
  if (typeof index === "number") return index;
  throw new PatchError("patch-index-invalid", `${context}: ${index}`);
}

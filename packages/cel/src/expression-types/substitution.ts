/**
 * What is known of type parameters while an expression is checked. Asking whether a type may stand
 * where another is wanted may bind parameters; a refused question binds nothing.
 */

import { DYN, listOf, mapOf, optionalOf, type Type, typeOf } from "./type.ts";
import { partsOf, sameType } from "./type-identity.ts";

export class Substitution {
  readonly #bound = new Map<string, Type>();
  /** What parameters were bound to before, in the order of changes; for taking changes back. */
  readonly #changes: (readonly [name: string, before: Type | undefined])[] = [];

  /** Whether a value of type `from` may be given where `to` is wanted, or the other way around. */
  isAssignable(from: Type, to: Type): boolean {
    return this.areAssignable([from], [to]);
  }

  areAssignable(from: readonly Type[], to: readonly Type[]): boolean {
    this.#changes.length = 0;
    if (this.#matchAll(from, to)) return true;
    for (const [name, before] of this.#changes.reverse()) {
      if (before === undefined) this.#bound.delete(name);
      else this.#bound.set(name, before);
    }
    return false;
  }

  /** With every bound parameter replaced; `open` says what becomes of the others. */
  apply(type: Type, open: "keep" | "dyn"): Type {
    if (type.kind === "param") {
      const bound = this.#bound.get(type.name);
      if (bound !== undefined) return this.apply(bound, open);
      return open === "dyn" ? DYN : type;
    }
    switch (type.kind) {
      case "list": {
        const element = this.apply(type.element, open);
        return element === type.element ? type : listOf(element, type.merge);
      }
      case "map":
        return mapOf(this.apply(type.key, open), this.apply(type.value, open));
      case "optional":
        return optionalOf(this.apply(type.element, open));
      case "type":
        return type.of === undefined ? type : typeOf(this.apply(type.of, open));
      default:
        return type;
    }
  }

  #matchAll(from: readonly Type[], to: readonly Type[]): boolean {
    return from.length === to.length && from.every((type, index) => this.#match(type, to[index]!));
  }

  #match(from: Type, to: Type): boolean {
    if (to.kind === "param") {
      const bound = this.#bind(to, from);
      if (bound.valid) return true;
      if (bound.known) return false;
    }
    if (from.kind === "param") return this.#bind(from, to).valid;
    if (isWildcard(from) || isWildcard(to)) return true;
    if (from.kind === "null") return isNullable(to);
    if (to.kind === "null") return isNullable(from);
    switch (from.kind) {
      case "type":
        return to.kind === "type";
      case "list":
      case "map":
      case "optional":
        return from.kind === to.kind && this.#matchAll(partsOf(from), partsOf(to));
      default:
        return sameType(from, to);
    }
  }

  /** Whether `type` may be what the parameter stands for, and whether that was known before. */
  #bind(
    param: Extract<Type, { kind: "param" }>,
    type: Type,
  ): { readonly valid: boolean; readonly known: boolean } {
    if (sameType(param, type)) return { valid: true, known: true };
    const bound = this.#bound.get(param.name);
    if (bound !== undefined) {
      if (sameType(bound, type)) return { valid: true, known: true };
      if (!this.#match(type, bound)) return { valid: false, known: true };
      const general = moreGeneral(type, bound);
      if (!this.#occursIn(param, general)) this.#set(param.name, general);
      return { valid: true, known: true };
    }
    if (this.#occursIn(param, type)) return { valid: false, known: false };
    this.#set(param.name, type);
    return { valid: true, known: false };
  }

  #set(name: string, type: Type): void {
    this.#changes.push([name, this.#bound.get(name)]);
    this.#bound.set(name, type);
  }

  #occursIn(param: Extract<Type, { kind: "param" }>, type: Type): boolean {
    if (sameType(param, type)) return true;
    if (type.kind !== "param") return partsOf(type).some((part) => this.#occursIn(param, part));
    const bound = this.#bound.get(type.name);
    return bound !== undefined && this.#occursIn(param, bound);
  }
}

export function isDyn(type: Type): boolean {
  return type.kind === "dyn";
}

/** What is known of the two types that unify, less of it. */
export function moreGeneral(a: Type, b: Type): Type {
  return isLessSpecific(a, b) ? a : b;
}

function isLessSpecific(a: Type, b: Type): boolean {
  if (isDyn(a) || a.kind === "param") return true;
  if (isDyn(b) || b.kind === "param") return false;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case "type":
      return true;
    case "list":
    case "map":
    case "optional": {
      const others = partsOf(b);
      return partsOf(a).every((part, index) => isLessSpecific(part, others[index]!));
    }
    default:
      return sameType(a, b);
  }
}

function isWildcard(type: Type): boolean {
  return type.kind === "dyn" || type.kind === "error";
}

function isNullable(type: Type): boolean {
  switch (type.kind) {
    case "null":
    case "optional":
    case "opaque":
    case "object":
    case "duration":
    case "timestamp":
      return true;
    default:
      return false;
  }
}

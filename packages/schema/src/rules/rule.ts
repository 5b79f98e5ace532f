/**
 * Rules: what a value has to be, as data that one walk reads. A rule looks at a value at a place and
 * reports what is wrong there; rules are put together from named ones (`required`, `oneOf`, `each`)
 * in the order in which their errors are to be told. Built-in kinds have theirs; schemas of custom
 * resources have a walk of their own (`validation/`), as docs/decisions/0009 says why.
 *
 * A rule never throws for what a client sent and never changes the value. `C` is what rules may know
 * beside the value: the operation, options that follow from the old object.
 */
import type { Place } from "./place.ts";

/** `undefined` where the field is absent. */
export type Rule<V, C = unknown> = (value: V | undefined, place: Place<C>) => void;

/** One rule, or several in order. */
export type Rules<V, C = unknown> = Rule<V, C> | readonly Rule<V, C>[];

/** What may become of a value that was there before. Old undefined: it was absent. */
export type ChangeRule<V, C = unknown> = (change: ValueChange<V>, place: Place<C>) => void;

export interface ValueChange<V> {
  readonly value: V | undefined;
  readonly old: V | undefined;
}

/** Rules of fields by name; errors are told in the order of the names here. */
export type FieldRules<T, C = unknown> = {
  readonly [Name in keyof T]?: Rules<NonNullable<T[Name]>, C>;
};

export type FieldChangeRules<T, C = unknown> = {
  readonly [Name in keyof T]?: ChangeRule<NonNullable<T[Name]>, C>;
};

/** All of them, one after the other. */
export function all<V, C = unknown>(...rules: readonly Rule<V, C>[]): Rule<V, C> {
  return (value, place) => {
    for (const rule of rules) rule(value, place);
  };
}

/** The later rules only where the first found nothing wrong. */
export function firstOf<V, C = unknown>(...rules: readonly Rule<V, C>[]): Rule<V, C> {
  return (value, place) => {
    for (const rule of rules) {
      const before = place.errors.length;
      rule(value, place);
      if (place.errors.length > before) return;
    }
  };
}

/** Only for a value for which `condition` holds. */
export function when<V, C = unknown>(
  condition: (value: V | undefined, place: Place<C>) => boolean,
  ...rules: readonly Rule<V, C>[]
): Rule<V, C> {
  return (value, place) => {
    if (condition(value, place)) for (const rule of rules) rule(value, place);
  };
}

/** Only where there is a value: for optional fields. */
export function ifPresent<V, C = unknown>(...rules: readonly Rule<V, C>[]): Rule<V, C> {
  return (value, place) => {
    if (value !== undefined && value !== null) for (const rule of rules) rule(value, place);
  };
}

/** Only where there is a value that is not Go's zero: "", 0, false, an empty list or map. */
export function ifSet<V, C = unknown>(...rules: readonly Rule<V, C>[]): Rule<V, C> {
  return (value, place) => {
    if (!isZero(value)) for (const rule of rules) rule(value, place);
  };
}

/** The fields of a struct. An absent struct is taken for an empty one. */
export function fields<T extends object, C = unknown>(rules: FieldRules<T, C>): Rule<T, C> {
  const plan = Object.entries(rules) as [keyof T & string, Rules<unknown, C>][];
  return (value, place) => {
    for (const [name, fieldRules] of plan) {
      const field: unknown = value?.[name] ?? undefined;
      const at = place.child(name);
      if (typeof fieldRules === "function") fieldRules(field, at);
      else for (const rule of fieldRules) rule(field, at);
    }
  };
}

/** The elements of a list, in order. */
export function each<E, C = unknown>(...rules: readonly Rule<E, C>[]): Rule<readonly E[], C> {
  return (list, place) => {
    for (const [index, element] of (list ?? []).entries()) {
      const at = place.index(index);
      for (const rule of rules) rule(element, at);
    }
  };
}

/** The same; those of a long list may be looked at after everything else, see `Place.visitItems`. */
export function eachLater<E, C = unknown>(...rules: readonly Rule<E, C>[]): Rule<readonly E[], C> {
  return (list, place) => {
    place.visitItems(list ?? [], (element, at) => {
      for (const rule of rules) rule(element, at);
    });
  };
}

/** The values of a map, in the order of its keys; errors name the key. */
export function eachValue<V, C = unknown>(
  ...rules: readonly Rule<V, C>[]
): Rule<Readonly<Record<string, V>>, C> {
  return (map, place) => {
    for (const key of Object.keys(map ?? {}).sort()) {
      const at = place.key(key);
      for (const rule of rules) rule(map![key], at);
    }
  };
}

/** What may become of the fields of a struct. */
export function changedFields<T extends object, C = unknown>(
  rules: FieldChangeRules<T, C>,
): ChangeRule<T, C> {
  const plan = Object.entries(rules) as [keyof T & string, ChangeRule<unknown, C>][];
  return ({ value, old }, place) => {
    for (const [name, rule] of plan) {
      rule({ value: value?.[name] ?? undefined, old: old?.[name] ?? undefined }, place.child(name));
    }
  };
}

/** Go's zero value, or absent. */
export function isZero(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === 0 || value === false) {
    return true;
  }
  if (typeof value !== "object") return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

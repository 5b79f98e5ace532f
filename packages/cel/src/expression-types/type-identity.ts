import type { Type } from "./type.ts";

/** Whether two types are the same. Object types are told apart by their names. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case "list":
      return sameType(a.element, (b as typeof a).element);
    case "map":
      return sameType(a.key, (b as typeof a).key) && sameType(a.value, (b as typeof a).value);
    case "optional":
      return sameType(a.element, (b as typeof a).element);
    case "type": {
      const other = (b as typeof a).of;
      if (a.of === undefined || other === undefined) return a.of === other;
      return sameType(a.of, other);
    }
    case "param":
    case "opaque":
    case "object":
      return a.name === (b as typeof a).name;
    default:
      return true;
  }
}

/** What a type is made of: the element of a list, key and value of a map. */
export function partsOf(type: Type): readonly Type[] {
  switch (type.kind) {
    case "list":
    case "optional":
      return [type.element];
    case "map":
      return [type.key, type.value];
    case "type":
      return type.of === undefined ? [] : [type.of];
    default:
      return [];
  }
}

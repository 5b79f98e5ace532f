import { asMember, type FieldSet, isLeaf, type MutableFieldSet, SELF } from "./field-set.ts";
import { type MergeSchema, typeOfKey } from "./merge-schema.ts";
import { fieldNameOf, isKeyElement } from "./path-element.ts";

/**
 * The set with every named field on the way to a member as a member too: of `a.b.c` also `a`, if that
 * is a field of a struct, but not `a.b`, if `a` is a map.
 */
export function withNamedFields(set: FieldSet, schema: MergeSchema | undefined): FieldSet {
  const result: MutableFieldSet = {};
  for (const element in set) {
    const node = set[element]!;
    if (element === SELF || isLeaf(node)) {
      result[element] = node;
      continue;
    }
    const name = fieldNameOf(element);
    const inner = withNamedFields(node, typeBelow(schema, element));
    const isNamed = name !== undefined && schema?.map?.fields.has(name) === true;
    result[element] = isNamed ? asMember(inner) : inner;
  }
  return result;
}

function typeBelow(schema: MergeSchema | undefined, element: string): MergeSchema | undefined {
  const name = fieldNameOf(element);
  if (name !== undefined) return schema?.map && typeOfKey(schema.map, name);
  return isKeyElement(element) ? schema?.list?.element : undefined;
}

import { EMPTY_SET, type FieldSet, isLeaf, type MutableFieldSet, SELF } from "./field-set.ts";
import { type MergeSchema, typeOfKey } from "./merge-schema.ts";
import { fieldNameOf } from "./path-element.ts";

/**
 * The set as it reads under this type: where something that was owned piece by piece is one field by
 * now, its pieces become that field. The set itself where nothing changes.
 */
export function reconcileFieldSet(set: FieldSet, schema: MergeSchema): FieldSet {
  return reconcileChildren(set, schema);
}

function reconcileNode(node: FieldSet, schema: MergeSchema): FieldSet {
  const { map, list } = schema;
  if (map !== undefined) {
    if (map.deduced) return node;
    if (map.relation === "atomic") return isLeaf(node) ? node : EMPTY_SET;
    return reconcileChildren(node, schema);
  }
  if (schema.scalar !== undefined || list === undefined) return node;
  if (list.relation === "atomic") return isLeaf(node) ? node : EMPTY_SET;
  return reconcileChildren(node, schema);
}

function reconcileChildren(node: FieldSet, schema: MergeSchema): FieldSet {
  let result: MutableFieldSet | undefined;
  for (const element in node) {
    const child = node[element]!;
    if (element === SELF || isLeaf(child)) continue;
    const type = typeBelow(schema, element);
    if (type === undefined) continue;
    const reconciled = reconcileNode(child, type);
    if (reconciled === child) continue;
    result ??= { ...node };
    result[element] = reconciled;
  }
  return result ?? node;
}

function typeBelow({ map, list }: MergeSchema, element: string): MergeSchema | undefined {
  if (map === undefined) return list?.element;
  const name = fieldNameOf(element);
  return name === undefined ? map.element : typeOfKey(map, name);
}

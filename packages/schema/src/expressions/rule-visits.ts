import { FieldPath, type JsonObject, type JsonValue } from "@homeostat/object-model";
import { isJsonObject } from "../structural/structural-schema.ts";
import type { Correlation } from "../validation/correlation.ts";
import { MapList } from "../validation/map-list.ts";
import type { RuleTree } from "./rule-tree.ts";

/** A value whose schema has rules. */
export interface RuleVisit {
  readonly tree: RuleTree;
  readonly value: JsonValue;
  /** Undefined where no old value correlates. */
  readonly old: JsonValue | undefined;
  readonly path: FieldPath | undefined;
  /** Whether the value, or the nearest one around it that can be compared, is as it was. */
  readonly isUnchanged: () => boolean;
}

/** The values to ask the rules of `tree` about, outer ones first. */
export function ruleVisits(
  tree: RuleTree,
  {
    value,
    old,
    correlation,
    path,
  }: {
    readonly value: JsonValue;
    readonly old: JsonValue | undefined;
    readonly correlation: Correlation | undefined;
    readonly path: FieldPath | undefined;
  },
): RuleVisit[] {
  const visits: RuleVisit[] = [];
  visit({ tree, value, old, path, ratchet: { current: correlation, parent: undefined } }, visits);
  return visits;
}

interface Place {
  readonly tree: RuleTree;
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
  readonly path: FieldPath | undefined;
  readonly ratchet: Ratchet;
}

/** Where a value does not correlate, the nearest one around it that does decides. */
interface Ratchet {
  readonly current: Correlation | undefined;
  readonly parent: Correlation | undefined;
}

function visit(place: Place, visits: RuleVisit[]): void {
  const { tree, value, old, path, ratchet } = place;
  if (value === null) return;
  if (tree.schema.rules.length > 0) {
    const isUnchanged = () => (ratchet.current ?? ratchet.parent)?.isUnchanged ?? false;
    visits.push({ tree, value, old: old ?? undefined, path, isUnchanged });
  }
  if (Array.isArray(value)) visitItems(place, value, visits);
  else if (isJsonObject(value)) visitMembers(place, value, visits);
}

function visitItems(place: Place, list: readonly JsonValue[], visits: RuleVisit[]): void {
  const { tree, old, path, ratchet } = place;
  const { items } = tree;
  if (items === undefined) return;
  const oldItems = Array.isArray(old) ? MapList.of(tree.schema, old) : undefined;
  for (const [index, item] of list.entries()) {
    visit(
      {
        tree: items,
        value: item,
        old: oldItems?.find(item),
        path: (path ?? FieldPath.of("")).index(index),
        ratchet: below(ratchet, (correlation) => correlation.item(index)),
      },
      visits,
    );
  }
}

function visitMembers(place: Place, object: JsonObject, visits: RuleVisit[]): void {
  const { tree, path } = place;
  const { additional, properties } = tree;
  if (additional !== undefined) {
    for (const key of Object.keys(object)) {
      const at = (path ?? FieldPath.of("")).key(key);
      visit({ ...memberOf(place, object, key), tree: additional, path: at }, visits);
    }
  }
  for (const [name, property] of properties) {
    if (!Object.hasOwn(object, name)) continue;
    const at = path?.child(name) ?? FieldPath.of(name);
    visit({ ...memberOf(place, object, name), tree: property, path: at }, visits);
  }
}

function memberOf(
  { tree, old, ratchet }: Place,
  object: JsonObject,
  name: string,
): Pick<Place, "old" | "ratchet" | "value"> {
  const correlates = isCorrelatable(tree.schema.mapType) && isJsonObject(old);
  const isRoot = ratchet.parent === undefined;
  const isTypeMeta = name === "apiVersion" || name === "kind";
  return {
    value: object[name]!,
    old: correlates && Object.hasOwn(old, name) ? old[name] : undefined,
    ratchet:
      isRoot && isTypeMeta && ratchet.current !== undefined
        ? { current: undefined, parent: undefined }
        : below(ratchet, (correlation) => correlation.member(name)),
  };
}

function isCorrelatable(mapType: string | undefined): boolean {
  return mapType === undefined || mapType === "granular" || mapType === "atomic";
}

function below(
  ratchet: Ratchet,
  step: (correlation: Correlation) => Correlation | undefined,
): Ratchet {
  const { current } = ratchet;
  return current === undefined ? ratchet : { current: step(current), parent: current };
}

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

/**
 * The values to ask the rules of `tree` about, outer ones first; undefined now and then where there
 * are few among many, as often as {@link PLACES_PER_PAUSE} were looked at.
 */
export function* ruleVisits(
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
): RuleVisits {
  const ratchet = { current: correlation, parent: undefined };
  yield* visit({ tree, value, old, path, ratchet }, { places: 0 });
}

export const PLACES_PER_PAUSE = 100;

type RuleVisits = Generator<RuleVisit | undefined, void, undefined>;

/** Places that were looked at. */
interface Looked {
  places: number;
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

function* visit(place: Place, looked: Looked): RuleVisits {
  const { tree, value, old, path, ratchet } = place;
  if (++looked.places % PLACES_PER_PAUSE === 0) yield undefined;
  if (value === null) return;
  if (tree.schema.rules.length > 0) {
    const isUnchanged = () => (ratchet.current ?? ratchet.parent)?.isUnchanged ?? false;
    yield { tree, value, old: old ?? undefined, path, isUnchanged };
  }
  if (Array.isArray(value)) yield* visitItems(place, value, looked);
  else if (isJsonObject(value)) yield* visitMembers(place, value, looked);
}

function* visitItems(place: Place, list: readonly JsonValue[], looked: Looked): RuleVisits {
  const { tree, old, path, ratchet } = place;
  const { items } = tree;
  if (items === undefined) return;
  const oldItems = Array.isArray(old) ? MapList.of(tree.schema, old) : undefined;
  for (const [index, item] of list.entries()) {
    yield* visit(
      {
        tree: items,
        value: item,
        old: oldItems?.find(item),
        path: (path ?? FieldPath.of("")).index(index),
        ratchet: below(ratchet, (correlation) => correlation.item(index)),
      },
      looked,
    );
  }
}

function* visitMembers(place: Place, object: JsonObject, looked: Looked): RuleVisits {
  const { tree, path } = place;
  const { additional, properties } = tree;
  if (additional !== undefined) {
    for (const key of Object.keys(object)) {
      const at = (path ?? FieldPath.of("")).key(key);
      yield* visit({ ...memberOf(place, object, key), tree: additional, path: at }, looked);
    }
  }
  for (const [name, property] of properties) {
    if (!Object.hasOwn(object, name)) continue;
    const at = path?.child(name) ?? FieldPath.of(name);
    yield* visit({ ...memberOf(place, object, name), tree: property, path: at }, looked);
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

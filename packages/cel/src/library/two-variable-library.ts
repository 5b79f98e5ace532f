import { mapOf, typeParam } from "../expression-types/type.ts";
import { Failure } from "../values/failure.ts";
import { EntryMap, GrowingMap, isMap } from "../values/map-value.ts";
import { printValue } from "../values/print-value.ts";
import type { MapValue, Value } from "../values/value.ts";
import type { Library } from "./library.ts";

const K = typeParam("K");
const V = typeParam("V");
const MAP = mapOf(K, V);

/** What `transformMap` and `transformMapEntry` expand to; its name cannot be written in an expression. */
export const TWO_VARIABLE_LIBRARY: Library = {
  name: "two-variable-comprehensions",
  functions: [
    {
      name: "cel.@mapInsert",
      overloads: [
        {
          id: "@mapInsert_map_key_value",
          member: false,
          params: [MAP, K, V],
          result: MAP,
          call: ([map, key, value]) => insert(map as MapValue, [[key!, value!]]),
        },
        {
          id: "@mapInsert_map_map",
          member: false,
          params: [MAP, MAP],
          result: MAP,
          call: ([map, more]) => insert(map as MapValue, entriesOf(more!)),
        },
      ],
    },
  ],
};

function* entriesOf(map: Value): Iterable<readonly [Value, Value]> {
  if (!isMap(map)) return;
  for (const key of map.keys()) yield [key, map.find(key) ?? null];
}

function insert(map: MapValue, entries: Iterable<readonly [Value, Value]>): Value {
  const target = map instanceof GrowingMap ? map : EntryMap.of(entriesOf(map));
  for (const [key, value] of entries) {
    if (target.find(key) !== undefined) {
      return new Failure(`insert failed: key ${printValue(key)} already exists`);
    }
    target.put(key, value);
  }
  return target;
}

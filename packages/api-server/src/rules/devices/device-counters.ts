/** Amounts that devices of a pool share: what there is of them, and what a device takes. */
import type {
  Counter,
  CounterSet,
  DeviceCounterConsumption,
} from "@homeostat/object-model/resource-v1";
import { dns1123Label, fields, type Rule } from "@homeostat/schema";
import { distinctUpTo, isWithin } from "../checks/bounded-lists.ts";
import { requiredThen } from "../checks/required-then.ts";
import { eachNamed } from "./device-attributes.ts";

const MAX_SETS = 8;
const MAX_CONSUMED_SETS = 2;
const MAX_COUNTERS = 32;
const MAX_NAME_BYTES = 63;

const named = eachNamed<Counter>(() => {}, { key: dns1123Label, maxKeyBytes: MAX_NAME_BYTES });

const counters: Rule<Readonly<Record<string, Counter>>> = (map = {}, place) => {
  const size = Object.keys(map).length;
  if (size === 0) place.required();
  else if (isWithin(size, MAX_COUNTERS, place)) named(map, place);
};

const setName = requiredThen(dns1123Label);

export const counterSets: Rule<readonly CounterSet[]> = distinctUpTo<CounterSet>({
  max: MAX_SETS,
  rule: fields<CounterSet>({ name: setName, counters }),
  keyOf: (set) => set?.name ?? "",
});

export const consumedCounters: Rule<readonly DeviceCounterConsumption[]> =
  distinctUpTo<DeviceCounterConsumption>({
    max: MAX_CONSUMED_SETS,
    rule: fields<DeviceCounterConsumption>({ counterSet: setName, counters }),
    keyOf: (consumption) => consumption?.counterSet ?? "",
  });

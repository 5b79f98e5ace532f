/** How much of what a device has, and how much of it a request may take. */
import type { Quantity } from "@homeostat/object-model";
import type {
  CapacityRequestPolicy,
  CapacityRequestPolicyRange,
  DeviceCapacity,
} from "@homeostat/object-model/resource-v1";
import type { Place, Rule } from "@homeostat/schema";
import { distinctUpTo } from "../checks/bounded-lists.ts";
import { amountOf } from "../checks/quantities.ts";
import { DEVICE_KEYS, eachNamed } from "./device-attributes.ts";

const MAX_OPTIONS = 10;

type Capacities = Rule<Readonly<Record<string, DeviceCapacity>>>;

/** A device that only one claim gets is given as a whole. */
export const wholeCapacities: Capacities = eachNamed<DeviceCapacity>((capacity, place) => {
  if (capacity?.requestPolicy === undefined) return;
  place.child("requestPolicy").forbidden("allowMultipleAllocations must be true");
}, DEVICE_KEYS);

export const sharedCapacities: Capacities = eachNamed<DeviceCapacity>((capacity, place) => {
  const policy = capacity?.requestPolicy;
  if (policy === undefined) return;
  requestPolicy(policy, place.child("requestPolicy"), amountOf(capacity?.value ?? "0"));
}, DEVICE_KEYS);

function requestPolicy(policy: CapacityRequestPolicy, place: Place, capacity: Quantity): void {
  const { validValues = [], validRange } = policy;
  if (validValues.length > 0 && validRange !== undefined) {
    const why =
      'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
    return place.forbidden(why);
  }
  const form = validValues.length > 0 ? "validValues" : "validRange";
  if (validValues.length === 0 && validRange === undefined) return;
  if (policy.default === undefined) {
    return place.child("default").required(`required when ${form} is defined`);
  }
  const amounts = { capacity, standard: amountOf(policy.default) };
  if (validRange === undefined) {
    checkValues(validValues.map(amountOf), place.child("validValues"), amounts);
  } else checkRange(validRange, place.child("validRange"), amounts);
}

interface Amounts {
  readonly capacity: Quantity;
  /** What a request gets that asks for nothing. */
  readonly standard: Quantity;
}

function checkValues(
  values: readonly Quantity[],
  place: Place,
  { capacity, standard }: Amounts,
): void {
  for (const [index, value] of values.entries()) {
    const next = values[index + 1];
    if (next === undefined || value.compare(next) <= 0) continue;
    place.index(index + 1).invalid(next.toString(), "values must be sorted in ascending order");
  }
  const before = place.errors.length;
  distinctUpTo<Quantity>({
    max: MAX_OPTIONS,
    rule: (value, at) => {
      if (value === undefined || value.compare(capacity) <= 0) return;
      at.invalid(value.toString(), `option is larger than capacity value: ${capacity.toString()}`);
    },
    keyOf: (value) => String(value.value()),
  })(values, place);
  const isTooLong = values.length > MAX_OPTIONS && place.errors.length > before;
  if (isTooLong || !values.some((value) => value.compare(standard) === 0)) {
    const why = "default value is not valid according to the requestPolicy";
    place.invalid(standard.toString(), why);
  }
}

function checkRange(
  range: CapacityRequestPolicyRange,
  place: Place,
  { capacity, standard }: Amounts,
): void {
  const minAt = place.child("min");
  if (range.min === undefined) return minAt.required("required when validRange is defined");
  const min = amountOf(range.min);
  if (min.compare(capacity) > 0) {
    minAt.invalid(min.toString(), `min is larger than capacity value: ${capacity.toString()}`);
  }
  if (standard.compare(min) < 0) {
    minAt.invalid(standard.toString(), `default is less than min: ${min.toString()}`);
  }
  const max = range.max === undefined ? undefined : amountOf(range.max);
  if (max !== undefined) {
    const at = place.child("max");
    if (min.compare(max) > 0)
      at.invalid(min.toString(), `min is larger than max: ${max.toString()}`);
    if (max.compare(capacity) > 0) {
      at.invalid(max.toString(), `max is larger than capacity value: ${capacity.toString()}`);
    }
    if (standard.compare(max) > 0) {
      at.invalid(standard.toString(), `default is more than max: ${max.toString()}`);
    }
  }
  if (range.step === undefined) return;
  const step = amountOf(range.step);
  const at = place.child("step");
  const afterStep = min.add(step);
  if (afterStep.compare(capacity) > 0) {
    const why = `one step ${afterStep.toString()} is larger than capacity value: ${capacity.toString()}`;
    at.invalid(step.toString(), why);
  }
  for (const value of max === undefined ? [standard] : [standard, max]) {
    if (step.value() === 0n || (value.value() - min.value()) % step.value() === 0n) continue;
    at.invalid(
      value.toString(),
      `value is not a multiple of a given step (${step.toString()}) from (${min.toString()})`,
    );
  }
}

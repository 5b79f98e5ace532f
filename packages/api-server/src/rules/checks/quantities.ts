/** Amounts of resources. They have been decoded, so they are quantities. */
import { Quantity } from "@homeostat/object-model";
import type { Rule } from "@homeostat/schema";
import { isIntegerResource } from "./resource-names.ts";

export type QuantityValue = string | number;

export const nonNegativeQuantity: Rule<QuantityValue> = (value = "0", place) => {
  const quantity = Quantity.fromJson(value);
  if (quantity.sign() < 0) {
    place.invalid(quantity.toString(), "must be greater than or equal to 0");
  }
};

export const positiveQuantity: Rule<QuantityValue> = (value = "0", place) => {
  const quantity = Quantity.fromJson(value);
  if (quantity.sign() <= 0) place.invalid(quantity.toString(), "must be greater than zero");
};

export function amountOf(value: QuantityValue): Quantity {
  return Quantity.fromJson(value);
}

/** The amount of the resource called `name`. */
export function amountOfResource(name: string): Rule<QuantityValue> {
  const isWhole = isIntegerResource(name);
  return (value = "0", place) => {
    nonNegativeQuantity(value, place);
    const quantity = amountOf(value);
    if (isWhole && quantity.milliValue() % 1000n !== 0n) {
      place.invalid(quantity.toString(), "must be an integer");
    }
  };
}

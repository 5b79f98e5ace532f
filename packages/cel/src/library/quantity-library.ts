import { Quantity, QuantityError, QuantityRangeError } from "@homeostat/object-model";
import { BOOL, DOUBLE, INT, opaque, STRING, type Type } from "../expression-types/type.ts";
import {
  addAmounts,
  amountOf,
  approximateFloatOf,
  integerOf,
  negateAmount,
  parseAmount,
  type QuantityAmount,
} from "../quantity/quantity-amount.ts";
import { withoutStacks } from "../text/without-stacks.ts";
import { Failure, NO_SUCH_OVERLOAD } from "../values/failure.ts";
import type { OpaqueValue, Value } from "../values/value.ts";
import { intAt, textAt } from "./call-arguments.ts";
import { READS_TEXT } from "./call-costs.ts";
import type { FunctionDeclaration, Library, Overload } from "./library.ts";

const QUANTITY_TYPE: Type = opaque("kubernetes.Quantity");

class QuantityValue implements OpaqueValue {
  readonly celType: Type = QUANTITY_TYPE;
  readonly quantity: Quantity;
  readonly amount: QuantityAmount;
  /** A sum or difference, with which kube-apiserver compares nothing that stands to its left. */
  readonly isComputed: boolean;

  constructor(value: { quantity: Quantity; amount: QuantityAmount; isComputed: boolean }) {
    this.quantity = value.quantity;
    this.amount = value.amount;
    this.isComputed = value.isComputed;
  }

  equals(other: Value): boolean | Failure {
    if (!(other instanceof QuantityValue) || other.isComputed) return NO_SUCH_OVERLOAD;
    return this.quantity.equals(other.quantity);
  }

  toString(): string {
    return this.quantity.toString();
  }
}

/** `quantity('50k').add(20).isLessThan(quantity('1M'))`. */
export const QUANTITY_LIBRARY: Library = {
  name: "kubernetes.quantity",
  functions: [
    {
      name: "quantity",
      overloads: [
        {
          id: "string_to_quantity",
          member: false,
          params: [STRING],
          result: QUANTITY_TYPE,
          call: (args) => toQuantity(textAt(args, 0)),
          ...READS_TEXT,
        },
      ],
    },
    {
      name: "isQuantity",
      overloads: [
        {
          id: "is_quantity_string",
          member: false,
          params: [STRING],
          result: BOOL,
          call: (args) => toQuantity(textAt(args, 0)) instanceof QuantityValue,
          ...READS_TEXT,
        },
      ],
    },
    {
      // Not a method, unlike all others.
      name: "sign",
      overloads: [
        {
          ...accessor("quantity_sign", {
            result: INT,
            read: ({ quantity }) => BigInt(quantity.sign()),
          }),
          member: false,
        },
      ],
    },
    {
      name: "isInteger",
      overloads: [
        accessor("quantity_is_integer", {
          result: BOOL,
          read: ({ amount }) => integerOf(amount) !== undefined,
        }),
      ],
    },
    {
      name: "asInteger",
      overloads: [
        accessor("quantity_get_int", {
          result: INT,
          read: ({ amount }) => integerOf(amount) ?? new Failure("cannot convert value to integer"),
        }),
      ],
    },
    {
      name: "asApproximateFloat",
      overloads: [
        accessor("quantity_get_float", {
          result: DOUBLE,
          read: ({ amount }) => approximateFloatOf(amount),
        }),
      ],
    },
    comparison("isGreaterThan", {
      id: "quantity_is_greater_than",
      result: BOOL,
      read: (order) => order === 1,
    }),
    comparison("isLessThan", {
      id: "quantity_is_less_than",
      result: BOOL,
      read: (order) => order === -1,
    }),
    comparison("compareTo", { id: "quantity_compare_to", result: INT, read: BigInt }),
    {
      name: "add",
      overloads: [
        arithmetic("quantity_add", (args) => sum(quantityAt(args, 0), quantityAt(args, 1))),
        {
          ...arithmetic("quantity_add_int", (args) => sum(quantityAt(args, 0), integerAt(args, 1))),
          params: [QUANTITY_TYPE, INT],
        },
      ],
    },
    {
      name: "sub",
      overloads: [
        arithmetic("quantity_sub", (args) => difference(quantityAt(args, 0), quantityAt(args, 1))),
        {
          ...arithmetic("quantity_sub_int", (args) =>
            difference(quantityAt(args, 0), integerAt(args, 1)),
          ),
          params: [QUANTITY_TYPE, INT],
        },
      ],
    },
  ],
};

function accessor(
  id: string,
  { result, read }: { result: Type; read: (value: QuantityValue) => Value },
): Overload {
  const call = (args: readonly Value[]): Value => read(quantityAt(args, 0));
  return { id, member: true, params: [QUANTITY_TYPE], result, call };
}

function comparison(
  name: string,
  { id, result, read }: { id: string; result: Type; read: (order: -1 | 0 | 1) => Value },
): FunctionDeclaration {
  const call = (args: readonly Value[]): Value =>
    read(quantityAt(args, 0).quantity.compare(quantityAt(args, 1).quantity));
  const params = [QUANTITY_TYPE, QUANTITY_TYPE];
  return { name, overloads: [{ id, member: true, params, result, call }] };
}

function arithmetic(id: string, call: (args: readonly Value[]) => Value): Overload {
  const params = [QUANTITY_TYPE, QUANTITY_TYPE];
  return { id, member: true, params, result: QUANTITY_TYPE, call };
}

function sum(a: QuantityValue, b: QuantityValue): QuantityValue | Failure {
  return orFailure(() => ({
    quantity: a.quantity.add(b.quantity),
    amount: addAmounts(a.amount, b.amount),
    isComputed: true,
  }));
}

function difference(a: QuantityValue, b: QuantityValue): QuantityValue | Failure {
  return orFailure(() => ({
    quantity: a.quantity.subtract(b.quantity),
    amount: addAmounts(a.amount, negateAmount(b.amount)),
    isComputed: true,
  }));
}

function quantityAt(args: readonly Value[], index: number): QuantityValue {
  return args[index] as QuantityValue;
}

function integerAt(args: readonly Value[], index: number): QuantityValue {
  const value = intAt(args, index);
  return new QuantityValue({
    quantity: Quantity.of(value, { format: "DecimalExponent" }),
    amount: amountOf(value),
    isComputed: false,
  });
}

function toQuantity(text: string): QuantityValue | Failure {
  return orFailure(() => ({
    quantity: Quantity.parse(text),
    amount: parseAmount(text),
    isComputed: false,
  }));
}

function orFailure(
  compute: () => ConstructorParameters<typeof QuantityValue>[0],
): QuantityValue | Failure {
  try {
    return new QuantityValue(withoutStacks(compute));
  } catch (error) {
    if (error instanceof QuantityError || error instanceof QuantityRangeError) {
      return new Failure(error.message);
    }
    throw error;
  }
}

import { BOOL, listOf, typeParam } from "../types/type.ts";
import { equalValues } from "../values/equality.ts";
import { elementsOf } from "../values/list-value.ts";
import type { ListValue, Value } from "../values/value.ts";
import { listAt } from "./call-arguments.ts";
import {
  actualSize,
  addRanges,
  multiplyRanges,
  ONE,
  scaleRange,
  sizeOfArgument,
} from "./cost-range.ts";
import type { FunctionDeclaration, Library } from "./library.ts";

const LIST = listOf(typeParam("T"));

/** Lists taken as sets: `sets.contains(['a', 'b'], ['a'])`. */
export const SETS_LIBRARY: Library = {
  name: "cel.lib.ext.sets",
  functions: [
    relation("contains", { passes: 1, holds: containsAll }),
    relation("intersects", {
      passes: 1,
      holds: (a, b) => some(a, (element) => has(b, element)),
    }),
    relation("equivalent", {
      passes: 2,
      holds: (a, b) => containsAll(a, b) && containsAll(b, a),
    }),
  ],
};

/** Every pass compares each element of one list with each of the other. */
function relation(
  name: string,
  { passes, holds }: { passes: number; holds: (a: ListValue, b: ListValue) => boolean },
): FunctionDeclaration {
  return {
    name: `sets.${name}`,
    overloads: [
      {
        id: `list_sets_${name}_list`,
        member: false,
        params: [LIST, LIST],
        result: BOOL,
        call: (args) => holds(listAt(args, 0), listAt(args, 1)),
        estimate: (args) => {
          const pairs = multiplyRanges(sizeOfArgument(args, 0), sizeOfArgument(args, 1));
          return { cost: addRanges(scaleRange(pairs, passes), ONE) };
        },
        cost: ([a = null, b = null]) => 1 + actualSize(a) * actualSize(b) * passes,
      },
    ],
  };
}

function containsAll(list: ListValue, wanted: ListValue): boolean {
  return !some(wanted, (element) => !has(list, element));
}

function has(list: ListValue, wanted: Value): boolean {
  return some(list, (element) => equalValues(wanted, element));
}

function some(list: ListValue, test: (element: Value) => boolean): boolean {
  for (const element of elementsOf(list)) if (test(element)) return true;
  return false;
}

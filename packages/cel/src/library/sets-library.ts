import { BOOL, listOf, typeParam } from "../expression-types/type.ts";
import { ValueIndex } from "../lists/value-index.ts";
import { elementsOf } from "../values/list-value.ts";
import type { ListValue } from "../values/value.ts";
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
    relation("intersects", { passes: 1, holds: intersects }),
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
  const index = ValueIndex.of(elementsOf(list));
  for (const element of elementsOf(wanted)) if (!index.has(element)) return false;
  return true;
}

function intersects(a: ListValue, b: ListValue): boolean {
  const index = ValueIndex.of(elementsOf(b));
  for (const element of elementsOf(a)) if (index.has(element)) return true;
  return false;
}

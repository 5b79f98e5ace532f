import { BOOL, listOf, typeParam } from "../expression-types/type.ts";
import { ValueIndex } from "../lists/value-index.ts";
import { REST_AFTER, type WorkSteps } from "../text/work-steps.ts";
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
import { inSteps } from "./lengthy-call.ts";
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
      *holds(a, b) {
        return (yield* containsAll(a, b)) && (yield* containsAll(b, a));
      },
    }),
  ],
};

/** Every pass compares each element of one list with each of the other. */
function relation(
  name: string,
  { passes, holds }: { passes: number; holds: (a: ListValue, b: ListValue) => WorkSteps<boolean> },
): FunctionDeclaration {
  return {
    name: `sets.${name}`,
    overloads: [
      {
        id: `list_sets_${name}_list`,
        member: false,
        params: [LIST, LIST],
        result: BOOL,
        ...inSteps((args) => holds(listAt(args, 0), listAt(args, 1)), { isQuadratic: true }),
        estimate: (args) => {
          const pairs = multiplyRanges(sizeOfArgument(args, 0), sizeOfArgument(args, 1));
          return { cost: addRanges(scaleRange(pairs, passes), ONE) };
        },
        cost: ([a = null, b = null]) => 1 + actualSize(a) * actualSize(b) * passes,
      },
    ],
  };
}

function* containsAll(list: ListValue, wanted: ListValue): WorkSteps<boolean> {
  const known = yield* indexOf(list);
  for (let index = 0; index < wanted.size; index++) {
    if (!known.has(wanted.at(index))) return false;
    if (index % REST_AFTER.elements === REST_AFTER.elements - 1) yield;
  }
  return true;
}

function* intersects(a: ListValue, b: ListValue): WorkSteps<boolean> {
  const known = yield* indexOf(b);
  for (let index = 0; index < a.size; index++) {
    if (known.has(a.at(index))) return true;
    if (index % REST_AFTER.elements === REST_AFTER.elements - 1) yield;
  }
  return false;
}

function* indexOf(list: ListValue): WorkSteps<ValueIndex> {
  const known = new ValueIndex();
  for (let index = 0; index < list.size; index++) {
    known.add(list.at(index));
    if (index % REST_AFTER.elements === REST_AFTER.elements - 1) yield;
  }
  return known;
}

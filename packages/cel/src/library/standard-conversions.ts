import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  typeParam,
  UINT,
} from "../expression-types/type.ts";
import {
  stringOf,
  toBool,
  toBytes,
  toDouble,
  toDuration,
  toInt,
  toTimestamp,
  toUint,
} from "../values/convert.ts";
import { durationInSteps } from "../values/duration-in-steps.ts";
import { Duration } from "../values/time-value.ts";
import { typeOfValue } from "../values/type-of-value.ts";
import { TypeValue } from "../values/type-value.ts";
import type { Value } from "../values/value.ts";
import { actualSize, STRING_TRAVERSAL_FACTOR, scaleCost, scaleRange } from "./cost-range.ts";
import type { FunctionDeclaration, LengthyCall, Overload } from "./library.ts";

const A = typeParam("A");

/** Of a text of many terms; each takes a third of a microsecond. */
const LONG_DURATION: LengthyCall = {
  work: ([text]) => (typeof text === "string" ? text.length / 6 : 0),
  *steps([text]: readonly Value[]) {
    const nanoseconds = yield* durationInSteps(text as string);
    // What is wrong with a text is not told: an empty one fails like any other.
    return nanoseconds === undefined ? toDuration("") : new Duration(nanoseconds);
  },
};

export const STANDARD_CONVERSIONS: readonly FunctionDeclaration[] = [
  {
    name: "type",
    overloads: [{ id: "type", member: false, params: [A], result: typeOf(A) }],
    call: ([value]) => new TypeValue(typeOfValue(value!)),
  },
  {
    name: "dyn",
    overloads: [{ id: "to_dyn", member: false, params: [A], result: DYN }],
    call: ([value]) => value!,
  },
  conversion("bool", [BOOL, STRING], { to: BOOL, convert: toBool }),
  conversion("bytes", [BYTES, STRING], { to: BYTES, convert: toBytes }),
  conversion("double", [DOUBLE, INT, STRING, UINT], { to: DOUBLE, convert: toDouble }),
  conversion("duration", [DURATION, INT, STRING], { to: DURATION, convert: toDuration }),
  conversion("int", [INT, DOUBLE, DURATION, STRING, TIMESTAMP, UINT], { to: INT, convert: toInt }),
  conversion("string", [STRING, BOOL, BYTES, DOUBLE, DURATION, INT, TIMESTAMP, UINT], {
    to: STRING,
    convert: stringOf,
  }),
  conversion("timestamp", [TIMESTAMP, INT, STRING], { to: TIMESTAMP, convert: toTimestamp }),
  conversion("uint", [UINT, DOUBLE, INT, STRING], { to: UINT, convert: toUint }),
];

/** The functions whose calls with literals are done when an expression is compiled. */
export const CONVERSION_NAMES: ReadonlySet<string> = new Set(
  STANDARD_CONVERSIONS.map(({ name }) => name),
);

function conversion(
  name: string,
  from: readonly Type[],
  { to: result, convert }: { readonly to: Type; readonly convert: (value: Value) => Value },
): FunctionDeclaration {
  const overloads = from.map((type): Overload => {
    const id = `${wireName(type)}_to_${wireName(result)}`;
    const plain = {
      id,
      member: false,
      params: [type],
      result,
      call: ([value]: readonly Value[]) => convert(value!),
    };
    if (id === "string_to_duration") return { ...plain, lengthy: LONG_DURATION };
    if (id === "string_to_bytes") {
      return { ...plain, ...traversal((size) => ({ min: size.min, max: size.max * 4 })) };
    }
    if (id === "bytes_to_string") {
      return {
        ...plain,
        ...traversal((size) => ({ min: Math.floor(size.min / 4), max: size.max })),
      };
    }
    return plain;
  });
  return { name, overloads };
}

function traversal(
  resultSize: (size: { readonly min: number; readonly max: number }) => {
    readonly min: number;
    readonly max: number;
  },
): Pick<Overload, "cost" | "estimate"> {
  return {
    cost: ([value]) => scaleCost(actualSize(value!), STRING_TRAVERSAL_FACTOR),
    estimate: ([value]) => ({
      cost: scaleRange(value!.size, STRING_TRAVERSAL_FACTOR),
      resultSize: resultSize(value!.size),
    }),
  };
}

function wireName(type: Type): string {
  return type === INT || type === UINT ? `${type.kind}64` : type.kind;
}

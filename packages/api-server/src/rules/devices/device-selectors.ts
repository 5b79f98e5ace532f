/** Expressions that choose devices. What they may cost is known before there is a device. */
import {
  BOOL,
  type CostRange,
  createEnvironment,
  DYN,
  type Environment,
  kubernetesLibraries,
  mapOf,
  type ObjectType,
  opaque,
  STRING,
  type Type,
} from "@homeostat/cel";
import type { CELDeviceSelector, DeviceSelector } from "@homeostat/object-model/resource-v1";
import type { Rule } from "@homeostat/schema";
import { AUTHORIZER_LIBRARY } from "../admission/authorizer-library.ts";
import { upTo } from "../checks/bounded-lists.ts";
import { printExactType, reportCompilation } from "../checks/cel-texts.ts";
import { addTooLong } from "./device-names.ts";

const MAX_SELECTORS = 32;
const MAX_EXPRESSION_BYTES = 10 * 1024;
const MAX_COST = 1_000_000;

const DEVICE: ObjectType = {
  kind: "object",
  name: "kubernetes.DRADevice",
  fields: new Map<string, { type: Type; jsonName: string }>(
    Object.entries({
      driver: STRING,
      allowMultipleAllocations: BOOL,
      attributes: mapOf(STRING, mapOf(STRING, DYN)),
      capacity: mapOf(STRING, mapOf(STRING, opaque("kubernetes.Quantity"))),
    }).map(([name, type]) => [name, { type, jsonName: name }]),
  ),
};

let known: Environment | undefined;

function deviceEnvironment(): Environment {
  known ??= createEnvironment({
    libraries: [...kubernetesLibraries(), AUTHORIZER_LIBRARY],
    variables: { device: DEVICE },
  });
  return known;
}

/** How long something in a device may be, and what is in it. */
interface Sized {
  readonly max: number;
  readonly keys?: Sized;
  readonly values?: Sized;
  /** Reached by name; `*` is any other name. */
  readonly members?: Readonly<Record<string, Sized>>;
}

const MAX_ENTRIES = 32;
const domain: Sized = { max: 63 };
const id: Sized = { max: 32 };
const attribute: Sized = { max: 64 };

const device: Sized = {
  max: 0,
  members: {
    driver: { max: 63 },
    allowMultipleAllocations: { max: 1 },
    attributes: {
      max: MAX_ENTRIES,
      keys: domain,
      values: { max: MAX_ENTRIES, keys: id, values: attribute, members: { "*": attribute } },
    },
    capacity: {
      max: MAX_ENTRIES,
      keys: domain,
      values: { max: MAX_ENTRIES, keys: id, values: { max: 0 } },
    },
  },
};

function sizeAt([variable, ...steps]: readonly string[]): CostRange | undefined {
  let at: Sized | undefined = variable === "device" ? device : undefined;
  for (const step of steps) at = at && sizedMember(at, step);
  return at && { min: 0, max: at.max };
}

function sizedMember(sized: Sized, step: string): Sized | undefined {
  switch (step) {
    case "@items":
    case "@values":
      return sized.values;
    case "@keys":
      return sized.keys;
    default: {
      const members = sized.members ?? {};
      return Object.hasOwn(members, step) ? members[step] : members["*"];
    }
  }
}

/** A macro that only these expressions may use, and that cannot be compiled yet: taken as it is. */
const BINDING = /\bcel\.bind\(/;

const selectorExpression: Rule<CELDeviceSelector> = (selector, place) => {
  const text = selector?.expression ?? "";
  const at = place.child("expression");
  if (Buffer.byteLength(text) > MAX_EXPRESSION_BYTES) return addTooLong(at, MAX_EXPRESSION_BYTES);
  if (BINDING.test(text)) return;
  const compiled = deviceEnvironment().compile(text);
  if (!compiled.ok) return reportCompilation(compiled, text, at);
  const { outputType } = compiled.expression;
  // Nobody knows the type of an attribute.
  if (outputType.kind !== "bool" && outputType.kind !== "dyn") {
    const got = printExactType(outputType);
    return at.invalid(text, `must evaluate to bool or the unknown type, not ${got}`);
  }
  if (compiled.expression.estimateCost(sizeAt).max > MAX_COST) {
    at.forbidden("too complex, exceeds cost limit");
  }
};

const deviceSelector: Rule<DeviceSelector> = (selector, place) => {
  const at = place.child("cel");
  if (selector?.cel === undefined) at.required();
  else selectorExpression(selector.cel, at);
};

export const deviceSelectors: Rule<readonly DeviceSelector[]> = upTo(MAX_SELECTORS, deviceSelector);

/** Calls that may take long because their arguments are large: declared once, made in steps or at once. */
import { finishNow, type WorkSteps } from "../text/work-steps.ts";
import { isList } from "../values/list-value.ts";
import { isMap } from "../values/map-value.ts";
import type { Value } from "../values/value.ts";
import type { LengthyCall } from "./library.ts";

export interface CallInSteps {
  readonly call: (args: readonly Value[]) => Value;
  readonly lengthy: LengthyCall;
}

/** To be spread into an overload or a function. `work` by default goes by the size of the arguments. */
export function inSteps(
  steps: (args: readonly Value[]) => WorkSteps<Value>,
  options: Partial<Omit<LengthyCall, "steps">> = {},
): CallInSteps {
  return {
    call: (args) => finishNow(steps(args)),
    lengthy: { work: sizeWork, steps, ...options },
  };
}

const MICROSECONDS = { character: 1 / 20, element: 1 / 4 };

function sizeWork(args: readonly Value[]): number {
  let work = 0;
  for (const arg of args) {
    if (typeof arg === "string") work += arg.length * MICROSECONDS.character;
    else if (isList(arg) || isMap(arg)) work += arg.size * MICROSECONDS.element;
  }
  return work;
}

/** Where what is inside the elements counts too; looks no farther than to know that it is much. */
export function deepWork(args: readonly Value[]): number {
  let work = 0;
  const pending: Value[] = [...args];
  while (pending.length > 0 && work < MUCH) {
    const value = pending.pop()!;
    work += MICROSECONDS.element;
    if (typeof value === "string") work += value.length * MICROSECONDS.character;
    else if (value instanceof Uint8Array) work += value.length * MICROSECONDS.character;
    else if (isList(value)) {
      if (value.size > MUCH) return MUCH;
      for (let index = 0; index < value.size; index++) pending.push(value.at(index));
    } else if (isMap(value)) {
      if (value.size > MUCH) return MUCH;
      for (const key of value.keys()) pending.push(key, value.find(key) ?? null);
    }
  }
  return work;
}

const MUCH = 10_000;

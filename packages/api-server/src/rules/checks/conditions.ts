/** Conditions of the common form, in a status. */
import type { Condition } from "@homeostat/object-model";
import { FieldError } from "@homeostat/object-model";
import { each, fields, oneOf, qualifiedName, type Rule } from "@homeostat/schema";

const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 1024;
const REASON = "[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?";
const reasonPattern = new RegExp(`^${REASON}$`);

const reason: Rule<string> = (value = "", place) => {
  if (value === "") {
    place.required();
    return;
  }
  if (!reasonPattern.test(value)) {
    place.invalid(
      value,
      `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${REASON}')`,
    );
  }
  maxBytes(MAX_REASON)(value, place);
};

function maxBytes(max: number): Rule<string> {
  return (value = "", place) => {
    if (Buffer.byteLength(value) > max && place.path !== undefined) {
      place.add(FieldError.tooLong(place.path, max));
    }
  };
}

const condition = fields<Condition>({
  type: qualifiedName,
  status: oneOf("False", "True", "Unknown"),
  observedGeneration: (value = 0, place) => {
    if (value < 0) place.invalid(value, "must be greater than or equal to zero");
  },
  lastTransitionTime: (value, place) => {
    if (value == null) place.required();
  },
  reason,
  message: maxBytes(MAX_MESSAGE),
});

/** Each type once. */
export const conditions: Rule<readonly Condition[]> = (list, place) => {
  const types = new Set<string>();
  each<Condition>((value, at) => {
    const type = value?.type ?? "";
    if (types.has(type)) at.child("type").duplicate(type);
    types.add(type);
    condition(value, at);
  })(list, place);
};

/** Parts that stay as they were. They are compared, and shown, in the form the server holds them. */
import type { ChangeRule } from "@homeostat/schema";
import {
  checkImmutable,
  checkImmutablePart,
  FIELD_IS_IMMUTABLE,
} from "../../resources/field-checks.ts";
import { type InternalType, internalForm, sameInternal } from "../../resources/internal-form.ts";

/** For a part that the server holds as a pointer: an absent one is not an empty one. */
export function immutablePart(type: InternalType): ChangeRule<object> {
  return ({ value, old }, place) => {
    if (place.path !== undefined) {
      place.add(...checkImmutablePart(type, { path: place.path, value, old }));
    }
  };
}

/** For a part that is always there. */
export function immutableStruct(type: InternalType): ChangeRule<object> {
  return ({ value, old }, place) => {
    if (sameInternal(type, value, old)) return;
    place.invalid(internalForm(type, value), FIELD_IS_IMMUTABLE);
  };
}

/** For scalars, and for lists and maps of them. */
export const immutableValue: ChangeRule<unknown> = ({ value, old }, place) => {
  if (place.path !== undefined) place.add(...checkImmutable({ path: place.path, value, old }));
};

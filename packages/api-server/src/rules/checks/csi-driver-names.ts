import { checkDns1123Subdomain, FieldError, FieldPath } from "@homeostat/object-model";
import type { Rule } from "@homeostat/schema";

const MAX_BYTES = 63;

/** The name of a CSI driver where something refers to it: a domain name, in any case. */
export const csiDriverName: Rule<string> = (name = "", place) => {
  if (name === "") {
    place.required();
    return;
  }
  if (Buffer.byteLength(name) > MAX_BYTES) {
    place.add(FieldError.tooLong(place.path ?? FieldPath.of(""), MAX_BYTES));
  }
  for (const problem of checkDns1123Subdomain(name.toLowerCase())) place.invalid(name, problem);
};

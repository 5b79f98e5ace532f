/** Names of certificate signers, `example.com/signer-name`. */
import {
  checkDns1123Label,
  checkDns1123Subdomain,
  FieldError,
  FieldPath,
} from "@homeostat/object-model";
import type { Place, Rule } from "@homeostat/schema";

const DOMAIN_BYTES = 253;
const NAMESPACE_BYTES = 63;
const NAME_BYTES = 253;
/** Room for `<domain>/<namespace>.<name>`. */
const SIGNER_BYTES = DOMAIN_BYTES + 1 + NAMESPACE_BYTES + 1 + NAME_BYTES;

export const signerName: Rule<string> = (name = "", place) => {
  if (name === "") return place.required();
  const [domain = "", path = "", ...more] = name.split("/");
  if (!name.includes("/") || more.length > 0) {
    const why = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return place.invalid(name, why);
  }
  if (Buffer.byteLength(domain) > DOMAIN_BYTES) addTooLong(place, DOMAIN_BYTES);
  checkLabels(domain, checkDns1123Label, place);
  if (!domain.includes(".")) {
    const why = "should be a domain with at least two segments separated by dots";
    place.invalid(domain, why);
  }
  checkLabels(path, checkDns1123Subdomain, place);
  if (Buffer.byteLength(name) > SIGNER_BYTES) addTooLong(place, SIGNER_BYTES);
};

/** Only the first bad label is told of. */
function checkLabels(
  segment: string,
  check: (label: string) => readonly string[],
  place: Place,
): void {
  const bad = segment.split(".").find((label) => check(label).length > 0);
  if (bad === undefined) return;
  for (const problem of check(bad)) {
    place.invalid(segment, `validating label ${JSON.stringify(bad)}: ${problem}`);
  }
}

function addTooLong(place: Place, max: number): void {
  place.add(FieldError.tooLong(place.path ?? FieldPath.of(""), max));
}

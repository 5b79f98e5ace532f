/** Networks in CIDR form, in fields older than strict checking. */
import type { Rule } from "@homeostat/schema";
import { checkCidrText } from "../../resources/service-cidr-check.ts";
import { canonicalIp, familyOfIp } from "./ip-addresses.ts";

export const legacyCidr: Rule<string> = (value = "", place) => {
  for (const problem of checkCidrText(value)) place.invalid(value, problem);
};

/** What to tell a client of a network that is accepted, `field` being where it is. */
export function cidrWarnings(field: string, text: string): string[] {
  const [address = "", length = ""] = text.split("/");
  if (checkCidrText(text).length > 0 || familyOfIp(address) !== 6) return [];
  const canonical = `${canonicalIp(address)}/${length}`;
  if (canonical === text) return [];
  const [shown, better] = [JSON.stringify(text), JSON.stringify(canonical)];
  return [`${field}: IPv6 CIDR value ${shown} should be in RFC 5952 canonical format (${better})`];
}

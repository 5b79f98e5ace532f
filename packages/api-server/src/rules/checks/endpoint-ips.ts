/** Addresses that traffic can be sent to. */
import type { Rule } from "@homeostat/schema";
import { canonicalIp, familyOfIp } from "./ip-addresses.ts";

/** Not one that means "none", "myself" or "whoever is near". */
export const endpointIp: Rule<string> = (value = "", place) => {
  if (familyOfIp(value) === undefined) {
    place.invalid(value, "must be a valid IP address");
    return;
  }
  const ip = canonicalIp(value);
  if (ip === "0.0.0.0" || ip === "::") {
    place.invalid(value, `may not be unspecified (${value})`);
  }
  if (ip.startsWith("127.") || ip === "::1") {
    place.invalid(value, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
  }
  if (ip.startsWith("169.254.") || /^fe[89ab][0-9a-f]:/.test(ip)) {
    place.invalid(value, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  }
  if (ip.startsWith("224.0.0.") || /^ff[0-9a-f]2:/.test(ip)) {
    const why = "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)";
    place.invalid(value, why);
  }
};

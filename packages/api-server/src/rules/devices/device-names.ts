/**
 * How drivers, pools, attributes and shares of devices are called. This folder is what claims, classes
 * and slices of devices are made of; `../resource-claim.ts` lists the kinds.
 */
import { checkDns1123Subdomain, FieldError, FieldPath } from "@homeostat/object-model";
import type { Place, Rule } from "@homeostat/schema";
import { csiDriverName } from "../checks/csi-driver-names.ts";

const MAX_POOL_BYTES = 253;
const MAX_ID_BYTES = 32;
const C_IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*";
const identifierPattern = new RegExp(`^${C_IDENTIFIER}$`);
const HEX_PAIRS = /^(?:[0-9a-f]{2})+$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const driverName: Rule<string> = csiDriverName;

export function addTooLong(place: Place, max: number): void {
  place.add(FieldError.tooLong(place.path ?? FieldPath.of(""), max));
}

export const poolName: Rule<string> = (name = "", place) => {
  if (name === "") return place.required();
  if (Buffer.byteLength(name) > MAX_POOL_BYTES) addTooLong(place, MAX_POOL_BYTES);
  for (const part of name.split("/")) {
    for (const problem of checkDns1123Subdomain(part)) place.invalid(part, problem);
  }
};

const identifier: Rule<string> = (name = "", place) => {
  if (Buffer.byteLength(name) > MAX_ID_BYTES) addTooLong(place, MAX_ID_BYTES);
  if (identifierPattern.test(name)) return;
  place.invalid(
    name,
    `a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '${C_IDENTIFIER}')`,
  );
};

/** Of an attribute or a capacity; without a domain it is the driver's. */
export const qualifiedDeviceName: Rule<string> = (name = "", place) => {
  const parts = name.split("/");
  if (parts.length === 1) identifier(name, place);
  if (parts.length !== 2) return;
  const [domain, id] = parts;
  if (domain) driverName(domain, place);
  else place.invalid("", "the domain must not be empty");
  if (id) identifier(id, place);
  else place.invalid("", "the name must not be empty");
};

export const fullyQualifiedDeviceName: Rule<string> = (name = "", place) => {
  qualifiedDeviceName(name, place);
  if (name.includes("/")) return;
  place.invalid(name, "a fully qualified name must be a domain and a name separated by a slash");
};

export const shareId: Rule<string> = (uid = "", place) => {
  const problem = problemWithUuid(uid);
  if (problem !== undefined) place.invalid(uid, `error validating uid: ${problem}`);
  else if (uid.length !== 36 || uid !== uid.toLowerCase()) {
    const why =
      "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters";
    place.invalid(uid, why);
  }
};

/** All four forms that are commonly read. */
function problemWithUuid(text: string): string | undefined {
  const bytes = Buffer.byteLength(text);
  const malformed = "invalid UUID format";
  switch (bytes) {
    case 36:
      return UUID.test(text) ? undefined : malformed;
    case 45: {
      const prefix = text.slice(0, 9);
      if (prefix.toLowerCase() !== "urn:uuid:") {
        return `invalid urn prefix: ${JSON.stringify(prefix)}`;
      }
      return UUID.test(text.slice(9)) ? undefined : malformed;
    }
    case 38:
      if (!text.startsWith("{") || !text.endsWith("}")) return "invalid bracketed UUID format";
      return UUID.test(text.slice(1, -1)) ? undefined : malformed;
    case 32:
      return HEX_PAIRS.test(text) ? undefined : malformed;
    default:
      return `invalid UUID length: ${bytes}`;
  }
}

/** What is known about a device: scalars by name. Lists of them are behind a gate that is closed. */
import type { DeviceAttribute } from "@homeostat/object-model/resource-v1";
import type { Place, Rule } from "@homeostat/schema";
import { internalForm } from "../../resources/internal-form.ts";
import { addTooLong, qualifiedDeviceName } from "./device-names.ts";

const MAX_VALUE_BYTES = 64;
const MAX_KEY_BYTES = 96;
const NUMERIC = "(?:0|[1-9]\\d*)";
const PRE_RELEASE = "(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
const BUILD = "[0-9a-zA-Z-]+";
const semverPattern = new RegExp(
  `^${NUMERIC}\\.${NUMERIC}\\.${NUMERIC}(?:-${PRE_RELEASE}(?:\\.${PRE_RELEASE})*)?(?:\\+${BUILD}(?:\\.${BUILD})*)?$`,
);

const text: Rule<string> = (value = "", place) => {
  if (Buffer.byteLength(value) > MAX_VALUE_BYTES) addTooLong(place, MAX_VALUE_BYTES);
};

const version: Rule<string> = (value = "", place) => {
  if (!semverPattern.test(value)) {
    place.invalid(value, "must be a string compatible with semver.org spec 2.0.0");
  }
  text(value, place);
};

const attribute: Rule<DeviceAttribute> = (value, place) => {
  if (value?.string !== undefined) text(value.string, place.child("string"));
  if (value?.version !== undefined) version(value.version, place.child("version"));
  const { bool, int, string, version: released } = value ?? {};
  const given = [bool, int, string, released].filter((scalar) => scalar !== undefined);
  if (given.length === 1) return;
  const shown = given.length === 0 ? "" : internalForm("resource.DeviceAttribute", value);
  place.invalid(shown, "exactly one value must be specified");
};

/**
 * Keys are told of at the map, what is wrong with a value at its key, of which the middle may be left
 * out.
 */
export function eachNamed<V>(
  rule: Rule<V>,
  { key: keyRule, maxKeyBytes }: { readonly key: Rule<string>; readonly maxKeyBytes: number },
): Rule<Readonly<Record<string, V>>> {
  return (map, place: Place) => {
    for (const [key, value] of Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) {
      keyRule(key, place);
      rule(value, place.key(shortened(key, maxKeyBytes)));
    }
  };
}

function shortened(key: string, max: number): string {
  const bytes = Buffer.from(key);
  if (bytes.length <= max) return key;
  const left = max - "...".length;
  const head = bytes.toString("utf8", 0, Math.floor((left + 1) / 2));
  const tail = bytes.toString("utf8", bytes.length - Math.floor(left / 2));
  return `${head}...${tail}`;
}

/** Of attributes and capacities. */
export const DEVICE_KEYS: { readonly key: Rule<string>; readonly maxKeyBytes: number } = {
  key: qualifiedDeviceName,
  maxKeyBytes: MAX_KEY_BYTES,
};

export const deviceAttributes: Rule<Readonly<Record<string, DeviceAttribute>>> = eachNamed(
  attribute,
  DEVICE_KEYS,
);

/** What a driver is told about devices: only it knows what it means. */
import { encodeJson } from "@homeostat/object-model";
import type {
  DeviceConfiguration,
  OpaqueDeviceConfiguration,
} from "@homeostat/object-model/resource-v1";
import type { Rule } from "@homeostat/schema";
import { addTooLong, driverName } from "./device-names.ts";

const MAX_PARAMETERS_BYTES = 10 * 1024;
const OMITTED = "<value omitted>";

interface ConfigurationFacts {
  /** It was there before: it may be longer than a new one. */
  readonly stored?: boolean;
}

/** Any object of JSON. */
export function opaqueObject({ stored }: ConfigurationFacts = {}): Rule<unknown> {
  return (value, place) => {
    if (value === undefined || value === null) return place.required();
    const text = encodeJson(value);
    if (!stored && Buffer.byteLength(text) > MAX_PARAMETERS_BYTES) {
      return addTooLong(place, MAX_PARAMETERS_BYTES);
    }
    if (typeof value !== "object" || Array.isArray(value)) {
      place.invalid(OMITTED, "must be a valid JSON object");
    }
  };
}

export function deviceConfiguration(facts: ConfigurationFacts = {}): Rule<DeviceConfiguration> {
  const parameters = opaqueObject(facts);
  return (configuration, place) => {
    const opaque: Partial<OpaqueDeviceConfiguration> | undefined = configuration?.opaque;
    const at = place.child("opaque");
    if (opaque === undefined) return at.required();
    driverName(opaque.driver, at.child("driver"));
    parameters(opaque.parameters, at.child("parameters"));
  };
}

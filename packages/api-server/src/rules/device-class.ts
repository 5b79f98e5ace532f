/** Classes of devices: what claims may ask for by name. */
import type { DeviceClass } from "@homeostat/object-model/resource-v1";
import type { ChangeRule, Rule } from "@homeostat/schema";
import { sameForm } from "../resources/internal-form.ts";
import { upTo } from "./checks/bounded-lists.ts";
import { isExtendedResource } from "./checks/resource-names.ts";
import { MAX_CONFIGURATIONS } from "./devices/device-claim.ts";
import { deviceConfiguration } from "./devices/device-configuration.ts";
import { deviceSelectors } from "./devices/device-selectors.ts";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

const extendedResourceName: Rule<string> = (name, place) => {
  if (name === undefined || isExtendedResource(name)) return;
  place.invalid(name, "must be a valid extended resource name");
};

const deviceClassChange: ChangeRule<DeviceClass> = ({ value, old }, place) => {
  const spec = value?.spec;
  const at = place.child("spec");
  deviceSelectors(spec?.selectors, at.child("selectors"));
  const stored = old !== undefined && sameForm(spec?.config ?? null, old.spec?.config ?? null);
  const config = upTo(MAX_CONFIGURATIONS, deviceConfiguration({ stored }));
  config(spec?.config, at.child("config"));
  extendedResourceName(spec?.extendedResourceName, at.child("extendedResourceName"));
};

export const deviceClassRules: readonly NamedTypeRules[] = [
  rulesFor<DeviceClass>("resource.v1.DeviceClass", {
    validate: (value, place) => deviceClassChange({ value, old: undefined }, place),
    validateChange: deviceClassChange,
  }),
];

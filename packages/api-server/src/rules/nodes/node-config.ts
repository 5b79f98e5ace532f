/** Where a kubelet once took its configuration from. The feature is gone; what is stored is checked. */
import type {
  ConfigMapNodeConfigSource,
  NodeConfigSource,
  NodeConfigStatus,
} from "@homeostat/object-model/core-v1";
import {
  all,
  dns1123Label,
  dns1123Subdomain,
  fields,
  ifPresent,
  type Rule,
  required,
} from "@homeostat/schema";
import { internalForm } from "../../resources/internal-form.ts";
import { configKey } from "../checks/config-keys.ts";
import { requiredThen } from "../checks/required-then.ts";

const reference = fields<ConfigMapNodeConfigSource>({
  namespace: requiredThen(dns1123Label),
  name: requiredThen(dns1123Subdomain),
  kubeletConfigKey: requiredThen(configKey),
});

function absent(name: string): Rule<string> {
  return (value, place) => {
    if (value) place.forbidden(`${name} must not be set in spec`);
  };
}

const inSpec = all<ConfigMapNodeConfigSource>(
  fields<ConfigMapNodeConfigSource>({
    uid: absent("uid"),
    resourceVersion: absent("resourceVersion"),
  }),
  reference,
);

const inStatus = all<ConfigMapNodeConfigSource>(
  fields<ConfigMapNodeConfigSource>({ uid: required, resourceVersion: required }),
  reference,
);

function source(configMap: Rule<ConfigMapNodeConfigSource>): Rule<NodeConfigSource> {
  return (value, place) => {
    if (value?.configMap !== undefined) {
      configMap(value.configMap, place.child("configMap"));
      return;
    }
    const shown = internalForm("NodeConfigSource", value);
    place.invalid(shown, "exactly one reference subfield must be non-nil");
  };
}

export const specConfigSource: Rule<NodeConfigSource> = source(inSpec);

const statusSource = ifPresent(source(inStatus));

export const nodeConfigStatus: Rule<NodeConfigStatus> = fields<NodeConfigStatus>({
  assigned: statusSource,
  active: statusSource,
  lastKnownGood: statusSource,
});

/** Config maps. */
import { FieldError, FieldPath, ownKey } from "@homeostat/object-model";
import type { ConfigMap } from "@homeostat/object-model/core-v1";
import type { ChangeRule, Rule } from "@homeostat/schema";
import { configKey } from "./checks/config-keys.ts";
import { decodedLength, MAX_DATA_BYTES, sealed } from "./config-data/sealed.ts";
import { type NamedTypeRules, type RuleContext, rulesFor } from "./type-rules.ts";

/** How kube-apiserver prints the path of the whole object. */
const WHOLE = FieldPath.of("[]");

export const configMapRules: readonly NamedTypeRules[] = [
  rulesFor<ConfigMap>("core.v1.ConfigMap", {
    validate: (configMap, place) => contents(configMap, place),
    validateChange: ({ value }, place) => contents(value, place),
  }),
];

export const sealedConfigMap: ChangeRule<ConfigMap, RuleContext> = sealed("data", "binaryData");

/** Keys become names of files, so none is in both maps. */
const contents: Rule<ConfigMap, RuleContext> = (configMap, place) => {
  const { data = {}, binaryData = {} } = configMap ?? {};
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    const at = place.child("data").key(key);
    configKey(key, at);
    if (ownKey(binaryData, key) !== undefined) {
      at.invalid(key, "duplicate of key present in binaryData");
    }
    size += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(binaryData)) {
    configKey(key, place.child("binaryData").key(key));
    size += decodedLength(value);
  }
  if (size > MAX_DATA_BYTES) place.add(FieldError.tooLong(WHOLE, MAX_DATA_BYTES));
};

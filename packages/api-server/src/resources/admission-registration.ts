/** Webhook configurations and admission policies, as plain objects; nothing calls them yet. */

import type { KubernetesObject } from "@homeostat/object-model";
import type { ValidatingAdmissionPolicy } from "@homeostat/object-model/admissionregistration-v1";
import type { Strategy } from "../registry/strategy.ts";
import { validatingPolicyStatusChange } from "../rules/admission/validating-policy.ts";
import { changeCheckOf } from "../rules/change-check.ts";
import { statusWithoutMetadata } from "./status-updates.ts";

/** Names for configurations that come from files, not through the API. */
const STATIC_SUFFIX = ".static.k8s.io";

/** Every kind of the group but the policies that report a status. */
export const admissionConfigurations: Strategy = {
  generation: true,
  unconditionalUpdate: false,
  warnings: staticNameWarnings,
};

export const validatingAdmissionPolicies: Strategy<ValidatingAdmissionPolicy> = {
  ...admissionConfigurations,
  subresources: {
    status: {
      ...statusWithoutMetadata,
      validateUpdate: changeCheckOf(validatingPolicyStatusChange),
    },
  },
};

function staticNameWarnings({ metadata }: Readonly<KubernetesObject>): readonly string[] {
  if (!metadata?.name?.endsWith(STATIC_SUFFIX)) return [];
  return [
    `metadata.name: names ending with "${STATIC_SUFFIX}" are reserved for static manifest-based configurations and cannot be managed via the API`,
  ];
}

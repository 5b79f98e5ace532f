/** Every topic of scenarios, in the order in which they run. */
import type { Scenario } from "./scenario.ts";
import { admissionCertificates } from "./scenarios/admission-certificates.ts";
import { admissionMutatingPolicies } from "./scenarios/admission-mutating-policies.ts";
import { admissionNodes } from "./scenarios/admission-nodes.ts";
import { admissionPods } from "./scenarios/admission-pods.ts";
import { admissionPolicies } from "./scenarios/admission-policies.ts";
import { admissionQuota } from "./scenarios/admission-quota.ts";
import { admissionSecurity } from "./scenarios/admission-security.ts";
import { admissionStorage } from "./scenarios/admission-storage.ts";
import { applies } from "./scenarios/apply.ts";
import { applyCustom } from "./scenarios/apply-custom.ts";
import { applyKinds } from "./scenarios/apply-kinds.ts";
import { applyRefusals } from "./scenarios/apply-refusals.ts";
import { authentication } from "./scenarios/authentication.ts";
import { authorization } from "./scenarios/authorization.ts";
import { bootstrap } from "./scenarios/bootstrap.ts";
import { customResources } from "./scenarios/custom-resources.ts";
import { definitions } from "./scenarios/definitions.ts";
import { deletion } from "./scenarios/deletion.ts";
import { discovery } from "./scenarios/discovery.ts";
import { dryRun } from "./scenarios/dry-run.ts";
import { expressions } from "./scenarios/expressions.ts";
import { fieldValidation } from "./scenarios/field-validation.ts";
import { kinds } from "./scenarios/kinds.ts";
import { limits } from "./scenarios/limits.ts";
import { lists } from "./scenarios/lists.ts";
import { names } from "./scenarios/names.ts";
import { namespaces } from "./scenarios/namespaces.ts";
import { objects } from "./scenarios/objects.ts";
import { patches } from "./scenarios/patches.ts";
import { requests } from "./scenarios/requests.ts";
import { services } from "./scenarios/services.ts";
import { subresources } from "./scenarios/subresources.ts";
import { tables } from "./scenarios/tables.ts";
import { values } from "./scenarios/values.ts";
import { watches } from "./scenarios/watches.ts";

import type { AskedPlugins } from "./target.ts";

export interface Topic {
  readonly name: string;
  readonly scenarios: readonly Scenario[];
  /** On both sides. Default: NamespaceLifecycle alone. */
  readonly plugins?: AskedPlugins;
}

export const topics: readonly Topic[] = [
  { name: "watches", scenarios: watches },
  { name: "lists", scenarios: lists },
  { name: "objects", scenarios: objects },
  { name: "patches", scenarios: patches },
  { name: "apply", scenarios: [...applies, ...applyKinds, ...applyRefusals, ...applyCustom] },
  { name: "deletion", scenarios: deletion },
  { name: "dry-run", scenarios: dryRun },
  { name: "field-validation", scenarios: fieldValidation },
  { name: "names", scenarios: names },
  { name: "values", scenarios: values },
  { name: "requests", scenarios: requests },
  { name: "subresources", scenarios: subresources },
  { name: "services", scenarios: services },
  { name: "namespaces", scenarios: namespaces },
  { name: "discovery", scenarios: discovery },
  { name: "bootstrap", scenarios: bootstrap },
  { name: "kinds", scenarios: kinds },
  { name: "limits", scenarios: limits },
  { name: "definitions", scenarios: definitions },
  { name: "custom-resources", scenarios: customResources },
  { name: "expressions", scenarios: expressions },
  { name: "tables", scenarios: tables },
  { name: "authentication", scenarios: authentication },
  { name: "authorization", scenarios: authorization },
  { name: "admission-pods", scenarios: [...admissionPods, ...admissionNodes], plugins: "default" },
  { name: "admission-security", scenarios: admissionSecurity, plugins: "default" },
  { name: "admission-quota", scenarios: admissionQuota, plugins: "default" },
  { name: "admission-storage", scenarios: admissionStorage, plugins: "default" },
  { name: "admission-certificates", scenarios: admissionCertificates, plugins: "default" },
  {
    name: "admission-policies",
    scenarios: [...admissionPolicies, ...admissionMutatingPolicies],
    plugins: "default",
  },
];

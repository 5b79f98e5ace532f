/** Ingress classes. */
import { FieldError } from "@homeostat/object-model";
import type {
  IngressClass,
  IngressClassParametersReference,
  IngressClassSpec,
} from "@homeostat/object-model/networking-v1";
import {
  type ChangeRule,
  dns1123Label,
  dns1123Subdomain,
  fields,
  ifPresent,
  type Rule,
} from "@homeostat/schema";
import { knownChoice } from "./checks/choices.ts";
import { domainPrefixedPath } from "./checks/domain-prefixed-paths.ts";
import { immutableValue } from "./checks/immutable-parts.ts";
import { pathSegment } from "./checks/path-segments.ts";
import { requiredThen } from "./checks/required-then.ts";
import { type NamedTypeRules, type RuleContext, rulesFor } from "./type-rules.ts";

const MAX_CONTROLLER = 250;

export const ingressClassRules: readonly NamedTypeRules[] = [
  rulesFor<IngressClass>("networking.v1.IngressClass", {
    validate: (value, place) => spec(value?.spec, place.child("spec")),
    validateChange: ({ value }, place) => spec(value?.spec, place.child("spec")),
  }),
  rulesFor<IngressClassParametersReference>("networking.v1.IngressClassParametersReference", {
    defaults: { scope: "Cluster" },
  }),
];

export const controllerUnchanged: ChangeRule<IngressClass, RuleContext> = (
  { value, old },
  place,
) => {
  const change = { value: value?.spec?.controller ?? "", old: old?.spec?.controller ?? "" };
  immutableValue(change, place.child("spec").child("controller"));
};

const controllerLength: Rule<string> = (value = "", place) => {
  if (Buffer.byteLength(value) > MAX_CONTROLLER && place.path !== undefined) {
    place.add(FieldError.tooLong(place.path, MAX_CONTROLLER));
  }
};

/** A namespace goes with the scope that has one. */
const scopeAndNamespace: Rule<IngressClassParametersReference> = (value, place) => {
  const { scope = "", namespace } = value ?? {};
  const at = place.child("namespace");
  knownChoice("Cluster", "Namespace")(scope, place.child("scope"));
  if (scope === "Namespace") {
    if (namespace === undefined) at.required("`parameters.scope` is set to 'Namespace'");
    else dns1123Label(namespace, at);
  } else if (scope === "Cluster" && namespace !== undefined) {
    at.forbidden("`parameters.scope` is set to 'Cluster'");
  }
};

const parameters = fields<IngressClassParametersReference>({
  apiGroup: ifPresent(dns1123Subdomain),
  kind: requiredThen(pathSegment),
  name: requiredThen(pathSegment),
});

const spec = fields<IngressClassSpec>({
  controller: [controllerLength, domainPrefixedPath],
  parameters: ifPresent(parameters, scopeAndNamespace),
});

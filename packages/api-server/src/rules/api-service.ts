/** API services, whose name is decided by what they serve. */
import { checkPathSegmentName } from "@homeostat/object-model";
import type { APIService, APIServiceSpec } from "@homeostat/object-model/apiregistration-v1";
import {
  type ChangeRule,
  dns1035Label,
  dns1123Subdomain,
  each,
  fields,
  type Place,
  type Rule,
  required,
} from "@homeostat/schema";
import { knownChoice } from "./checks/choices.ts";
import { checkPortNumber } from "./checks/ports.ts";
import { type NamedTypeRules, type RuleContext, rulesFor } from "./type-rules.ts";

const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1000;

export const apiServiceRules: readonly NamedTypeRules[] = [
  rulesFor<APIService>("apiregistration.v1.APIService", {
    validate: (service, place) => apiService(service, place),
    validateChange: ({ value }, place) => apiService(value, place),
  }),
];

/** A name to be generated can never be right, and is told of as well. */
const named: Rule<APIService> = (service, place) => {
  const { version = "", group = "" } = service?.spec ?? {};
  const expected = `${version}.${group}`;
  for (const field of ["generateName", "name"] as const) {
    const name = service?.metadata?.[field] ?? "";
    if (name === "" || name === expected || checkPathSegmentName(name).length > 0) continue;
    const why = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`;
    place.child("metadata").child(field).invalid(name, why);
  }
};

function priority(max: number): Rule<number> {
  return (value = 0, place) => {
    if (value <= 0 || value > max) {
      place.invalid(value, `must be positive and less than ${max}`);
    }
  };
}

const group: Rule<APIServiceSpec> = (spec, place) => {
  const at = place.child("group");
  if (spec?.group) dns1123Subdomain(spec.group, at);
  else if (spec?.version !== "v1") {
    at.required("only v1 may have an empty group and it better be legacy kube");
  }
};

const priorities = fields<APIServiceSpec>({
  version: dns1035Label,
  groupPriorityMinimum: priority(MAX_GROUP_PRIORITY),
  versionPriority: priority(MAX_VERSION_PRIORITY),
});

/** Served by this server itself, so there is nobody to trust. */
function local(spec: APIServiceSpec | undefined, place: Place): void {
  const bytes = Buffer.from(spec?.caBundle ?? "", "base64").length;
  if (bytes > 0) {
    const why = "local APIServices may not have a caBundle";
    place.child("caBundle").invalid(`${bytes} bytes`, why);
  }
  if (spec?.insecureSkipTLSVerify) {
    const why = "local APIServices may not have insecureSkipTLSVerify";
    place.child("insecureSkipTLSVerify").invalid(true, why);
  }
}

function remote(spec: APIServiceSpec, place: Place): void {
  const at = place.child("service");
  required(spec.service?.namespace, at.child("namespace"));
  required(spec.service?.name, at.child("name"));
  const port = spec.service?.port ?? 0;
  for (const problem of checkPortNumber(port)) {
    at.child("port").invalid(port, `port is not valid: ${problem}`);
  }
  if (spec.insecureSkipTLSVerify && spec.caBundle) {
    const why = "may not be true if caBundle is present";
    place.child("insecureSkipTLSVerify").invalid(true, why);
  }
}

const apiService: Rule<APIService, RuleContext> = (service, place) => {
  const { spec } = service ?? {};
  const at = place.child("spec");
  named(service, place);
  group(spec, at);
  priorities(spec, at);
  if (spec?.service) remote(spec, at);
  else local(spec, at);
};

const conditionStatus = knownChoice("True", "False", "Unknown");

export const apiServiceStatusChange: ChangeRule<APIService, RuleContext> = ({ value }, place) =>
  each(fields<{ status: string }>({ status: conditionStatus }))(
    value?.status?.conditions,
    place.child("status").child("conditions"),
  );

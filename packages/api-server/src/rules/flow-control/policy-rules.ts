/** Which requests a flow schema is about. */
import { checkDns1123Label } from "@homeostat/object-model";
import type {
  GroupSubject,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  ServiceAccountSubject,
  Subject,
  UserSubject,
} from "@homeostat/object-model/flowcontrol-v1";
import {
  dns1123Label,
  dns1123Subdomain,
  each,
  fields,
  type Place,
  type Rule,
  required,
  requiredBecause,
  textIs,
} from "@homeostat/schema";
import { requiredThen } from "../checks/required-then.ts";

const ANY = "*";

const VERBS: readonly string[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "proxy",
  "update",
  "watch",
];

type Texts = readonly string[];

/** `*` stands alone; where it is not there, the other rules look. */
function anyOr(noun: string, ...rules: readonly Rule<Texts>[]): Rule<Texts> {
  return (list = [], place) => {
    if (!list.includes(ANY)) for (const rule of rules) rule(list, place);
    else if (list.length > 1) {
      place.invalid(list, `if '*' is present, must not specify other ${noun}`);
    }
  };
}

const knownVerbs: Rule<Texts> = (list = [], place) => {
  if (list.length > 0 && !list.every((verb) => VERBS.includes(verb))) {
    place.notSupported(list, VERBS);
  }
};

const verbs: readonly Rule<Texts>[] = [
  requiredBecause("verbs must contain at least one value"),
  anyOr("verbs", knownVerbs),
];

const path: Rule<string> = (value = "", place) => {
  const problem = pathProblem(value);
  if (problem !== undefined) place.invalid(value, problem);
};

function pathProblem(value: string): string | undefined {
  if (value === "") return "must not be empty";
  if (!value.startsWith("/")) return "must start with slash";
  if (value.includes(" ")) return "must not contain white-space";
  if (value.includes("//")) return "must not contain double slash";
  if (!value.includes(ANY)) return undefined;
  const isSuffix = value.endsWith("/*") && value.indexOf(ANY) === value.length - 1;
  return isSuffix ? undefined : "wildcard can only do suffix matching";
}

const nonResourceRule = fields<NonResourcePolicyRule>({
  verbs,
  nonResourceURLs: [
    requiredBecause("nonResourceURLs must contain at least one value"),
    anyOr("non-resource URLs", each(path)),
  ],
});

const namespaceName = textIs((name) =>
  checkDns1123Label(name).map(
    (problem) => `each member of this list must be '*' or a DNS-1123 label; ${problem}`,
  ),
);

const resourceRule: Rule<ResourcePolicyRule> = (rule, place) => {
  ofResources(rule, place);
  const at = place.child("namespaces");
  if ((rule?.namespaces ?? []).length === 0 && !rule?.clusterScope) {
    at.required("resource rules that are not cluster scoped must supply at least one namespace");
  } else anyOr("namespaces", each(namespaceName))(rule?.namespaces, at);
};

const ofResources = fields<ResourcePolicyRule>({
  verbs,
  apiGroups: [
    requiredBecause("resource rules must supply at least one api group"),
    anyOr("api groups"),
  ],
  resources: [
    requiredBecause("resource rules must supply at least one resource"),
    anyOr("resources"),
  ],
});

const accountName: Rule<string> = (value, place) => {
  if (value !== ANY) requiredThen(dns1123Subdomain)(value, place);
};

const accountNamespace: Rule<string> = (value, place) => {
  if (value) dns1123Label(value, place);
  else place.required("must specify namespace for service account");
};

/** In the order in which the ones that are not wanted are told of. */
const SUBJECTS = [
  {
    kind: "ServiceAccount",
    field: "serviceAccount",
    rule: fields<ServiceAccountSubject>({ name: accountName, namespace: accountNamespace }),
  },
  { kind: "User", field: "user", rule: fields<UserSubject>({ name: required }) },
  { kind: "Group", field: "group", rule: fields<GroupSubject>({ name: required }) },
] as const;

/** Who asks: the field of its kind is there, the others are not. */
const subject: Rule<Subject> = (value, place) => {
  const kind = value?.kind ?? "";
  const wanted = SUBJECTS.find((known) => known.kind === kind);
  if (wanted === undefined) {
    place.child("kind").notSupported(kind, SUBJECTS.map((known) => known.kind).toSorted());
    return;
  }
  const { field, rule } = wanted;
  const named = value?.[field];
  const at = place.child(field);
  if (named == null) at.required(`${field} is required when subject kind is '${kind}'`);
  else (rule as Rule<object>)(named, at);
  refuseOthers(value, place, kind);
};

function refuseOthers(value: Subject | undefined, place: Place, kind: string): void {
  for (const { kind: other, field } of SUBJECTS) {
    if (other === kind || value?.[field] == null) continue;
    place.child(field).forbidden(`${field} is forbidden when subject kind is not '${other}'`);
  }
}

const subjects: readonly Rule<readonly Subject[]>[] = [
  requiredBecause("subjects must contain at least one value"),
  each(subject),
];

export const policyRules: Rule<PolicyRulesWithSubjects> = (value, place) => {
  fields<PolicyRulesWithSubjects>({ subjects })(value, place);
  const { resourceRules = [], nonResourceRules = [] } = value ?? {};
  if (resourceRules.length + nonResourceRules.length === 0) {
    place.required("at least one of resourceRules and nonResourceRules has to be non-empty");
  }
  each(resourceRule)(resourceRules, place.child("resourceRules"));
  each(nonResourceRule)(nonResourceRules, place.child("nonResourceRules"));
};

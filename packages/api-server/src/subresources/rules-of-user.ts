/** What a user holds, as a SelfSubjectRulesReview tells it: rules of resources and rules of paths. */
import type {
  NonResourceRule,
  ResourceRule,
  SubjectRulesReviewStatus,
} from "@homeostat/object-model/authorization-v1";
import type { HeldRules } from "../authorization/authorizer.ts";
import { printMissingRoles } from "../authorization/missing-roles.ts";

export function rulesOfUser({ rules, missing }: HeldRules): SubjectRulesReviewStatus {
  const resourceRules: ResourceRule[] = [];
  const nonResourceRules: NonResourceRule[] = [];
  for (const rule of rules) {
    const verbs = [...rule.verbs];
    if (rule.resources.length > 0) {
      resourceRules.push({
        verbs,
        apiGroups: [...rule.apiGroups],
        resources: [...rule.resources],
        ...(rule.resourceNames.length > 0 && { resourceNames: [...rule.resourceNames] }),
      });
    }
    if (rule.nonResourceURLs.length > 0) {
      nonResourceRules.push({ verbs, nonResourceURLs: [...rule.nonResourceURLs] });
    }
  }
  return {
    resourceRules,
    nonResourceRules,
    incomplete: false,
    ...(missing.length > 0 && { evaluationError: printMissingRoles(missing) }),
  };
}

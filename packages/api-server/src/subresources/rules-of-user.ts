/**
 * What a user may do, in the words of Kubernetes' default roles. Until roles exist, members of
 * system:masters may do everything, and others read what is public.
 */
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type {
  NonResourceRule,
  ResourceRule,
  SubjectRulesReviewStatus,
} from "@homeostat/object-model/authorization-v1";

const PUBLIC_PATHS = ["/healthz", "/livez", "/readyz", "/version", "/version/"];

/** system:public-info-viewer */
const publicInfo: NonResourceRule = { verbs: ["get"], nonResourceURLs: PUBLIC_PATHS };

/** cluster-admin, system:basic-user */
const resourcesOfMasters: readonly ResourceRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  {
    verbs: ["create"],
    apiGroups: ["authorization.k8s.io"],
    resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
  },
  { verbs: ["create"], apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"] },
];

/** cluster-admin, system:discovery */
const pathsOfMasters: readonly NonResourceRule[] = [
  { verbs: ["*"], nonResourceURLs: ["*"] },
  {
    verbs: ["get"],
    nonResourceURLs: [
      "/api",
      "/api/*",
      "/apis",
      "/apis/*",
      "/healthz",
      "/livez",
      "/openapi",
      "/openapi/*",
      "/readyz",
      "/version",
      "/version/",
    ],
  },
];

export function rulesOfUser({ groups = [] }: UserInfo): SubjectRulesReviewStatus {
  const isMaster = groups.includes("system:masters");
  return {
    resourceRules: isMaster ? [...resourcesOfMasters] : [],
    nonResourceRules: [...(isMaster ? pathsOfMasters : []), publicInfo],
    incomplete: false,
  };
}

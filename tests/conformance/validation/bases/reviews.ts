/** Questions that are answered at once and never stored. */
import type { SelfSubjectReview, TokenReview } from "@homeostat/object-model/authentication-v1";
import type {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
} from "@homeostat/object-model/authorization-v1";
import type { ProbedKind, Variants } from "../probe.ts";

const noName = { metadata: { name: "" } };
const resourceAttributes = {
  namespace: "probes",
  verb: "get",
  group: "apps",
  version: "v1",
  resource: "deployments",
  subresource: "status",
  name: "web",
  fieldSelector: { requirements: [{ key: "metadata.name", operator: "In", values: ["a"] }] },
  labelSelector: { requirements: [{ key: "app", operator: "In", values: ["a"] }] },
};
const nonResourceAttributes = { path: "/healthz", verb: "get" };
const who = { user: "nobody-bound", groups: ["no-team"], uid: "1", extra: { scope: ["a"] } };

const tokenReviews = {
  plain: { ...noName, spec: { token: "abc", audiences: ["api"] } },
} satisfies Variants<TokenReview>;
const selfReviews = { plain: { ...noName } } satisfies Variants<SelfSubjectReview>;
const accessReviews = {
  resource: { ...noName, spec: { ...who, resourceAttributes } },
  path: { ...noName, spec: { ...who, nonResourceAttributes } },
  raw: {
    ...noName,
    spec: {
      ...who,
      resourceAttributes: {
        ...resourceAttributes,
        fieldSelector: { rawSelector: "a=b" },
        labelSelector: { rawSelector: "a=b" },
      },
    },
  },
} satisfies Variants<SubjectAccessReview>;
const localReviews = {
  plain: { ...noName, spec: { ...who, resourceAttributes } },
} satisfies Variants<LocalSubjectAccessReview>;
const selfAccessReviews = {
  resource: { ...noName, spec: { resourceAttributes } },
  path: { ...noName, spec: { nonResourceAttributes } },
} satisfies Variants<SelfSubjectAccessReview>;
const rulesReviews = {
  plain: { ...noName, spec: { namespace: "probes" } },
} satisfies Variants<SelfSubjectRulesReview>;

const authentication = { group: "authentication.k8s.io", version: "v1" } as const;
const authorization = { group: "authorization.k8s.io", version: "v1" } as const;

export const reviewKinds: readonly ProbedKind[] = [
  {
    ...authentication,
    name: "selfsubjectreviews",
    plural: "selfsubjectreviews",
    variants: selfReviews,
  },
  { ...authentication, name: "tokenreviews", plural: "tokenreviews", variants: tokenReviews },
  {
    ...authorization,
    name: "localsubjectaccessreviews",
    plural: "localsubjectaccessreviews",
    variants: localReviews,
  },
  {
    ...authorization,
    name: "selfsubjectaccessreviews",
    plural: "selfsubjectaccessreviews",
    variants: selfAccessReviews,
  },
  {
    ...authorization,
    name: "selfsubjectrulesreviews",
    plural: "selfsubjectrulesreviews",
    variants: rulesReviews,
  },
  {
    ...authorization,
    name: "subjectaccessreviews",
    plural: "subjectaccessreviews",
    variants: accessReviews,
  },
];

/**
 * Reviews: questions about users that are answered at once and stored nowhere. Who am I
 * (SelfSubjectReview), who may do what (the access reviews; the answer comes from the function that
 * decides real requests), what may I do (SelfSubjectRulesReview), whose token is this (TokenReview).
 */
import {
  ApiError,
  FieldError,
  FieldPath,
  type KubernetesObject,
  type ObjectMeta,
  timeOfMilliseconds,
} from "@homeostat/object-model";
import type {
  SelfSubjectReview,
  TokenReview,
  TokenReviewSpec,
  UserInfo,
} from "@homeostat/object-model/authentication-v1";
import type {
  LocalSubjectAccessReview,
  NonResourceAttributes,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
} from "@homeostat/object-model/authorization-v1";
import type { TokenReviewResult } from "../authentication/authenticator.ts";
import type { AccessAttributes, Authorization } from "../authorization/authorizer.ts";
import { evaluationError } from "./evaluation-error.ts";
import { checkReviewSelectors } from "./review-selectors.ts";
import { rulesOfUser } from "./rules-of-user.ts";

const SPEC = FieldPath.of("spec");
const METADATA = FieldPath.of("metadata");

export interface ReviewerOptions {
  readonly authorizer: Pick<Authorization, "authorize" | "rulesFor">;
  /** What a bearer token is worth. */
  readonly authenticate: (token: string, audiences: readonly string[]) => TokenReviewResult;
  /** Wall time in milliseconds since 1970. */
  readonly now: () => number;
}

export class Reviewer {
  readonly #options: ReviewerOptions;

  constructor(options: ReviewerOptions) {
    this.#options = options;
  }

  /** The answer to a review of any of these kinds; undefined for an object of another kind. */
  review(object: KubernetesObject, user: UserInfo): KubernetesObject | undefined {
    switch (object.kind) {
      case "SelfSubjectReview":
        return this.whoAmI(user);
      case "SelfSubjectAccessReview":
        return this.selfAccess(object as SelfSubjectAccessReview, user);
      case "SubjectAccessReview":
        return this.access(object as SubjectAccessReview);
      case "LocalSubjectAccessReview":
        return this.localAccess(object as LocalSubjectAccessReview);
      case "SelfSubjectRulesReview":
        return this.rules(object as SelfSubjectRulesReview, user);
      case "TokenReview":
        return this.token(object as TokenReview);
      default:
        return undefined;
    }
  }

  whoAmI(user: UserInfo): SelfSubjectReview {
    return {
      kind: "SelfSubjectReview",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { creationTimestamp: timeOfMilliseconds(this.#options.now()) },
      status: { userInfo: user },
    };
  }

  selfAccess(review: SelfSubjectAccessReview, user: UserInfo): SelfSubjectAccessReview {
    const { spec, metadata } = withSpec(review);
    refuse([...checkAttributes(spec), ...checkSelectors(spec), ...checkEmpty(metadata)]);
    return { ...review, status: this.#decide(user, spec) };
  }

  access(review: SubjectAccessReview): SubjectAccessReview {
    const { spec, metadata } = withSpec(review);
    refuse([...checkSubject(spec), ...checkEmpty(metadata)]);
    return { ...review, status: this.#decide(userOf(spec), spec) };
  }

  localAccess(review: LocalSubjectAccessReview): LocalSubjectAccessReview {
    const { spec, metadata = {} } = withSpec(review);
    const { namespace = "", ...rest } = metadata;
    const errors = checkSubject(spec);
    if (hasContent(rest)) {
      errors.push(FieldError.invalid(METADATA, metadata, "must be empty except for namespace"));
    }
    const asked = spec.resourceAttributes?.namespace ?? "";
    if (spec.resourceAttributes && asked !== namespace) {
      const path = SPEC.child("resourceAttributes", "namespace");
      errors.push(FieldError.invalid(path, asked, "must match metadata.namespace"));
    }
    if (spec.nonResourceAttributes) {
      const value = internalForm(spec.nonResourceAttributes);
      const path = SPEC.child("nonResourceAttributes");
      errors.push(FieldError.invalid(path, value, "disallowed on this kind of request"));
    }
    refuse(errors);
    return { ...review, status: this.#decide(userOf(spec), spec) };
  }

  rules(review: SelfSubjectRulesReview, user: UserInfo): SelfSubjectRulesReview {
    const { namespace = "" } = review.spec ?? {};
    if (namespace === "") throw ApiError.badRequest("no namespace on request");
    return {
      kind: "SelfSubjectRulesReview",
      apiVersion: "authorization.k8s.io/v1",
      metadata: {},
      spec: {},
      status: rulesOfUser(this.#options.authorizer.rulesFor(user, namespace)),
    };
  }

  token(review: TokenReview): TokenReview {
    const { token, audiences = [] }: Partial<TokenReviewSpec> = review.spec ?? {};
    if (!token) {
      throw ApiError.badRequest("token is required for TokenReview in authentication");
    }
    const found = this.#options.authenticate(token, audiences);
    if ("error" in found) {
      const error = found.error === "" ? {} : { error: found.error };
      return { ...review, status: { user: {}, ...error } };
    }
    const { user, audiences: heard } = found;
    return { ...review, status: { authenticated: true, user, audiences: [...heard] } };
  }

  #decide(user: UserInfo, spec: Attributes): SubjectAccessReviewStatus {
    const { resourceAttributes } = spec;
    const { allowed, reason } = this.#options.authorizer.authorize(user, attributesIn(spec));
    const ignored = evaluationError(resourceAttributes);
    return {
      allowed,
      ...(reason !== "" && { reason }),
      ...(ignored !== "" && { evaluationError: ignored }),
    };
  }
}

/** Selectors are checked and otherwise passed over: no rule of a role speaks of them. */
function attributesIn({ resourceAttributes, nonResourceAttributes }: Attributes): AccessAttributes {
  if (!resourceAttributes) {
    const { verb = "", path = "" } = nonResourceAttributes ?? {};
    return { kind: "path", verb, path };
  }
  const {
    verb = "",
    group = "",
    version = "",
    resource = "",
    subresource = "",
  } = resourceAttributes;
  const { namespace = "", name = "" } = resourceAttributes;
  return {
    kind: "resource",
    verb,
    group,
    version: version === "" ? "*" : version,
    resource,
    subresource,
    namespace,
    name,
  };
}

/** A body without a spec has an empty one. */
function withSpec<T extends { spec?: object }>(review: T): T & { spec: NonNullable<T["spec"]> } {
  return { ...review, spec: review.spec ?? {} };
}

type Attributes = Pick<
  Readonly<SubjectAccessReviewSpec>,
  "resourceAttributes" | "nonResourceAttributes"
>;

function userOf(spec: Readonly<SubjectAccessReviewSpec>): UserInfo {
  const { user: username, uid, groups, extra } = spec;
  return {
    ...(username && { username }),
    ...(uid && { uid }),
    ...(groups && { groups }),
    ...(extra && { extra }),
  };
}

function checkSubject(spec: Readonly<SubjectAccessReviewSpec>): FieldError[] {
  const errors = checkAttributes(spec);
  if (!spec.user && (spec.groups ?? []).length === 0) {
    const detail = "at least one of user or group must be specified";
    errors.push(FieldError.invalid(SPEC.child("user"), "", detail));
  }
  return [...errors, ...checkSelectors(spec)];
}

function checkAttributes({ resourceAttributes, nonResourceAttributes }: Attributes): FieldError[] {
  if (resourceAttributes && nonResourceAttributes) {
    const detail = "cannot be specified in combination with resourceAttributes";
    const value = internalForm(nonResourceAttributes);
    return [FieldError.invalid(SPEC.child("nonResourceAttributes"), value, detail)];
  }
  if (resourceAttributes || nonResourceAttributes) return [];
  const detail = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
  return [FieldError.invalid(SPEC.child("resourceAttributes"), null, detail)];
}

function checkSelectors({ resourceAttributes }: Attributes): FieldError[] {
  return resourceAttributes
    ? checkReviewSelectors(resourceAttributes, SPEC.child("resourceAttributes"))
    : [];
}

/** What such a message shows: the server's own form, with capitals. */
function internalForm({ path = "", verb = "" }: Readonly<NonResourceAttributes>): unknown {
  return { Path: path, Verb: verb };
}

function checkEmpty(metadata: ObjectMeta | undefined): FieldError[] {
  if (!hasContent(metadata)) return [];
  return [FieldError.invalid(METADATA, metadata, "must be empty")];
}

function hasContent(metadata: ObjectMeta = {}): boolean {
  return Object.entries(metadata).some(([key, value]) => key !== "managedFields" && value !== null);
}

/** These answers name no kind; Kubernetes forgets it. */
function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) {
    throw ApiError.invalid({ group: "authorization.k8s.io", kind: "" }, "", errors);
  }
}

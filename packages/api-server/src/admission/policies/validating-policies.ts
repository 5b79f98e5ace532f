import { ApiError } from "@homeostat/object-model";
import type { ValidatingAdmissionPolicy } from "@homeostat/object-model/admissionregistration-v1";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "../admission.ts";
import { admissionBindings } from "../expressions/admission-bindings.ts";
import {
  type AdmissionAttributes,
  admissionAttributes,
  type MatchedResource,
} from "../matching/admission-attributes.ts";
import { VersionedChanges } from "../matching/versioned-change.ts";
import { forbidden } from "../refusal.ts";
import { AuditAnnotations, validationFailure } from "./audit-annotations.ts";
import { type Bound, BoundPolicies, type BoundPolicy } from "./bound-policies.ts";
import { configured, PolicyConfigurationError } from "./policy-params.ts";
import { isExemptFromPolicies, namespaceOf, type PolicyPlane } from "./policy-plane.ts";
import { type PolicyDenial, PolicyValidations, type PolicyVerdict } from "./policy-validations.ts";

const GROUP = "admissionregistration.k8s.io";
const RESOURCES = {
  policies: { group: GROUP, resource: "validatingadmissionpolicies" },
  bindings: { group: GROUP, resource: "validatingadmissionpolicybindings" },
};

interface MatchedPolicy extends BoundPolicy<PolicyValidations> {
  readonly matched: MatchedResource | PolicyConfigurationError;
}

interface Denied extends Pick<PolicyDenial, "message" | "reason"> {
  readonly policy: string;
  readonly binding: string | undefined;
}

/** Judges writes by the expressions of policies; the first denial is told. */
export class ValidatingAdmissionPolicies implements AdmissionPlugin, Disposable {
  readonly name = "ValidatingAdmissionPolicy";
  readonly #plane: PolicyPlane;
  readonly #policies: BoundPolicies<ValidatingAdmissionPolicy, PolicyValidations>;

  constructor(plane: PolicyPlane) {
    this.#plane = plane;
    this.#policies = new BoundPolicies(
      plane,
      RESOURCES,
      (policy: Readonly<ValidatingAdmissionPolicy>) => new PolicyValidations(policy),
    );
  }

  [Symbol.dispose](): void {
    this.#policies[Symbol.dispose]();
  }

  validate(change: Readonly<AdmittedChange>, request: AdmissionRequest): void | Promise<void> {
    const policies = this.#policies.inOrder;
    if (policies.length === 0 || isExemptFromPolicies(request.kind)) return undefined;
    const attributes = admissionAttributes(change, request, { named: true });
    const matching: MatchedPolicy[] = [];
    for (const bound of policies) {
      const matched = configured(() => bound.policy.matcher.match(attributes, this.#plane));
      if (matched !== undefined) matching.push({ ...bound, matched });
    }
    return matching.length === 0 ? undefined : this.#judge(attributes, matching);
  }

  async #judge(attributes: AdmissionAttributes, matching: readonly MatchedPolicy[]): Promise<void> {
    const changes = new VersionedChanges(attributes);
    const denied: Denied[] = [];
    for (const { policy, bindings, matched } of matching) {
      const scope = { attributes, policy, changes };
      if (matched instanceof PolicyConfigurationError) {
        denied.push(...misconfigured(policy, undefined, matched));
        continue;
      }
      const served = configured(
        () => policy.spec.paramKind && this.#plane.params.resourceOf(policy.spec.paramKind),
      );
      if (served instanceof PolicyConfigurationError) {
        denied.push(...misconfigured(policy, undefined, served));
        continue;
      }
      const annotations = new AuditAnnotations();
      for (const binding of bindings) {
        const found = await this.#judgeBinding(binding, { ...scope, matched, served, annotations });
        denied.push(...found);
      }
      annotations.publish(policy.name, attributes.request);
    }
    if (denied.length > 0) throw refusal(attributes, denied[0]!);
  }

  async #judgeBinding(binding: Bound, scope: BindingScope): Promise<readonly Denied[]> {
    const { attributes, policy, matched, served, changes } = scope;
    const isMeant = configured(() =>
      binding.matcher === undefined ? true : binding.matcher.match(attributes, this.#plane),
    );
    if (isMeant === undefined) return [];
    if (isMeant instanceof PolicyConfigurationError) {
      return misconfigured(policy, binding.name, isMeant);
    }
    let params: Awaited<ReturnType<PolicyPlane["params"]["collect"]>>;
    try {
      const { paramRef } = binding.spec;
      params = await this.#plane.params.collect(served, paramRef, attributes.namespace);
    } catch (error) {
      if (!(error instanceof PolicyConfigurationError)) throw error;
      return misconfigured(policy, binding.name, error);
    }
    const { authorizer, breathe, clock, figures } = this.#plane;
    const namespace = namespaceOf(attributes, this.#plane);
    const denied: Denied[] = [];
    for (const each of params) {
      const versioned = await changes.in(matched);
      const bindings = admissionBindings({
        attributes,
        matched,
        versioned,
        params: policy.hasParams ? each : undefined,
        namespace,
        authorizer,
      });
      const began = clock.monotonic();
      const verdict = await policy.validate(bindings, breathe);
      const seconds = (clock.monotonic() - began) / 1000;
      const note = (action: string): void => {
        const labels = [action, "no_error", policy.name, binding.name];
        figures.policyChecks.of(...labels).value++;
        figures.policySeconds.of(...labels).observe(seconds);
      };
      denied.push(...actOn(verdict, binding, { ...scope, note }));
    }
    return denied;
  }
}

interface BindingScope {
  readonly attributes: AdmissionAttributes;
  readonly policy: PolicyValidations;
  readonly changes: VersionedChanges;
  readonly matched: MatchedResource;
  readonly served: ReturnType<PolicyPlane["params"]["resourceOf"]> | undefined;
  readonly annotations: AuditAnnotations;
}

/** What the binding wants done about denials: those that deny are given back. */
function actOn(
  verdict: PolicyVerdict,
  binding: Bound,
  scope: BindingScope & { readonly note: (action: string) => void },
): readonly Denied[] {
  const { policy, attributes, annotations, note } = scope;
  const { request } = attributes;
  const denied: Denied[] = [];
  const named = { policy: policy.name, binding: binding.name };
  for (const denial of verdict.denials) {
    for (const action of binding.spec.validationActions ?? []) {
      note(action.toLowerCase());
      if (action === "Deny") denied.push({ ...named, ...denial });
      else if (action === "Audit") request.annotate(...validationFailure(binding, denial));
      else if (action === "Warn") {
        const who = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
        request.warn(`Validation failed for ${who}: ${denial.message}`);
      }
    }
  }
  for (const [key, value] of verdict.annotations) annotations.add(key, value);
  for (const message of verdict.annotationProblems) {
    note("deny");
    denied.push({ ...named, message, reason: "" });
  }
  return denied;
}

/** What cannot be used denies, unless the policy says that it does not matter. */
function misconfigured(
  { name, ignoresFailures }: PolicyValidations,
  binding: string | undefined,
  { message }: PolicyConfigurationError,
): readonly Denied[] {
  if (ignoresFailures) return [];
  const what = binding === undefined ? "policy" : "binding";
  return [
    { policy: name, binding, message: `failed to configure ${what}: ${message}`, reason: "" },
  ];
}

const CODES: Readonly<Partial<Record<string, number>>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
};

function refusal(attributes: AdmissionAttributes, denied: Denied): ApiError {
  const { policy, binding, message: why } = denied;
  const through = binding === undefined ? "" : ` with binding '${binding}'`;
  const message = `ValidatingAdmissionPolicy '${policy}'${through} denied request: ${why}`;
  const base = forbidden(attributes.change, attributes.request, message);
  const reason = denied.reason || "Invalid";
  return new ApiError({
    message: base.message,
    reason,
    httpStatus: CODES[reason] ?? 422,
    details: { ...base.details, causes: [{ message }] },
  });
}

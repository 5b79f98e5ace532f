import type { AdmissionRequest } from "../admission.ts";
import type { Bound } from "./bound-policies.ts";
import type { PolicyDenial } from "./policy-validations.ts";

const MAX_VALUE_LENGTH = 10 * 1024;

/** The annotations of one policy: what several bindings say under one key is joined. */
export class AuditAnnotations {
  readonly #values = new Map<string, Set<string>>();

  add(key: string, value: string): void {
    const values = this.#values.get(key) ?? new Set();
    values.add(value.slice(0, MAX_VALUE_LENGTH));
    this.#values.set(key, values);
  }

  publish(policy: string, request: AdmissionRequest): void {
    for (const [key, values] of this.#values) {
      request.annotate(`${policy}/${key}`, [...values].join(", "));
    }
  }
}

/** The annotation that tells of a denial which does not deny. */
export function validationFailure(
  { name, spec }: Bound,
  { message, place }: PolicyDenial,
): readonly [key: string, value: string] {
  const failure = {
    message,
    policy: spec.policyName ?? "",
    binding: name,
    expressionIndex: place,
    validationActions: spec.validationActions ?? [],
  };
  return ["validation.policy.admission.k8s.io/validation_failure", JSON.stringify([failure])];
}

import { CounterFamily, type Family } from "./figure-family.ts";

export interface Evaluation {
  readonly decision: "allow" | "deny";
  readonly mode: "audit" | "enforce" | "warn";
  readonly level: string;
  /** `latest`, `v1.24`, or `future` for one that is still to come. */
  readonly version: string;
}

/** What was to be judged. */
export interface EvaluatedRequest {
  readonly operation: "create" | "update";
  readonly resource: "controller" | "pod";
  readonly subresource: string;
}

/** How pods fared under the security standards of their namespaces. */
export class PodSecurityFigures {
  readonly #evaluations = new CounterFamily({
    name: "pod_security_evaluations_total",
    help: "[ALPHA] Number of policy evaluations that occurred, not counting ignored or exempt requests.",
    labels: [
      "decision",
      "mode",
      "policy_level",
      "policy_version",
      "request_operation",
      "resource",
      "subresource",
    ],
  });
  /** Nobody is exempt here, which can be read too. */
  readonly #exemptions = new CounterFamily({
    name: "pod_security_exemptions_total",
    help: "[ALPHA] Number of exempt requests, not counting ignored or out of scope requests.",
    labels: ["request_operation", "resource", "subresource"],
  });
  readonly #errors = new CounterFamily({
    name: "pod_security_errors_total",
    help: "[ALPHA] Number of errors preventing normal evaluation. Non-fatal errors may result in the latest restricted profile being used for evaluation.",
    labels: ["fatal", "request_operation", "resource", "subresource"],
  });

  constructor() {
    for (const operation of ["create", "update"]) {
      this.#evaluations.of("allow", "enforce", "privileged", "latest", operation, "pod", "");
      for (const resource of ["pod", "controller"]) this.#exemptions.of(operation, resource, "");
    }
  }

  evaluated({ decision, mode, level, version }: Evaluation, about: EvaluatedRequest): void {
    const { operation, resource, subresource } = about;
    const values = [decision, mode, level, version, operation, resource, subresource];
    this.#evaluations.of(...values).value++;
  }

  /** The labels of a namespace could not be read; it was judged all the same. */
  misread({ operation, resource, subresource }: EvaluatedRequest): void {
    this.#errors.of("false", operation, resource, subresource).value++;
  }

  get families(): readonly Family[] {
    return [this.#evaluations, this.#exemptions, this.#errors];
  }
}

import { AccessFigures } from "./access-figures.ts";
import { AdmissionFigures } from "./admission-figures.ts";
import { ConversionFigures } from "./conversion-figures.ts";
import { CounterFamily, type Family, GaugeFamily, HistogramFamily } from "./figure-family.ts";
import { HealthFigures } from "./health-figures.ts";
import { PodSecurityFigures } from "./pod-security-figures.ts";

/** Everything that one plane counts beside its requests and their flows. */
export class ServerFigures {
  readonly access: AccessFigures = new AccessFigures();
  readonly admission: AdmissionFigures = new AdmissionFigures();
  readonly conversion: ConversionFigures = new ConversionFigures();
  readonly podSecurity: PodSecurityFigures = new PodSecurityFigures();
  /** 1 for each that somebody asked for. */
  readonly deprecated: GaugeFamily = new GaugeFamily({
    name: "apiserver_requested_deprecated_apis",
    help: "[STABLE] Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.",
    labels: ["group", "removed_release", "resource", "subresource", "version"],
  });
  readonly policyChecks: CounterFamily = new CounterFamily({
    name: "apiserver_validating_admission_policy_check_total",
    help: "[BETA] Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.",
    labels: ["enforcement_action", "error_type", "policy", "policy_binding"],
  });
  readonly policySeconds: HistogramFamily = new HistogramFamily(
    {
      name: "apiserver_validating_admission_policy_check_duration_seconds",
      help: "[BETA] Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.",
      labels: ["enforcement_action", "error_type", "policy", "policy_binding"],
    },
    [0.0000005, 0.001, 0.01, 0.1, 1],
  );
  readonly tlsErrors: CounterFamily = new CounterFamily({
    name: "apiserver_tls_handshake_errors_total",
    help: "[ALPHA] Number of requests dropped with 'TLS handshake error from' error",
    labels: [],
  });
  /** Told apart from the others, at an address of their own. */
  readonly health: HealthFigures = new HealthFigures();

  get families(): readonly Family[] {
    return [
      ...this.access.families,
      ...this.admission.families,
      ...this.conversion.families,
      ...this.podSecurity.families,
      this.deprecated,
      this.policyChecks,
      this.policySeconds,
      this.tlsErrors,
    ];
  }
}

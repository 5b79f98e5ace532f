import { CounterFamily, type Family, HistogramFamily } from "./figure-family.ts";
import type { Histogram } from "./histogram.ts";

type StepType = "admit" | "validate";

const SECONDS: readonly number[] = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** How long something took, by how it ended. */
export interface Verdicts {
  readonly allowed: Histogram;
  readonly refused: Histogram;
}

/** How long plugins, and all of them in turn, took; and what became of questions to webhooks. */
export class AdmissionFigures {
  readonly #controllers = new HistogramFamily(
    {
      name: "apiserver_admission_controller_admission_duration_seconds",
      help: "[STABLE] Admission controller latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).",
      labels: ["name", "operation", "rejected", "type"],
    },
    SECONDS,
  );
  readonly #steps = new HistogramFamily(
    {
      name: "apiserver_admission_step_admission_duration_seconds",
      help: "[STABLE] Admission sub-step latency histogram in seconds, broken out for each operation and API resource and step type (validate or admit).",
      labels: ["operation", "rejected", "type"],
    },
    SECONDS,
  );
  readonly #webhooks = new HistogramFamily(
    {
      name: "apiserver_admission_webhook_admission_duration_seconds",
      help: "[STABLE] Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).",
      labels: ["name", "operation", "rejected", "type"],
    },
    [...SECONDS, 10, 25],
  );
  readonly #failOpen = new CounterFamily({
    name: "apiserver_admission_webhook_fail_open_count",
    help: "[ALPHA] Admission webhook fail open count, identified by name and broken out for each admission type (validating or admit).",
    labels: ["name", "type"],
  });
  readonly #rejections = new CounterFamily({
    name: "apiserver_admission_webhook_rejection_count",
    help: "[ALPHA] Admission webhook rejection count, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the code is greater or equal to 400). Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.",
    labels: ["error_type", "name", "operation", "rejection_code", "type"],
  });
  readonly #requests = new CounterFamily({
    name: "apiserver_admission_webhook_request_total",
    help: "[ALPHA] Admission webhook request total, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify whether the request was rejected or not and an HTTP status code. Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.",
    labels: ["code", "name", "operation", "rejected", "type"],
  });

  get families(): readonly Family[] {
    return [
      this.#controllers,
      this.#steps,
      this.#webhooks,
      this.#failOpen,
      this.#rejections,
      this.#requests,
    ];
  }

  ofPlugin(name: string, type: StepType): OperationFigures {
    return new OperationFigures((operation, rejected) =>
      this.#controllers.of(name, operation, rejected, type),
    );
  }

  ofStep(type: StepType): OperationFigures {
    return new OperationFigures((operation, rejected) => this.#steps.of(operation, rejected, type));
  }

  /** A webhook was asked, or was to be. */
  noteWebhook(name: string, asked: AskedWebhook): void {
    const { type, operation, seconds, outcome } = asked;
    const code = String(Math.min(outcome.code, 600));
    const { error } = outcome;
    const rejected = String(error !== undefined && !(outcome.isIgnored ?? false));
    this.#requests.of(code, name, operation, rejected, type).value++;
    this.#webhooks.of(name, operation, rejected, type).observe(seconds);
    if (error === undefined) return;
    if (outcome.isIgnored === true) this.#failOpen.of(name, type).value++;
    else this.#rejections.of(error, name, operation, code, type).value++;
  }
}

export interface AskedWebhook {
  readonly type: "admit" | "validating";
  readonly operation: string;
  readonly seconds: number;
  readonly outcome: WebhookOutcome;
}

/** `error`: undefined where it allowed the request. `isIgnored`: its failure changes nothing. */
export interface WebhookOutcome {
  readonly code: number;
  readonly error?: "calling_webhook_error" | "apiserver_internal_error" | "no_error";
  readonly isIgnored?: boolean;
}

/** Of one plugin or step, by operation: kept by who asks every time. */
export class OperationFigures {
  readonly #find: (operation: string, rejected: "true" | "false") => Histogram;
  readonly #byOperation = new Map<string, Verdicts>();

  constructor(find: (operation: string, rejected: "true" | "false") => Histogram) {
    this.#find = find;
  }

  of(operation: string): Verdicts {
    let found = this.#byOperation.get(operation);
    if (found === undefined) {
      found = new LazyVerdicts((rejected) => this.#find(operation, rejected));
      this.#byOperation.set(operation, found);
    }
    return found;
  }
}

/** What never happened is not told. */
class LazyVerdicts implements Verdicts {
  readonly #find: (rejected: "true" | "false") => Histogram;
  #allowed: Histogram | undefined;

  constructor(find: (rejected: "true" | "false") => Histogram) {
    this.#find = find;
  }

  get allowed(): Histogram {
    this.#allowed ??= this.#find("false");
    return this.#allowed;
  }

  get refused(): Histogram {
    return this.#find("true");
  }
}

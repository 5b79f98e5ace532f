import { CounterFamily, type Family, HistogramFamily } from "./figure-family.ts";

const REQUEST_SECONDS: readonly number[] = [
  0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60,
];
const CONVERSION_SECONDS: readonly number[] = Array.from({ length: 15 }, (_, at) => 2 ** at / 1000);

export type ConversionFailure =
  | "conversion_webhook_call_failure"
  | "conversion_webhook_malformed_response_failure"
  | "conversion_webhook_partial_response_failure"
  | "conversion_webhook_invalid_converted_object_failure";

export interface Conversion {
  readonly definition: string;
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
  readonly failure: ConversionFailure | undefined;
}

/** Conversions by webhooks of definitions. */
export class ConversionFigures {
  readonly #durations = new HistogramFamily(
    {
      name: "apiserver_crd_conversion_webhook_duration_seconds",
      help: "[ALPHA] CRD webhook conversion duration in seconds",
      labels: ["crd_name", "from_version", "succeeded", "to_version"],
    },
    CONVERSION_SECONDS,
  );
  readonly #latencies = new HistogramFamily(
    {
      name: "apiserver_conversion_webhook_duration_seconds",
      help: "[ALPHA] Conversion webhook request latency",
      labels: ["failure_type", "result"],
    },
    REQUEST_SECONDS,
  );
  readonly #requests = new CounterFamily({
    name: "apiserver_conversion_webhook_request_total",
    help: "[ALPHA] Counter for conversion webhook requests with success/failure and failure error type",
    labels: ["failure_type", "result"],
  });

  get families(): readonly Family[] {
    return [this.#requests, this.#latencies, this.#durations];
  }

  note({ definition, from, to, seconds, failure }: Conversion): void {
    const result = [failure ?? "", failure === undefined ? "success" : "failure"];
    this.#requests.of(...result).value++;
    this.#latencies.of(...result).observe(seconds);
    this.#durations.of(definition, from, String(failure === undefined), to).observe(seconds);
  }
}

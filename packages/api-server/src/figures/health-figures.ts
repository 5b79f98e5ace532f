import { CounterFamily, type Family, GaugeFamily } from "./figure-family.ts";

/** What checks of health have found. */
export class HealthFigures {
  readonly #last = new GaugeFamily({
    name: "kubernetes_healthcheck",
    help: "[STABLE] This metric records the result of a single healthcheck.",
    labels: ["name", "type"],
  });
  readonly #all = new CounterFamily({
    name: "kubernetes_healthchecks_total",
    help: "[STABLE] This metric records the results of all healthcheck.",
    labels: ["name", "status", "type"],
  });

  get families(): readonly Family[] {
    return [this.#last, this.#all];
  }

  /** `type`: who was asked: healthz, livez or readyz. */
  note(name: string, type: string, isWell: boolean): void {
    this.#last.of(name, type).value = isWell ? 1 : 0;
    this.#all.of(name, isWell ? "success" : "error", type).value++;
  }
}

import type { Histogram } from "../figures/histogram.ts";

export type Labels = Readonly<Record<string, string>>;

/** Writes figures in the text format of Prometheus: families one after another, samples in each. */
export class MetricsText {
  readonly #lines: string[] = [];

  family(name: string, type: "counter" | "gauge" | "histogram", help: string): void {
    this.#lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
  }

  sample(name: string, labels: Labels, value: number): void {
    this.#lines.push(`${name}${braced(printLabels(labels))} ${printNumber(value)}`);
  }

  histogram(name: string, labels: Labels, { bounds, counts, sum }: Histogram): void {
    const printed = printLabels(labels);
    const before = printed === "" ? "" : `${printed},`;
    let count = 0;
    for (let at = 0; at < counts.length; at++) {
      count += counts[at]!;
      const bound = at < bounds.length ? printNumber(bounds[at]!) : "+Inf";
      this.#lines.push(`${name}_bucket{${before}le="${bound}"} ${count}`);
    }
    this.#lines.push(`${name}_sum${braced(printed)} ${printNumber(sum)}`);
    this.#lines.push(`${name}_count${braced(printed)} ${count}`);
  }

  toString(): string {
    return `${this.#lines.join("\n")}\n`;
  }
}

function printLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escape(value)}"`)
    .join(",");
}

function escape(value: string): string {
  if (!/[\\"\n]/.test(value)) return value;
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function braced(labels: string): string {
  return labels === "" ? "" : `{${labels}}`;
}

/** As Go prints floats: with an exponent from 1e21 on in JavaScript, from 1e+06 on here. */
function printNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf";
  if (Math.abs(value) < 1e6 || !Number.isFinite(value)) return String(value);
  const [digits = "", exponent = ""] = value.toExponential().split("e");
  return `${digits}e+${exponent.slice(1).padStart(2, "0")}`;
}

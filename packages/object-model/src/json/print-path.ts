/**
 * Where in a value something is, as Kubernetes' JSON decoder prints it: `spec.containers[0].env`.
 * Keys stand as they are, so one with dots in it (`app.kubernetes.io/name`) looks like several.
 * (Validation prints paths its own way: see FieldPath.)
 */
export function printPath(steps: readonly (string | number)[]): string {
  return steps
    .map((step, index) => {
      if (typeof step === "number") return `[${step}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");
}

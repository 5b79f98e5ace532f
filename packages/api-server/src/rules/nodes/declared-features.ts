/** Features that a kubelet declares, sorted. */
import type { Rule } from "@homeostat/schema";

const MAX_NAME = 253;

export const declaredFeatures: Rule<readonly string[]> = (list = [], place) => {
  for (const [index, feature] of list.entries()) {
    const problem = nameProblem(feature);
    if (problem !== undefined) place.index(index).invalid(feature, problem);
    const next = list[index + 1];
    if (next === undefined) continue;
    const at = place.index(index + 1);
    if (feature === next) at.duplicate(next);
    else if (feature > next) at.invalid(next, "list must be sorted alphabetically");
  }
};

function nameProblem(name: string): string | undefined {
  const shown = `invalid feature name ${JSON.stringify(name)}`;
  if (Buffer.byteLength(name) > MAX_NAME) {
    return `${shown}: must be no more than ${MAX_NAME} characters`;
  }
  if (FEATURE.test(name)) return undefined;
  return `${shown}: must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`;
}

const FEATURE = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;

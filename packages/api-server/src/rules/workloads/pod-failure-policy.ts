/** What a job makes of pods that fail, by exit code or condition. */
import { FieldError } from "@homeostat/object-model";
import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from "@homeostat/object-model/batch-v1";
import { each, fields, type Place, qualifiedName, type Rule } from "@homeostat/schema";

const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_PATTERNS = 20;

const ACTIONS = ["Count", "FailIndex", "FailJob", "Ignore"];

export function podFailurePolicy(spec: Readonly<JobSpec>, place: Place): void {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const at = place.child("rules");
  atMostItems(MAX_RULES)(rules, at);
  const { containers, initContainers } = spec.template?.spec ?? {};
  const names = new Set([...(containers ?? []), ...(initContainers ?? [])].map(({ name }) => name));
  each(policyRule(spec, names))(rules, at);
}

function policyRule(
  { backoffLimitPerIndex }: Readonly<JobSpec>,
  containerNames: ReadonlySet<string>,
): Rule<PodFailurePolicyRule> {
  return (rule, place) => {
    const { action = "", onExitCodes, onPodConditions = [] } = rule ?? {};
    if (action !== "FailIndex") listed(ACTIONS)(action, place.child("action"));
    else if (backoffLimitPerIndex === undefined) {
      place.child("action").invalid(action, "requires the backoffLimitPerIndex to be set");
    }
    if (onExitCodes !== undefined) {
      exitCodes(containerNames)(onExitCodes, place.child("onExitCodes"));
    }
    podConditions(onPodConditions, place.child("onPodConditions"));
    const both = onExitCodes !== undefined && onPodConditions.length > 0;
    const none = onExitCodes === undefined && onPodConditions.length === 0;
    if (!both && !none) return;
    const why = both
      ? "specifying both OnExitCodes and OnPodConditions is not supported"
      : "specifying one of OnExitCodes and OnPodConditions is required";
    place.add(FieldError.invalidUnshown(place.path, why));
  };
}

/** One of a set, which is told also where there is none. */
function listed(known: readonly string[]): Rule<string> {
  return (value = "", place) => {
    if (value === "") {
      place.required(`valid values: [${known.map((name) => JSON.stringify(name)).join(" ")}]`);
    } else if (!known.includes(value)) place.notSupported(value, known);
  };
}

function exitCodes(
  containerNames: ReadonlySet<string>,
): Rule<PodFailurePolicyOnExitCodesRequirement> {
  return (requirement, place) => {
    const { operator = "", containerName, values } = requirement ?? {};
    listed(["In", "NotIn"])(operator, place.child("operator"));
    if (containerName !== undefined && !containerNames.has(containerName)) {
      const why = "must be one of the container or initContainer names in the pod template";
      place.child("containerName").invalid(containerName, why);
    }
    checkCodes(values, operator, place.child("values"));
  };
}

function checkCodes(codes: readonly number[] | undefined, operator: string, place: Place): void {
  const values = codes ?? [];
  if (values.length === 0) place.invalid(codes ?? null, "at least one value is required");
  else atMostItems(MAX_EXIT_CODES)(values, place);
  for (const [index, code] of values.entries()) {
    const at = place.index(index);
    if (operator === "In" && code === 0) at.invalid(code, "must not be 0 for the In operator");
    if (values.indexOf(code) < index) at.duplicate(code);
  }
  const isOrdered = values.every((code, index) => index === 0 || values[index - 1]! <= code);
  if (!isOrdered) place.invalid(values, "must be ordered");
}

const podConditions: Rule<readonly PodFailurePolicyOnPodConditionsPattern[]> = (
  patterns,
  place,
) => {
  atMostItems(MAX_PATTERNS)(patterns, place);
  each<PodFailurePolicyOnPodConditionsPattern>(
    fields<PodFailurePolicyOnPodConditionsPattern>({
      type: qualifiedName,
      status: listed(["False", "True", "Unknown"]),
    }),
  )(patterns, place);
};

export function atMostItems(max: number): Rule<readonly unknown[]> {
  return (list = [], place) => {
    if (list.length > max && place.path !== undefined) {
      place.add(FieldError.tooMany(place.path, list.length, max));
    }
  };
}

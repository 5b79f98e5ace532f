/** Spending a disruption of a PodDisruptionBudget, and why it may be refused; see `eviction.ts`. */
import {
  ApiError,
  findCondition,
  setCondition,
  setOwnKey,
  timeOfMilliseconds,
} from "@homeostat/object-model";
import type { PodDisruptionBudget } from "@homeostat/object-model/policy-v1";

const BUDGETS = { group: "policy", resource: "poddisruptionbudget" };
const REFUSED = "Cannot evict pod as it would violate the pod's disruption budget.";
const MAX_DISRUPTED_PODS = 2000;
const DISRUPTION_ALLOWED = "DisruptionAllowed";

/**
 * Takes one disruption off the budget's status and notes the pod there, so that the controller does
 * not count it as available before it is gone. Throws when there is none to take.
 */
export function spendDisruption(
  budget: PodDisruptionBudget,
  podName: string,
  now: number,
): PodDisruptionBudget {
  const name = budget.metadata?.name ?? "";
  const status = (budget.status ??= {});
  const { observedGeneration = 0, disruptionsAllowed = 0 } = status;
  if (observedGeneration < (budget.metadata?.generation ?? 0)) throw tooManyDisruptions(name);
  if (disruptionsAllowed < 0) {
    throw ApiError.forbidden(BUDGETS, name, "pdb disruptions allowed is negative");
  }
  if (Object.keys(status.disruptedPods ?? {}).length > MAX_DISRUPTED_PODS) {
    const why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";
    throw ApiError.forbidden(BUDGETS, name, why);
  }
  if (disruptionsAllowed === 0) throw refusal(whyNone(budget), 0);
  const time = timeOfMilliseconds(now);
  status.disruptionsAllowed = disruptionsAllowed - 1;
  if (status.disruptionsAllowed === 0) {
    const condition = {
      type: DISRUPTION_ALLOWED,
      status: "False",
      reason: "InsufficientPods",
      message: "",
      observedGeneration,
    } as const;
    status.conditions = [...setCondition(status.conditions, condition, time)];
  }
  setOwnKey((status.disruptedPods ??= {}), podName, time);
  return budget;
}

/** The budget is being worked on: nothing can be said yet. */
export function tooManyDisruptions(budget: string): ApiError {
  return refusal(`The disruption budget ${budget} is still being processed by the server.`, 10);
}

function whyNone({ metadata, status = {} }: Readonly<PodDisruptionBudget>): string {
  const budget = `The disruption budget ${metadata?.name ?? ""}`;
  const { currentHealthy = 0, desiredHealthy = 0 } = status;
  const condition = findCondition(status.conditions, DISRUPTION_ALLOWED);
  const why = condition?.status === "False" ? condition.message : "";
  if (why && condition?.reason === "SyncFailed") {
    return `${budget} does not allow evicting pods currently because it failed sync: ${why}`;
  }
  if (currentHealthy <= desiredHealthy) {
    return `${budget} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  }
  const none = `${budget} does not allow evicting pods currently`;
  return why ? `${none} (${condition?.reason}): ${why}` : none;
}

function refusal(message: string, retryAfterSeconds: number): ApiError {
  const causes = [{ reason: "DisruptionBudget", message }];
  return new ApiError({
    reason: "TooManyRequests",
    message: REFUSED,
    details: { causes, retryAfterSeconds },
  });
}

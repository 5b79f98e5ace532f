/** Deployments and replica sets. */
import type {
  DeploymentSpec,
  DeploymentStrategy,
  ReplicaSetSpec,
} from "@homeostat/object-model/apps-v1";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

const QUARTER = "25%";

export const deploymentRules: readonly NamedTypeRules[] = [
  rulesFor<DeploymentSpec>("apps.v1.DeploymentSpec", {
    defaults: { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
  }),
  rulesFor<DeploymentStrategy>("apps.v1.DeploymentStrategy", {
    defaults: { type: "RollingUpdate" },
    setDefaults: setRollingUpdate,
  }),
  rulesFor<ReplicaSetSpec>("apps.v1.ReplicaSetSpec", { defaults: { replicas: 1 } }),
];

function setRollingUpdate(strategy: Unchecked<DeploymentStrategy>): void {
  if (strategy.type !== "RollingUpdate") return;
  strategy.rollingUpdate ??= {};
  strategy.rollingUpdate.maxUnavailable ??= QUARTER;
  strategy.rollingUpdate.maxSurge ??= QUARTER;
}

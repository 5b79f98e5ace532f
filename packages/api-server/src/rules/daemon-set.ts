/** Daemon sets. Their template-generation annotation comes from the strategy. */
import type { DaemonSetSpec, DaemonSetUpdateStrategy } from "@homeostat/object-model/apps-v1";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

export const daemonSetRules: readonly NamedTypeRules[] = [
  rulesFor<DaemonSetSpec>("apps.v1.DaemonSetSpec", { defaults: { revisionHistoryLimit: 10 } }),
  rulesFor<DaemonSetUpdateStrategy>("apps.v1.DaemonSetUpdateStrategy", {
    defaults: { type: "RollingUpdate" },
    setDefaults: setRollingUpdate,
  }),
];

function setRollingUpdate(strategy: Unchecked<DaemonSetUpdateStrategy>): void {
  if (strategy.type !== "RollingUpdate") return;
  strategy.rollingUpdate ??= {};
  strategy.rollingUpdate.maxUnavailable ??= 1;
  strategy.rollingUpdate.maxSurge ??= 0;
}

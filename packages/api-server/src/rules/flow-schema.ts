/** Flow schemas and priority levels. */
import type {
  ExemptPriorityLevelConfiguration,
  FlowSchemaSpec,
  LimitedPriorityLevelConfiguration,
  QueuingConfiguration,
} from "@homeostat/object-model/flowcontrol-v1";
import { type NamedTypeRules, rulesFor } from "./type-rules.ts";

export const flowSchemaRules: readonly NamedTypeRules[] = [
  rulesFor<FlowSchemaSpec>("flowcontrol.v1.FlowSchemaSpec", {
    defaults: { matchingPrecedence: 1000 },
  }),
  rulesFor<ExemptPriorityLevelConfiguration>("flowcontrol.v1.ExemptPriorityLevelConfiguration", {
    defaults: { nominalConcurrencyShares: 0, lendablePercent: 0 },
  }),
  rulesFor<LimitedPriorityLevelConfiguration>("flowcontrol.v1.LimitedPriorityLevelConfiguration", {
    defaults: { nominalConcurrencyShares: 30, lendablePercent: 0 },
  }),
  rulesFor<QueuingConfiguration>("flowcontrol.v1.QueuingConfiguration", {
    defaults: { handSize: 8, queues: 64, queueLengthLimit: 50 },
  }),
];

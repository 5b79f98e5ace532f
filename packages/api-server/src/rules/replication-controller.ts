/** Replication controllers: selector and labels are the template's unless they say otherwise. */
import type {
  ReplicationController,
  ReplicationControllerSpec,
} from "@homeostat/object-model/core-v1";
import { type NamedTypeRules, rulesFor, type Unchecked } from "./type-rules.ts";

export const replicationControllerRules: readonly NamedTypeRules[] = [
  rulesFor<ReplicationController>("core.v1.ReplicationController", {
    setDefaults: takeTemplateLabels,
  }),
  rulesFor<ReplicationControllerSpec>("core.v1.ReplicationControllerSpec", {
    defaults: { replicas: 1 },
  }),
];

function takeTemplateLabels(controller: Unchecked<ReplicationController>): void {
  const { spec } = controller;
  const labels = spec?.template?.metadata?.labels;
  if (!spec || !labels) return;
  if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
  controller.metadata ??= {};
  if (Object.keys(controller.metadata.labels ?? {}).length === 0) {
    controller.metadata.labels = { ...labels };
  }
}

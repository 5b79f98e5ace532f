/** All rules of the built-in types, by schema name. A rule file is listed here and nowhere else. */
import { admissionConfigurationRules } from "./admission-configuration.ts";
import { containerRules } from "./container.ts";
import { customResourceDefinitionRules } from "./custom-resource-definition.ts";
import { daemonSetRules } from "./daemon-set.ts";
import { deploymentRules } from "./deployment.ts";
import { endpointSliceRules } from "./endpoint-slice.ts";
import { flowSchemaRules } from "./flow-schema.ts";
import { horizontalPodAutoscalerRules } from "./horizontal-pod-autoscaler.ts";
import { jobRules } from "./job.ts";
import { limitRangeRules } from "./limit-range.ts";
import { namespaceRules } from "./namespace.ts";
import { networkPolicyRules } from "./network-policy.ts";
import { nodeRules } from "./node.ts";
import { persistentVolumeRules } from "./persistent-volume.ts";
import { podRules } from "./pod.ts";
import { podSpecRules } from "./pod-spec.ts";
import { priorityClassRules } from "./priority-class.ts";
import { replicationControllerRules } from "./replication-controller.ts";
import { resourceClaimRules } from "./resource-claim.ts";
import { roleBindingRules } from "./role-binding.ts";
import { secretRules } from "./secret.ts";
import { serviceRules } from "./service.ts";
import { statefulSetRules } from "./stateful-set.ts";
import { storageClassRules } from "./storage-class.ts";
import { tokenRequestRules } from "./token-request.ts";
import type { NamedTypeRules, TypeRules } from "./type-rules.ts";
import { volumeRules } from "./volume.ts";

const rulesByType: ReadonlyMap<string, TypeRules> = new Map(
  [
    admissionConfigurationRules,
    containerRules,
    customResourceDefinitionRules,
    daemonSetRules,
    deploymentRules,
    endpointSliceRules,
    flowSchemaRules,
    horizontalPodAutoscalerRules,
    jobRules,
    limitRangeRules,
    namespaceRules,
    networkPolicyRules,
    nodeRules,
    persistentVolumeRules,
    podSpecRules,
    podRules,
    priorityClassRules,
    replicationControllerRules,
    resourceClaimRules,
    roleBindingRules,
    secretRules,
    serviceRules,
    statefulSetRules,
    storageClassRules,
    tokenRequestRules,
    volumeRules,
  ]
    .flat()
    .map(({ type, rules }: NamedTypeRules) => [type, rules]),
);

/** The rules of a schema such as `core.v1.Container`; undefined where nothing happens to it. */
export function findTypeRules(schemaName: string): TypeRules | undefined {
  return rulesByType.get(schemaName);
}

/** Schema names that have rules. */
export function listRuledTypes(): readonly string[] {
  return [...rulesByType.keys()];
}

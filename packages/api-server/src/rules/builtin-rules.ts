/** All rules of the built-in types, by schema name. A rule file is listed here and nowhere else. */
import { admissionConfigurationRules } from "./admission-configuration.ts";
import { apiServiceRules } from "./api-service.ts";
import { certificateRequestRules } from "./certificate-request.ts";
import { configMapRules } from "./config-map.ts";
import { containerRules } from "./container.ts";
import { controllerRevisionRules } from "./controller-revision.ts";
import { cronJobRules } from "./cron-job.ts";
import { csiRules } from "./csi.ts";
import { customResourceDefinitionRules } from "./custom-resource-definition.ts";
import { daemonSetRules } from "./daemon-set.ts";
import { deploymentRules } from "./deployment.ts";
import { deviceClassRules } from "./device-class.ts";
import { endpointSliceRules } from "./endpoint-slice.ts";
import { endpointsRules } from "./endpoints.ts";
import { flowSchemaRules } from "./flow-schema.ts";
import { horizontalPodAutoscalerRules } from "./horizontal-pod-autoscaler.ts";
import { ingressRules } from "./ingress.ts";
import { ingressClassRules } from "./ingress-class.ts";
import { jobRules } from "./job.ts";
import { leaseRules } from "./lease.ts";
import { limitRangeRules } from "./limit-range.ts";
import { namespaceRules } from "./namespace.ts";
import { networkPolicyRules } from "./network-policy.ts";
import { nodeRules } from "./node.ts";
import { persistentVolumeRules } from "./persistent-volume.ts";
import { persistentVolumeClaimRules } from "./persistent-volume-claim.ts";
import { podRules } from "./pod.ts";
import { podDisruptionBudgetRules } from "./pod-disruption-budget.ts";
import { podSpecRules } from "./pod-spec.ts";
import { podTemplateRules } from "./pod-template.ts";
import { priorityClassRules } from "./priority-class.ts";
import { priorityLevelRules } from "./priority-level.ts";
import { replicaSetRules } from "./replica-set.ts";
import { replicationControllerRules } from "./replication-controller.ts";
import { resourceClaimRules } from "./resource-claim.ts";
import { resourceQuotaRules } from "./resource-quota.ts";
import { roleRules } from "./role.ts";
import { roleBindingRules } from "./role-binding.ts";
import { runtimeClassRules } from "./runtime-class.ts";
import { secretRules } from "./secret.ts";
import { serviceRules } from "./service.ts";
import { serviceCidrRules } from "./service-cidr.ts";
import { statefulSetRules } from "./stateful-set.ts";
import { storageClassRules } from "./storage-class.ts";
import { tokenRequestRules } from "./token-request.ts";
import type { NamedTypeRules, TypeRules } from "./type-rules.ts";
import { volumeRules } from "./volume.ts";
import { volumeAttachmentRules } from "./volume-attachment.ts";

const rulesByType: ReadonlyMap<string, TypeRules> = new Map(
  [
    admissionConfigurationRules,
    apiServiceRules,
    certificateRequestRules,
    containerRules,
    controllerRevisionRules,
    csiRules,
    customResourceDefinitionRules,
    cronJobRules,
    replicaSetRules,
    daemonSetRules,
    deploymentRules,
    deviceClassRules,
    endpointSliceRules,
    flowSchemaRules,
    horizontalPodAutoscalerRules,
    ingressClassRules,
    ingressRules,
    jobRules,
    limitRangeRules,
    namespaceRules,
    networkPolicyRules,
    nodeRules,
    persistentVolumeClaimRules,
    persistentVolumeRules,
    podSpecRules,
    podTemplateRules,
    podRules,
    priorityClassRules,
    priorityLevelRules,
    replicationControllerRules,
    resourceClaimRules,
    roleBindingRules,
    roleRules,
    secretRules,
    serviceCidrRules,
    serviceRules,
    statefulSetRules,
    storageClassRules,
    tokenRequestRules,
    volumeAttachmentRules,
    configMapRules,
    endpointsRules,
    leaseRules,
    podDisruptionBudgetRules,
    resourceQuotaRules,
    runtimeClassRules,
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

/**
 * What Go calls the types of fields, for messages such as `cannot unmarshal number into Go struct
 * field ContainerPort.spec.containers.ports.protocol of type v1.Protocol`.
 */

import type { FieldPlan } from "./object-plan.ts";

const SCALARS: Readonly<Record<string, string>> = {
  bool: "bool",
  bytes: "[]uint8",
  double: "float64",
  int32: "int32",
  int64: "int64",
  string: "string",
};

let named: ReadonlyMap<string, string> | undefined;

/** The type of a field as a whole: `[]v1.Container`, `map[string]string`. */
export function goTypeOfField(field: FieldPlan): string {
  const own = namedType(field);
  if (own !== undefined) return own;
  const element = plainElementType(field);
  if (field.shape === "single") return element;
  return field.shape === "list" ? `[]${element}` : `map[string]${element}`;
}

/** The type of what a list or map holds; for other fields the type of the field. */
export function goTypeOfElement(field: FieldPlan): string {
  const own = namedType(field);
  if (own === undefined) return plainElementType(field);
  const element = own.replace(/^(\[\]|map\[[^\]]*\])/, "");
  // A list or map with a name of its own, such as v1.ResourceList.
  return field.shape !== "single" && element === own ? plainElementType(field) : element;
}

/** `v1.PodSpec` for `core.v1.PodSpec`. */
export function goTypeOfSchema(schemaName: string): string {
  return schemaName.split(".").slice(-2).join(".");
}

/** `PodSpec` for `core.v1.PodSpec`. */
export function goStructName(schemaName: string): string {
  return schemaName.slice(schemaName.lastIndexOf(".") + 1);
}

function plainElementType(field: FieldPlan): string {
  return field.schemaName === undefined ? SCALARS[field.kind]! : goTypeOfSchema(field.schemaName);
}

function namedType({ home, name }: FieldPlan): string | undefined {
  named ??= readNamedTypes();
  return named.get(`${home.schemaName} ${name}`);
}

function readNamedTypes(): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const line of NAMED_TYPES.trim().split("\n")) {
    const [schemaName = "", ...fields] = line.split(" ");
    for (const field of fields) {
      const [name = "", type = ""] = field.split("=");
      types.set(`${schemaName} ${name}`, type);
    }
  }
  return types;
}

/**
 * The fields of k8s.io/api 0.36 whose Go type has a name that JSON does not show: the struct, then
 * each of its fields with its type.
 */
const NAMED_TYPES = `
admission.v1.AdmissionRequest uid=types.UID operation=v1.Operation
admission.v1.AdmissionResponse uid=types.UID patchType=v1.PatchType
admissionregistration.v1.MatchResources matchPolicy=v1.MatchPolicyType
admissionregistration.v1.MutatingAdmissionPolicySpec failurePolicy=v1.FailurePolicyType reinvocationPolicy=v1.ReinvocationPolicyType
admissionregistration.v1.MutatingWebhook failurePolicy=v1.FailurePolicyType matchPolicy=v1.MatchPolicyType sideEffects=v1.SideEffectClass reinvocationPolicy=v1.ReinvocationPolicyType
admissionregistration.v1.Mutation patchType=v1.PatchType
admissionregistration.v1.ParamRef parameterNotFoundAction=v1.ParameterNotFoundActionType
admissionregistration.v1.Rule scope=v1.ScopeType
admissionregistration.v1.RuleWithOperations operations=[]v1.OperationType
admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec validationActions=[]v1.ValidationAction
admissionregistration.v1.ValidatingAdmissionPolicySpec failurePolicy=v1.FailurePolicyType
admissionregistration.v1.ValidatingWebhook failurePolicy=v1.FailurePolicyType matchPolicy=v1.MatchPolicyType sideEffects=v1.SideEffectClass
admissionregistration.v1.Validation reason=v1.StatusReason
apidiscovery.v2.APIResourceDiscovery scope=v2.ResourceScope
apidiscovery.v2.APIVersionDiscovery freshness=v2.DiscoveryFreshness
apiextensions.v1.ConversionRequest uid=types.UID
apiextensions.v1.ConversionResponse uid=types.UID
apiextensions.v1.CustomResourceConversion strategy=v1.ConversionStrategyType
apiextensions.v1.CustomResourceDefinitionCondition type=v1.CustomResourceDefinitionConditionType status=v1.ConditionStatus
apiextensions.v1.CustomResourceDefinitionSpec scope=v1.ResourceScope
apiextensions.v1.JSONSchemaProps $schema=v1.JSONSchemaURL dependencies=v1.JSONSchemaDependencies definitions=v1.JSONSchemaDefinitions x-kubernetes-validations=v1.ValidationRules
apiextensions.v1.ValidationRule reason=v1.FieldValueErrorReason
apiregistration.v1.APIServiceCondition type=v1.APIServiceConditionType status=v1.ConditionStatus
apps.v1.DaemonSetCondition type=v1.DaemonSetConditionType status=v1.ConditionStatus
apps.v1.DaemonSetUpdateStrategy type=v1.DaemonSetUpdateStrategyType
apps.v1.DeploymentCondition type=v1.DeploymentConditionType status=v1.ConditionStatus
apps.v1.DeploymentStrategy type=v1.DeploymentStrategyType
apps.v1.ReplicaSetCondition type=v1.ReplicaSetConditionType status=v1.ConditionStatus
apps.v1.StatefulSetCondition type=v1.StatefulSetConditionType status=v1.ConditionStatus
apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted=v1.PersistentVolumeClaimRetentionPolicyType whenScaled=v1.PersistentVolumeClaimRetentionPolicyType
apps.v1.StatefulSetSpec podManagementPolicy=v1.PodManagementPolicyType
apps.v1.StatefulSetUpdateStrategy type=v1.StatefulSetUpdateStrategyType
authentication.v1.BoundObjectReference uid=types.UID
autoscaling.v2.ContainerResourceMetricSource name=v1.ResourceName
autoscaling.v2.ContainerResourceMetricStatus name=v1.ResourceName
autoscaling.v2.HPAScalingPolicy type=v2.HPAScalingPolicyType
autoscaling.v2.HPAScalingRules selectPolicy=v2.ScalingPolicySelect
autoscaling.v2.HorizontalPodAutoscalerCondition type=v2.HorizontalPodAutoscalerConditionType status=v1.ConditionStatus
autoscaling.v2.MetricSpec type=v2.MetricSourceType
autoscaling.v2.MetricStatus type=v2.MetricSourceType
autoscaling.v2.MetricTarget type=v2.MetricTargetType
autoscaling.v2.ResourceMetricSource name=v1.ResourceName
autoscaling.v2.ResourceMetricStatus name=v1.ResourceName
batch.v1.CronJobSpec concurrencyPolicy=v1.ConcurrencyPolicy
batch.v1.JobCondition type=v1.JobConditionType status=v1.ConditionStatus
batch.v1.JobSpec completionMode=v1.CompletionMode podReplacementPolicy=v1.PodReplacementPolicy
batch.v1.PodFailurePolicyOnExitCodesRequirement operator=v1.PodFailurePolicyOnExitCodesOperator
batch.v1.PodFailurePolicyOnPodConditionsPattern type=v1.PodConditionType status=v1.ConditionStatus
batch.v1.PodFailurePolicyRule action=v1.PodFailurePolicyAction
batch.v1.UncountedTerminatedPods succeeded=[]types.UID failed=[]types.UID
certificates.v1.CertificateSigningRequestCondition type=v1.RequestConditionType status=v1.ConditionStatus
certificates.v1.CertificateSigningRequestSpec usages=[]v1.KeyUsage
coordination.v1.LeaseSpec strategy=v1.CoordinatedLeaseStrategy
core.v1.AppArmorProfile type=v1.AppArmorProfileType
core.v1.AttachedVolume name=v1.UniqueVolumeName
core.v1.AzureDiskVolumeSource cachingMode=v1.AzureDataDiskCachingMode kind=v1.AzureDataDiskKind
core.v1.Capabilities add=[]v1.Capability drop=[]v1.Capability
core.v1.ComponentCondition type=v1.ComponentConditionType status=v1.ConditionStatus
core.v1.ConfigMapNodeConfigSource uid=types.UID
core.v1.Container restartPolicy=v1.ContainerRestartPolicy terminationMessagePolicy=v1.TerminationMessagePolicy imagePullPolicy=v1.PullPolicy
core.v1.ContainerPort protocol=v1.Protocol
core.v1.ContainerResizePolicy resourceName=v1.ResourceName restartPolicy=v1.ResourceResizeRestartPolicy
core.v1.ContainerRestartRule action=v1.ContainerRestartRuleAction
core.v1.ContainerRestartRuleOnExitCodes operator=v1.ContainerRestartRuleOnExitCodesOperator
core.v1.ContainerStatus allocatedResources=v1.ResourceList stopSignal=v1.Signal
core.v1.EmptyDirVolumeSource medium=v1.StorageMedium
core.v1.EndpointPort protocol=v1.Protocol
core.v1.EphemeralContainerCommon restartPolicy=v1.ContainerRestartPolicy terminationMessagePolicy=v1.TerminationMessagePolicy imagePullPolicy=v1.PullPolicy
core.v1.HTTPGetAction scheme=v1.URIScheme
core.v1.HostPathVolumeSource type=v1.HostPathType
core.v1.ImageVolumeSource pullPolicy=v1.PullPolicy
core.v1.Lifecycle stopSignal=v1.Signal
core.v1.LimitRangeItem type=v1.LimitType max=v1.ResourceList min=v1.ResourceList default=v1.ResourceList defaultRequest=v1.ResourceList maxLimitRequestRatio=v1.ResourceList
core.v1.LoadBalancerIngress ipMode=v1.LoadBalancerIPMode
core.v1.ModifyVolumeStatus status=v1.PersistentVolumeClaimModifyVolumeStatus
core.v1.NamespaceCondition type=v1.NamespaceConditionType status=v1.ConditionStatus
core.v1.NamespaceSpec finalizers=[]v1.FinalizerName
core.v1.NamespaceStatus phase=v1.NamespacePhase
core.v1.NodeAddress type=v1.NodeAddressType
core.v1.NodeAllocatableResourceClaimStatus resources=map[v1.ResourceName]resource.Quantity
core.v1.NodeCondition type=v1.NodeConditionType status=v1.ConditionStatus
core.v1.NodeSelectorRequirement operator=v1.NodeSelectorOperator
core.v1.NodeStatus capacity=v1.ResourceList allocatable=v1.ResourceList phase=v1.NodePhase volumesInUse=[]v1.UniqueVolumeName
core.v1.ObjectReference uid=types.UID
core.v1.PersistentVolumeClaimCondition type=v1.PersistentVolumeClaimConditionType status=v1.ConditionStatus
core.v1.PersistentVolumeClaimSpec accessModes=[]v1.PersistentVolumeAccessMode volumeMode=v1.PersistentVolumeMode
core.v1.PersistentVolumeClaimStatus phase=v1.PersistentVolumeClaimPhase accessModes=[]v1.PersistentVolumeAccessMode capacity=v1.ResourceList allocatedResources=v1.ResourceList allocatedResourceStatuses=map[v1.ResourceName]v1.ClaimResourceStatus
core.v1.PersistentVolumeSpec capacity=v1.ResourceList accessModes=[]v1.PersistentVolumeAccessMode persistentVolumeReclaimPolicy=v1.PersistentVolumeReclaimPolicy volumeMode=v1.PersistentVolumeMode
core.v1.PersistentVolumeStatus phase=v1.PersistentVolumePhase
core.v1.PodCondition type=v1.PodConditionType status=v1.ConditionStatus
core.v1.PodOS name=v1.OSName
core.v1.PodReadinessGate conditionType=v1.PodConditionType
core.v1.PodSecurityContext supplementalGroupsPolicy=v1.SupplementalGroupsPolicy fsGroupChangePolicy=v1.PodFSGroupChangePolicy seLinuxChangePolicy=v1.PodSELinuxChangePolicy
core.v1.PodSpec restartPolicy=v1.RestartPolicy dnsPolicy=v1.DNSPolicy preemptionPolicy=v1.PreemptionPolicy overhead=v1.ResourceList
core.v1.PodStatus phase=v1.PodPhase qosClass=v1.PodQOSClass resize=v1.PodResizeStatus allocatedResources=v1.ResourceList
core.v1.PortStatus protocol=v1.Protocol
core.v1.ReplicationControllerCondition type=v1.ReplicationControllerConditionType status=v1.ConditionStatus
core.v1.ResourceHealth resourceID=v1.ResourceID health=v1.ResourceHealthStatus
core.v1.ResourceQuotaSpec hard=v1.ResourceList scopes=[]v1.ResourceQuotaScope
core.v1.ResourceQuotaStatus hard=v1.ResourceList used=v1.ResourceList
core.v1.ResourceRequirements limits=v1.ResourceList requests=v1.ResourceList
core.v1.ResourceStatus name=v1.ResourceName
core.v1.ScopedResourceSelectorRequirement scopeName=v1.ResourceQuotaScope operator=v1.ScopeSelectorOperator
core.v1.SeccompProfile type=v1.SeccompProfileType
core.v1.Secret type=v1.SecretType
core.v1.SecurityContext procMount=v1.ProcMountType
core.v1.ServicePort protocol=v1.Protocol
core.v1.ServiceSpec type=v1.ServiceType sessionAffinity=v1.ServiceAffinity externalTrafficPolicy=v1.ServiceExternalTrafficPolicy ipFamilies=[]v1.IPFamily ipFamilyPolicy=v1.IPFamilyPolicy internalTrafficPolicy=v1.ServiceInternalTrafficPolicy
core.v1.Taint effect=v1.TaintEffect
core.v1.Toleration operator=v1.TolerationOperator effect=v1.TaintEffect
core.v1.TopologySpreadConstraint whenUnsatisfiable=v1.UnsatisfiableConstraintAction nodeAffinityPolicy=v1.NodeInclusionPolicy nodeTaintsPolicy=v1.NodeInclusionPolicy
core.v1.VolumeMount recursiveReadOnly=v1.RecursiveReadOnlyMode mountPropagation=v1.MountPropagationMode
core.v1.VolumeMountStatus recursiveReadOnly=v1.RecursiveReadOnlyMode
core.v1.VolumeResourceRequirements limits=v1.ResourceList requests=v1.ResourceList
discovery.v1.EndpointPort protocol=v1.Protocol
discovery.v1.EndpointSlice addressType=v1.AddressType
flowcontrol.v1.FlowDistinguisherMethod type=v1.FlowDistinguisherMethodType
flowcontrol.v1.FlowSchemaCondition type=v1.FlowSchemaConditionType status=v1.ConditionStatus
flowcontrol.v1.LimitResponse type=v1.LimitResponseType
flowcontrol.v1.PriorityLevelConfigurationCondition type=v1.PriorityLevelConfigurationConditionType status=v1.ConditionStatus
flowcontrol.v1.PriorityLevelConfigurationSpec type=v1.PriorityLevelEnablement
flowcontrol.v1.Subject kind=v1.SubjectKind
meta.v1.Condition status=v1.ConditionStatus
meta.v1.DeleteOptions propagationPolicy=v1.DeletionPropagation
meta.v1.FieldSelectorRequirement operator=v1.FieldSelectorOperator
meta.v1.LabelSelectorRequirement operator=v1.LabelSelectorOperator
meta.v1.ListOptions resourceVersionMatch=v1.ResourceVersionMatch
meta.v1.ManagedFieldsEntry operation=v1.ManagedFieldsOperationType
meta.v1.ObjectMeta uid=types.UID
meta.v1.OwnerReference uid=types.UID
meta.v1.Preconditions uid=types.UID
meta.v1.Status reason=v1.StatusReason
meta.v1.StatusCause reason=v1.CauseType
meta.v1.StatusDetails uid=types.UID
networking.v1.HTTPIngressPath pathType=v1.PathType
networking.v1.IngressPortStatus protocol=v1.Protocol
networking.v1.NetworkPolicyPort protocol=v1.Protocol
networking.v1.NetworkPolicySpec policyTypes=[]v1.PolicyType
node.v1.Overhead podFixed=v1.ResourceList
policy.v1.PodDisruptionBudgetSpec unhealthyPodEvictionPolicy=v1.UnhealthyPodEvictionPolicyType
resource.v1.CapacityRequirements requests=map[v1.QualifiedName]resource.Quantity
resource.v1.Device attributes=map[v1.QualifiedName]v1.DeviceAttribute capacity=map[v1.QualifiedName]v1.DeviceCapacity nodeAllocatableResourceMappings=map[v1.ResourceName]v1.NodeAllocatableResourceMapping
resource.v1.DeviceAllocationConfiguration source=v1.AllocationConfigSource
resource.v1.DeviceConstraint matchAttribute=v1.FullyQualifiedName distinctAttribute=v1.FullyQualifiedName
resource.v1.DeviceRequestAllocationResult shareID=types.UID consumedCapacity=map[v1.QualifiedName]resource.Quantity
resource.v1.DeviceSubRequest allocationMode=v1.DeviceAllocationMode
resource.v1.DeviceTaint effect=v1.DeviceTaintEffect
resource.v1.DeviceToleration operator=v1.DeviceTolerationOperator effect=v1.DeviceTaintEffect
resource.v1.ExactDeviceRequest allocationMode=v1.DeviceAllocationMode
resource.v1.NodeAllocatableResourceMapping capacityKey=v1.QualifiedName
resource.v1.ResourceClaimConsumerReference uid=types.UID
scheduling.v1.PriorityClass preemptionPolicy=v1.PreemptionPolicy
storage.v1.CSIDriverSpec volumeLifecycleModes=[]v1.VolumeLifecycleMode fsGroupPolicy=v1.FSGroupPolicy
storage.v1.StorageClass reclaimPolicy=v1.PersistentVolumeReclaimPolicy volumeBindingMode=v1.VolumeBindingMode
`;

// Facts of kube-apiserver 1.36.3: names and order of the fields of its internal types, as far as
// messages print them. One type a line: `Name Field:type ...`; `Field=json` where the API's name is
// not the same word, `?` left out when empty, `...Type` embedded. Types: s text, b boolean, i
// integer, q quantity, t time, v as it is; `*` pointer, `[` list, `%` map, or the name of a type.
// Read by `internal-form.ts`.

export const internalTypes: string = `AWSElasticBlockStoreVolumeSource VolumeID:s FSType:s Partition:i ReadOnly:b
Affinity NodeAffinity:*NodeAffinity PodAffinity:*PodAffinity PodAntiAffinity:*PodAntiAffinity
AppArmorProfile Type:s LocalhostProfile:*s
AzureDiskVolumeSource DiskName:s DataDiskURI=diskURI:s CachingMode:*s FSType:*s ReadOnly:*b Kind:*s
AzureFilePersistentVolumeSource SecretName:s ShareName:s ReadOnly:b SecretNamespace:*s
AzureFileVolumeSource SecretName:s ShareName:s ReadOnly:b
CSIPersistentVolumeSource Driver:s VolumeHandle:s ReadOnly:b FSType:s VolumeAttributes:%s ControllerPublishSecretRef:*SecretReference NodeStageSecretRef:*SecretReference NodePublishSecretRef:*SecretReference ControllerExpandSecretRef:*SecretReference NodeExpandSecretRef:*SecretReference
CSIVolumeSource Driver:s ReadOnly:*b FSType:*s VolumeAttributes:%s NodePublishSecretRef:*LocalObjectReference
Capabilities Add:[s Drop:[s
CephFSPersistentVolumeSource Monitors:[s Path:s User:s SecretFile:s SecretRef:*SecretReference ReadOnly:b
CephFSVolumeSource Monitors:[s Path:s User:s SecretFile:s SecretRef:*LocalObjectReference ReadOnly:b
CinderPersistentVolumeSource VolumeID:s FSType:s ReadOnly:b SecretRef:*SecretReference
CinderVolumeSource VolumeID:s FSType:s ReadOnly:b SecretRef:*LocalObjectReference
ClusterTrustBundleProjection Name:*s SignerName:*s LabelSelector:*LabelSelector Optional:*b Path:s
ConfigMapEnvSource ...LocalObjectReference Optional:*b
ConfigMapKeySelector ...LocalObjectReference Key:s Optional:*b
ConfigMapNodeConfigSource Namespace:s Name:s UID:s ResourceVersion:s KubeletConfigKey:s
ConfigMapProjection ...LocalObjectReference Items:[KeyToPath Optional:*b
ConfigMapVolumeSource ...LocalObjectReference Items:[KeyToPath DefaultMode:*i Optional:*b
Container Name:s Image:s Command:[s Args:[s WorkingDir:s Ports:[ContainerPort EnvFrom:[EnvFromSource Env:[EnvVar Resources:ResourceRequirements ResizePolicy:[ContainerResizePolicy RestartPolicy:*s RestartPolicyRules:[ContainerRestartRule VolumeMounts:[VolumeMount VolumeDevices:[VolumeDevice LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:*SecurityContext Stdin:b StdinOnce:b TTY:b
ContainerPort Name:s HostPort:i ContainerPort:i Protocol:s HostIP:s
ContainerResizePolicy ResourceName:s RestartPolicy:s
ContainerRestartRule Action:s ExitCodes:*ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes Operator:s Values:[i
DownwardAPIProjection Items:[DownwardAPIVolumeFile
DownwardAPIVolumeFile Path:s FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector Mode:*i
DownwardAPIVolumeSource Items:[DownwardAPIVolumeFile DefaultMode:*i
EmptyDirVolumeSource Medium:s SizeLimit:*q
EnvFromSource Prefix:s ConfigMapRef:*ConfigMapEnvSource SecretRef:*SecretEnvSource
EnvVar Name:s Value:s ValueFrom:*EnvVarSource
EnvVarSource FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector ConfigMapKeyRef:*ConfigMapKeySelector SecretKeyRef:*SecretKeySelector FileKeyRef:*FileKeySelector
EphemeralContainer ...EphemeralContainerCommon TargetContainerName:s
EphemeralContainerCommon Name:s Image:s Command:[s Args:[s WorkingDir:s Ports:[ContainerPort EnvFrom:[EnvFromSource Env:[EnvVar Resources:ResourceRequirements ResizePolicy:[ContainerResizePolicy RestartPolicy:*s RestartPolicyRules:[ContainerRestartRule VolumeMounts:[VolumeMount VolumeDevices:[VolumeDevice LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:*SecurityContext Stdin:b StdinOnce:b TTY:b
EphemeralVolumeSource VolumeClaimTemplate:*PersistentVolumeClaimTemplate
EventSource Component:s Host:s
ExecAction Command:[s
FCVolumeSource TargetWWNs:[s Lun:*i FSType:s ReadOnly:b WWIDs:[s
FieldsV1
FileKeySelector VolumeName:s Path:s Key:s Optional:*b
FlexPersistentVolumeSource Driver:s FSType:s SecretRef:*SecretReference ReadOnly:b Options:%s
FlexVolumeSource Driver:s FSType:s SecretRef:*LocalObjectReference ReadOnly:b Options:%s
FlockerVolumeSource DatasetName:s DatasetUUID:s
GCEPersistentDiskVolumeSource PDName:s FSType:s Partition:i ReadOnly:b
GRPCAction Port:i Service:*s
GitRepoVolumeSource Repository:s Revision:s Directory:s
GlusterfsPersistentVolumeSource EndpointsName=endpoints:s Path:s ReadOnly:b EndpointsNamespace:*s
GlusterfsVolumeSource EndpointsName=endpoints:s Path:s ReadOnly:b
HTTPGetAction Path:s Port:v Host:s Scheme:s HTTPHeaders:[HTTPHeader
HTTPHeader Name:s Value:s
HostAlias IP:s Hostnames:[s
HostPathVolumeSource Path:s Type:*s
ISCSIPersistentVolumeSource TargetPortal:s IQN:s Lun:i ISCSIInterface:s FSType:s ReadOnly:b Portals:[s DiscoveryCHAPAuth=chapAuthDiscovery:b SessionCHAPAuth=chapAuthSession:b SecretRef:*SecretReference InitiatorName:*s
ISCSIVolumeSource TargetPortal:s IQN:s Lun:i ISCSIInterface:s FSType:s ReadOnly:b Portals:[s DiscoveryCHAPAuth=chapAuthDiscovery:b SessionCHAPAuth=chapAuthSession:b SecretRef:*LocalObjectReference InitiatorName:*s
ImageVolumeSource Reference:s PullPolicy:s
KeyToPath Key:s Path:s Mode:*i
LabelSelector matchLabels?:%s matchExpressions?:[LabelSelectorRequirement
LabelSelectorRequirement key:s operator:s values?:[s
Lifecycle PostStart:*LifecycleHandler PreStop:*LifecycleHandler StopSignal:*s
LifecycleHandler Exec:*ExecAction HTTPGet:*HTTPGetAction TCPSocket:*TCPSocketAction Sleep:*SleepAction
LocalObjectReference Name:s
LocalVolumeSource Path:s FSType:*s
ManagedFieldsEntry manager?:s operation?:s apiVersion?:s time?:*t fieldsType?:s fieldsV1?:*FieldsV1 subresource?:s
NFSVolumeSource Server:s Path:s ReadOnly:b
NodeAffinity RequiredDuringSchedulingIgnoredDuringExecution:*NodeSelector PreferredDuringSchedulingIgnoredDuringExecution:[PreferredSchedulingTerm
NodeConfigSource ConfigMap:*ConfigMapNodeConfigSource
NodeSelector NodeSelectorTerms:[NodeSelectorTerm
NodeSelectorRequirement Key:s Operator:s Values:[s
NodeSelectorTerm MatchExpressions:[NodeSelectorRequirement MatchFields:[NodeSelectorRequirement
ObjectFieldSelector APIVersion:s FieldPath:s
ObjectMeta name?:s generateName?:s namespace?:s selfLink?:s uid?:s resourceVersion?:s generation?:i creationTimestamp?:t deletionTimestamp?:*t deletionGracePeriodSeconds?:*i labels?:%s annotations?:%s ownerReferences?:[OwnerReference finalizers?:[s managedFields?:[ManagedFieldsEntry
ObjectReference Kind:s Namespace:s Name:s UID:s APIVersion:s ResourceVersion:s FieldPath:s
OwnerReference apiVersion:s kind:s name:s uid:s controller?:*b blockOwnerDeletion?:*b
PersistentVolumeClaimSpec AccessModes:[s Selector:*LabelSelector Resources:VolumeResourceRequirements VolumeName:s StorageClassName:*s VolumeMode:*s DataSource:*TypedLocalObjectReference DataSourceRef:*TypedObjectReference VolumeAttributesClassName:*s
PersistentVolumeClaimTemplate ...ObjectMeta Spec:PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource ClaimName:s ReadOnly:b
PersistentVolumeSource GCEPersistentDisk:*GCEPersistentDiskVolumeSource AWSElasticBlockStore:*AWSElasticBlockStoreVolumeSource HostPath:*HostPathVolumeSource Glusterfs:*GlusterfsPersistentVolumeSource NFS:*NFSVolumeSource RBD:*RBDPersistentVolumeSource Quobyte:*QuobyteVolumeSource ISCSI:*ISCSIPersistentVolumeSource FlexVolume:*FlexPersistentVolumeSource Cinder:*CinderPersistentVolumeSource CephFS:*CephFSPersistentVolumeSource FC:*FCVolumeSource Flocker:*FlockerVolumeSource AzureFile:*AzureFilePersistentVolumeSource VsphereVolume:*VsphereVirtualDiskVolumeSource AzureDisk:*AzureDiskVolumeSource PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource PortworxVolume:*PortworxVolumeSource ScaleIO:*ScaleIOPersistentVolumeSource Local:*LocalVolumeSource StorageOS:*StorageOSPersistentVolumeSource CSI:*CSIPersistentVolumeSource
PersistentVolumeSpec Capacity:%q ...PersistentVolumeSource AccessModes:[s ClaimRef:*ObjectReference PersistentVolumeReclaimPolicy:s StorageClassName:s MountOptions:[s VolumeMode:*s NodeAffinity:*VolumeNodeAffinity VolumeAttributesClassName:*s
PhotonPersistentDiskVolumeSource PdID:s FSType:s
PodAffinity RequiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm
PodAffinityTerm LabelSelector:*LabelSelector Namespaces:[s TopologyKey:s NamespaceSelector:*LabelSelector MatchLabelKeys:[s MismatchLabelKeys:[s
PodAntiAffinity RequiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm
PodCertificateProjection SignerName:s KeyType:s MaxExpirationSeconds:*i CredentialBundlePath:s KeyPath:s CertificateChainPath:s UserAnnotations:%s
PodDNSConfig Nameservers:[s Searches:[s Options:[PodDNSConfigOption
PodDNSConfigOption Name:s Value:*s
PodOS Name:s
PodReadinessGate ConditionType:s
PodResourceClaim Name:s ResourceClaimName:*s ResourceClaimTemplateName:*s
PodSchedulingGate Name:s
PodSchedulingGroup PodGroupName:*s
PodSecurityContext HostNetwork:b HostPID:b HostIPC:b ShareProcessNamespace:*b HostUsers:*b SELinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*i RunAsGroup:*i RunAsNonRoot:*b SupplementalGroups:[i SupplementalGroupsPolicy:*s FSGroup:*i FSGroupChangePolicy:*s Sysctls:[Sysctl SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile SELinuxChangePolicy:*s
PodSpec Volumes:[Volume InitContainers:[Container Containers:[Container EphemeralContainers:[EphemeralContainer RestartPolicy:s TerminationGracePeriodSeconds:*i ActiveDeadlineSeconds:*i DNSPolicy:s NodeSelector:%s ServiceAccountName:s AutomountServiceAccountToken:*b NodeName:s SecurityContext:*PodSecurityContext ImagePullSecrets:[LocalObjectReference Hostname:s Subdomain:s SetHostnameAsFQDN:*b Affinity:*Affinity SchedulerName:s Tolerations:[Toleration HostAliases:[HostAlias PriorityClassName:s Priority:*i PreemptionPolicy:*s DNSConfig:*PodDNSConfig ReadinessGates:[PodReadinessGate RuntimeClassName:*s Overhead:%q EnableServiceLinks:*b TopologySpreadConstraints:[TopologySpreadConstraint OS:*PodOS SchedulingGates:[PodSchedulingGate ResourceClaims:[PodResourceClaim Resources:*ResourceRequirements HostnameOverride:*s SchedulingGroup:*PodSchedulingGroup
PodTemplateSpec ...ObjectMeta Spec:PodSpec
PortworxVolumeSource VolumeID:s FSType:s ReadOnly:b
PreferredSchedulingTerm Weight:i Preference:NodeSelectorTerm
Probe ...ProbeHandler InitialDelaySeconds:i TimeoutSeconds:i PeriodSeconds:i SuccessThreshold:i FailureThreshold:i TerminationGracePeriodSeconds:*i
ProbeHandler Exec:*ExecAction HTTPGet:*HTTPGetAction TCPSocket:*TCPSocketAction GRPC:*GRPCAction
ProjectedVolumeSource Sources:[VolumeProjection DefaultMode:*i
QuobyteVolumeSource Registry:s Volume:s ReadOnly:b User:s Group:s Tenant:s
RBDPersistentVolumeSource CephMonitors=monitors:[s RBDImage=image:s FSType:s RBDPool=pool:s RadosUser=user:s Keyring:s SecretRef:*SecretReference ReadOnly:b
RBDVolumeSource CephMonitors=monitors:[s RBDImage=image:s FSType:s RBDPool=pool:s RadosUser=user:s Keyring:s SecretRef:*LocalObjectReference ReadOnly:b
ResourceClaim Name:s Request:s
ResourceFieldSelector ContainerName:s Resource:s Divisor:q
ResourceRequirements Limits:%q Requests:%q Claims:[ResourceClaim
SELinuxOptions User:s Role:s Type:s Level:s
ScaleIOPersistentVolumeSource Gateway:s System:s SecretRef:*SecretReference SSLEnabled:b ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType:s ReadOnly:b
ScaleIOVolumeSource Gateway:s System:s SecretRef:*LocalObjectReference SSLEnabled:b ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType:s ReadOnly:b
ScopeSelector MatchExpressions:[ScopedResourceSelectorRequirement
ScopedResourceSelectorRequirement ScopeName:s Operator:s Values:[s
SeccompProfile Type:s LocalhostProfile:*s
SecretEnvSource ...LocalObjectReference Optional:*b
SecretKeySelector ...LocalObjectReference Key:s Optional:*b
SecretProjection ...LocalObjectReference Items:[KeyToPath Optional:*b
SecretReference Name:s Namespace:s
SecretVolumeSource SecretName:s Items:[KeyToPath DefaultMode:*i Optional:*b
SecurityContext Capabilities:*Capabilities Privileged:*b SELinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*i RunAsGroup:*i RunAsNonRoot:*b ReadOnlyRootFilesystem:*b AllowPrivilegeEscalation:*b ProcMount:*s SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile
ServiceAccountTokenProjection Audience:s ExpirationSeconds:i Path:s
SleepAction Seconds:i
StorageOSPersistentVolumeSource VolumeName:s VolumeNamespace:s FSType:s ReadOnly:b SecretRef:*ObjectReference
StorageOSVolumeSource VolumeName:s VolumeNamespace:s FSType:s ReadOnly:b SecretRef:*LocalObjectReference
Sysctl Name:s Value:s
TCPSocketAction Port:v Host:s
Taint Key:s Value:s Effect:s TimeAdded:*t
Toleration Key:s Operator:s Value:s Effect:s TolerationSeconds:*i
TopologySpreadConstraint MaxSkew:i TopologyKey:s WhenUnsatisfiable:s LabelSelector:*LabelSelector MinDomains:*i NodeAffinityPolicy:*s NodeTaintsPolicy:*s MatchLabelKeys:[s
TypedLocalObjectReference APIGroup:*s Kind:s Name:s
TypedObjectReference APIGroup:*s Kind:s Name:s Namespace:*s
Volume Name:s ...VolumeSource
VolumeDevice Name:s DevicePath:s
VolumeMount Name:s ReadOnly:b RecursiveReadOnly:*s MountPath:s SubPath:s MountPropagation:*s SubPathExpr:s
VolumeNodeAffinity Required:*NodeSelector
VolumeProjection Secret:*SecretProjection DownwardAPI:*DownwardAPIProjection ConfigMap:*ConfigMapProjection ServiceAccountToken:*ServiceAccountTokenProjection ClusterTrustBundle:*ClusterTrustBundleProjection PodCertificate:*PodCertificateProjection
VolumeResourceRequirements Limits:%q Requests:%q
VolumeSource HostPath:*HostPathVolumeSource EmptyDir:*EmptyDirVolumeSource GCEPersistentDisk:*GCEPersistentDiskVolumeSource AWSElasticBlockStore:*AWSElasticBlockStoreVolumeSource GitRepo:*GitRepoVolumeSource Secret:*SecretVolumeSource NFS:*NFSVolumeSource ISCSI:*ISCSIVolumeSource Glusterfs:*GlusterfsVolumeSource PersistentVolumeClaim:*PersistentVolumeClaimVolumeSource RBD:*RBDVolumeSource Quobyte:*QuobyteVolumeSource FlexVolume:*FlexVolumeSource Cinder:*CinderVolumeSource CephFS:*CephFSVolumeSource Flocker:*FlockerVolumeSource DownwardAPI:*DownwardAPIVolumeSource FC:*FCVolumeSource AzureFile:*AzureFileVolumeSource ConfigMap:*ConfigMapVolumeSource VsphereVolume:*VsphereVirtualDiskVolumeSource AzureDisk:*AzureDiskVolumeSource PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource Projected:*ProjectedVolumeSource PortworxVolume:*PortworxVolumeSource ScaleIO:*ScaleIOVolumeSource StorageOS:*StorageOSVolumeSource CSI:*CSIVolumeSource Ephemeral:*EphemeralVolumeSource Image:*ImageVolumeSource
VsphereVirtualDiskVolumeSource VolumePath:s FSType:s StoragePolicyName:s StoragePolicyID:s
WeightedPodAffinityTerm Weight:i PodAffinityTerm:PodAffinityTerm
WindowsSecurityContextOptions GMSACredentialSpecName:*s GMSACredentialSpec:*s RunAsUserName:*s HostProcess:*b
apps.DaemonSetUpdateStrategy Type:s RollingUpdate:*apps.RollingUpdate
apps.DeploymentStrategy Type:s RollingUpdate:*apps.RollingUpdate
apps.RollingUpdate MaxUnavailable:v MaxSurge:v
apps.RollingUpdateStatefulSetStrategy Partition:i MaxUnavailable:*v
apps.StatefulSetUpdateStrategy Type:s RollingUpdate:*apps.RollingUpdateStatefulSetStrategy
batch.PodFailurePolicy Rules:[batch.PodFailurePolicyRule
batch.PodFailurePolicyOnExitCodesRequirement ContainerName:*s Operator:s Values:[i
batch.PodFailurePolicyOnPodConditionsPattern Type:s Status:s
batch.PodFailurePolicyRule Action:s OnExitCodes:*batch.PodFailurePolicyOnExitCodesRequirement OnPodConditions:[batch.PodFailurePolicyOnPodConditionsPattern
batch.SuccessPolicy Rules:[batch.SuccessPolicyRule
batch.SuccessPolicyRule SucceededIndexes:*s SucceededCount:*i
batch.UncountedTerminatedPods Succeeded:[s Failed:[s
certificates.CertificateSigningRequestCondition Type:s Status:s Reason:s Message:s LastUpdateTime:t LastTransitionTime:t
flowcontrol.ExemptPriorityLevelConfiguration NominalConcurrencyShares:*i LendablePercent:*i
flowcontrol.FlowDistinguisherMethod Type:s
flowcontrol.FlowSchemaSpec PriorityLevelConfiguration:flowcontrol.PriorityLevelConfigurationReference MatchingPrecedence:i DistinguisherMethod:*flowcontrol.FlowDistinguisherMethod Rules:[flowcontrol.PolicyRulesWithSubjects
flowcontrol.GroupSubject Name:s
flowcontrol.LimitResponse Type:s Queuing:*flowcontrol.QueuingConfiguration
flowcontrol.LimitedPriorityLevelConfiguration NominalConcurrencyShares:i LimitResponse:flowcontrol.LimitResponse LendablePercent:*i BorrowingLimitPercent:*i
flowcontrol.NonResourcePolicyRule Verbs:[s NonResourceURLs:[s
flowcontrol.PolicyRulesWithSubjects Subjects:[flowcontrol.Subject ResourceRules:[flowcontrol.ResourcePolicyRule NonResourceRules:[flowcontrol.NonResourcePolicyRule
flowcontrol.PriorityLevelConfigurationReference Name:s
flowcontrol.PriorityLevelConfigurationSpec Type:s Limited:*flowcontrol.LimitedPriorityLevelConfiguration Exempt:*flowcontrol.ExemptPriorityLevelConfiguration
flowcontrol.QueuingConfiguration Queues:i HandSize:i QueueLengthLimit:i
flowcontrol.ResourcePolicyRule Verbs:[s APIGroups:[s Resources:[s ClusterScope:b Namespaces:[s
flowcontrol.ServiceAccountSubject Namespace:s Name:s
flowcontrol.Subject Kind:s User:*flowcontrol.UserSubject Group:*flowcontrol.GroupSubject ServiceAccount:*flowcontrol.ServiceAccountSubject
flowcontrol.UserSubject Name:s
networking.ParentReference Group:s Resource:s Namespace:s Name:s
policy.PodDisruptionBudgetSpec MinAvailable:*v Selector:*LabelSelector MaxUnavailable:*v UnhealthyPodEvictionPolicy:*s
rbac.RoleRef APIGroup:s Kind:s Name:s
resource.AllocationResult Devices:resource.DeviceAllocationResult NodeSelector:*NodeSelector AllocationTimestamp:*t
resource.CELDeviceSelector Expression:s
resource.CapacityRequirements Requests:%q
resource.DeviceAllocationConfiguration Source:s Requests:[s ...resource.DeviceConfiguration
resource.DeviceAllocationResult Results:[resource.DeviceRequestAllocationResult Config:[resource.DeviceAllocationConfiguration
resource.DeviceAttribute IntValue=int:*i BoolValue=bool:*b StringValue=string:*s VersionValue=version:*s IntValues=ints:[i BoolValues=bools:[b StringValues=strings:[s VersionValues=versions:[s
resource.DeviceClaim Requests:[resource.DeviceRequest Constraints:[resource.DeviceConstraint Config:[resource.DeviceClaimConfiguration
resource.DeviceClaimConfiguration Requests:[s ...resource.DeviceConfiguration
resource.DeviceConfiguration Opaque:*resource.OpaqueDeviceConfiguration
resource.DeviceConstraint Requests:[s MatchAttribute:*s DistinctAttribute:*s
resource.DeviceRequest Name:s Exactly:*resource.ExactDeviceRequest FirstAvailable:[resource.DeviceSubRequest
resource.DeviceRequestAllocationResult Request:s Driver:s Pool:s Device:s AdminAccess:*b Tolerations:[resource.DeviceToleration BindingConditions:[s BindingFailureConditions:[s ShareID:*s ConsumedCapacity:%q
resource.DeviceSelector CEL:*resource.CELDeviceSelector
resource.DeviceSubRequest Name:s DeviceClassName:s Selectors:[resource.DeviceSelector AllocationMode:s Count:i Tolerations:[resource.DeviceToleration Capacity:*resource.CapacityRequirements
resource.DeviceToleration Key:s Operator:s Value:s Effect:s TolerationSeconds:*i
resource.ExactDeviceRequest DeviceClassName:s Selectors:[resource.DeviceSelector AllocationMode:s Count:i AdminAccess:*b Tolerations:[resource.DeviceToleration Capacity:*resource.CapacityRequirements
resource.OpaqueDeviceConfiguration Driver:s Parameters:*v
resource.ResourceClaimSpec Devices:resource.DeviceClaim
resource.ResourceClaimTemplateSpec ...ObjectMeta Spec:resource.ResourceClaimSpec
storage.CSINodeDriver Name:s NodeID:s TopologyKeys:[s Allocatable:*storage.VolumeNodeResources
storage.VolumeAttachmentSource PersistentVolumeName:*s InlineVolumeSpec:*PersistentVolumeSpec
storage.VolumeAttachmentSpec Attacher:s Source:storage.VolumeAttachmentSource NodeName:s
storage.VolumeNodeResources Count:*i`;

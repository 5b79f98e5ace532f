import type { TableLayout } from "../table.ts";
import {
  MUTATING_BINDING,
  MUTATING_POLICY,
  MUTATING_WEBHOOKS,
  VALIDATING_BINDING,
  VALIDATING_POLICY,
  VALIDATING_WEBHOOKS,
} from "./admission.ts";
import { API_SERVICE } from "./api-services.ts";
import { HORIZONTAL_POD_AUTOSCALER } from "./autoscaling.ts";
import { CERTIFICATE_REQUEST } from "./certificates.ts";
import {
  COMPONENT_STATUS,
  CONFIG_MAP,
  LEASE,
  NAMESPACE,
  PRIORITY_CLASS,
  RESOURCE_QUOTA,
  SECRET,
  SERVICE_ACCOUNT,
} from "./configuration.ts";
import {
  DEVICE_CLASS,
  RESOURCE_CLAIM,
  RESOURCE_CLAIM_TEMPLATE,
  RESOURCE_SLICE,
} from "./devices.ts";
import { EVENT } from "./events.ts";
import { FLOW_SCHEMA, PRIORITY_LEVEL } from "./flow-control.ts";
import { CRON_JOB, JOB } from "./jobs.ts";
import { INGRESS, INGRESS_CLASS, IP_ADDRESS, NETWORK_POLICY, SERVICE_CIDR } from "./networking.ts";
import { NODE, RUNTIME_CLASS } from "./nodes.ts";
import { POD } from "./pods.ts";
import { POD_DISRUPTION_BUDGET } from "./policy.ts";
import { CLUSTER_ROLE_BINDING, ROLE_BINDING } from "./rbac.ts";
import { ENDPOINT_SLICE, ENDPOINTS, SERVICE } from "./services.ts";
import {
  CSI_DRIVER,
  CSI_NODE,
  PERSISTENT_VOLUME,
  PERSISTENT_VOLUME_CLAIM,
  STORAGE_CLASS,
  VOLUME_ATTACHMENT,
  VOLUME_ATTRIBUTES_CLASS,
} from "./storage.ts";
import {
  CONTROLLER_REVISION,
  DAEMON_SET,
  DEPLOYMENT,
  POD_TEMPLATE,
  REPLICA_SET,
  REPLICATION_CONTROLLER,
  STATEFUL_SET,
} from "./workloads.ts";

/** By group and kind of what is stored. A kind that is not here shows its name and when it was made. */
export const LAYOUTS: Readonly<Record<string, TableLayout>> = {
  "/ComponentStatus": COMPONENT_STATUS,
  "/ConfigMap": CONFIG_MAP,
  "/Endpoints": ENDPOINTS,
  "/Event": EVENT,
  "/Namespace": NAMESPACE,
  "/Node": NODE,
  "/PersistentVolume": PERSISTENT_VOLUME,
  "/PersistentVolumeClaim": PERSISTENT_VOLUME_CLAIM,
  "/Pod": POD,
  "/PodTemplate": POD_TEMPLATE,
  "/ReplicationController": REPLICATION_CONTROLLER,
  "/ResourceQuota": RESOURCE_QUOTA,
  "/Secret": SECRET,
  "/Service": SERVICE,
  "/ServiceAccount": SERVICE_ACCOUNT,
  "admissionregistration.k8s.io/MutatingAdmissionPolicy": MUTATING_POLICY,
  "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding": MUTATING_BINDING,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": MUTATING_WEBHOOKS,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": VALIDATING_POLICY,
  "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding": VALIDATING_BINDING,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": VALIDATING_WEBHOOKS,
  "apiregistration.k8s.io/APIService": API_SERVICE,
  "apps/ControllerRevision": CONTROLLER_REVISION,
  "apps/DaemonSet": DAEMON_SET,
  "apps/Deployment": DEPLOYMENT,
  "apps/ReplicaSet": REPLICA_SET,
  "apps/StatefulSet": STATEFUL_SET,
  "autoscaling/HorizontalPodAutoscaler": HORIZONTAL_POD_AUTOSCALER,
  "batch/CronJob": CRON_JOB,
  "batch/Job": JOB,
  "certificates.k8s.io/CertificateSigningRequest": CERTIFICATE_REQUEST,
  "coordination.k8s.io/Lease": LEASE,
  "discovery.k8s.io/EndpointSlice": ENDPOINT_SLICE,
  "flowcontrol.apiserver.k8s.io/FlowSchema": FLOW_SCHEMA,
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration": PRIORITY_LEVEL,
  "networking.k8s.io/IPAddress": IP_ADDRESS,
  "networking.k8s.io/Ingress": INGRESS,
  "networking.k8s.io/IngressClass": INGRESS_CLASS,
  "networking.k8s.io/NetworkPolicy": NETWORK_POLICY,
  "networking.k8s.io/ServiceCIDR": SERVICE_CIDR,
  "node.k8s.io/RuntimeClass": RUNTIME_CLASS,
  "policy/PodDisruptionBudget": POD_DISRUPTION_BUDGET,
  "rbac.authorization.k8s.io/ClusterRoleBinding": CLUSTER_ROLE_BINDING,
  "rbac.authorization.k8s.io/RoleBinding": ROLE_BINDING,
  "resource.k8s.io/DeviceClass": DEVICE_CLASS,
  "resource.k8s.io/ResourceClaim": RESOURCE_CLAIM,
  "resource.k8s.io/ResourceClaimTemplate": RESOURCE_CLAIM_TEMPLATE,
  "resource.k8s.io/ResourceSlice": RESOURCE_SLICE,
  "scheduling.k8s.io/PriorityClass": PRIORITY_CLASS,
  "storage.k8s.io/CSIDriver": CSI_DRIVER,
  "storage.k8s.io/CSINode": CSI_NODE,
  "storage.k8s.io/StorageClass": STORAGE_CLASS,
  "storage.k8s.io/VolumeAttachment": VOLUME_ATTACHMENT,
  "storage.k8s.io/VolumeAttributesClass": VOLUME_ATTRIBUTES_CLASS,
};

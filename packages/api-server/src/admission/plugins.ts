import { type Clock, InvalidOptionError, type Random } from "@homeostat/concurrency";
import type { GroupResource, KubernetesObject } from "@homeostat/object-model";
import type {
  LimitRange,
  Namespace,
  Node,
  ResourceQuota as ResourceQuotaObject,
  ServiceAccount as ServiceAccountObject,
} from "@homeostat/object-model/core-v1";
import type { IngressClass } from "@homeostat/object-model/networking-v1";
import type { RuntimeClass as RuntimeClassObject } from "@homeostat/object-model/node-v1";
import type { DeviceClass } from "@homeostat/object-model/resource-v1";
import type { PriorityClass } from "@homeostat/object-model/scheduling-v1";
import type { StorageClass } from "@homeostat/object-model/storage-v1";
import type { Authorizer } from "../authorization/authorizer.ts";
import type { ObjectReader } from "../registry/strategy.ts";
import type { AdmissionPlugin } from "./admission.ts";
import { CertificateApproval, CertificateSigning } from "./certificate-signers.ts";
import { certificateSubjectRestriction } from "./certificate-subject-restriction.ts";
import { DefaultIngressClass } from "./default-ingress-class.ts";
import { DefaultStorageClass } from "./default-storage-class.ts";
import { defaultTolerationSeconds } from "./default-toleration-seconds.ts";
import { KnownObjects } from "./known-objects.ts";
import { LimitRanger } from "./limit-ranger.ts";
import { NamespaceLifecycle } from "./namespace-lifecycle.ts";
import { NodeDeclaredFeatureValidator } from "./node-declared-feature-validator.ts";
import { PersistentVolumeClaimResize } from "./persistent-volume-claim-resize.ts";
import { PodResizeValidator } from "./pod-resize-validator.ts";
import { PodSecurity } from "./pod-security/pod-security.ts";
import { PodTopologyLabels } from "./pod-topology-labels.ts";
import { Priority } from "./priority.ts";
import { deviceClaimMeter } from "./resource-quota/device-claim-meter.ts";
import { type QuotaWriter, ResourceQuota } from "./resource-quota/resource-quota.ts";
import { RuntimeClass } from "./runtime-class.ts";
import { ServiceAccount } from "./service-account.ts";
import { storageObjectInUseProtection } from "./storage-object-in-use-protection.ts";
import { taintNodesByCondition } from "./taint-nodes-by-condition.ts";
import { type UserDefinedPlane, userDefinedPlugins } from "./user-defined-plugins.ts";

export interface PluginsPlane extends UserDefinedPlane {
  readonly random: Random;
  readonly authorizer: Authorizer;
  readonly reader: ObjectReader;
  readonly clock: Clock;
  readonly writeQuota: QuotaWriter;
}

export interface PluginOptions {
  /** Names of plugins that are not to be asked. Default: all that kube-apiserver has on are. */
  readonly disabled?: readonly string[];
}

/** Those that kube-apiserver has on by default, in its order. */
export class Plugins implements Disposable {
  readonly chosen: readonly AdmissionPlugin[];
  readonly #known: Disposable[] = [];

  constructor(plane: PluginsPlane, { disabled = [] }: PluginOptions = {}) {
    const unknown = disabled.find((name) => !ADMISSION_PLUGINS.includes(name));
    if (unknown !== undefined) {
      const expected = "the name of an admission plugin of kube-apiserver 1.36";
      throw new InvalidOptionError({ option: "admission.disabled", got: unknown, expected });
    }
    const known = <T extends KubernetesObject>(resource: GroupResource): KnownObjects<T> => {
      const objects = new KnownObjects<T>(plane, resource);
      this.#known.push(objects);
      return objects;
    };
    const storageClasses = known<StorageClass>(STORAGE_CLASSES);
    const nodes = known<Node>(NODES);
    const lifecycle = new NamespaceLifecycle(plane);
    this.#known.push(lifecycle);
    const namespaces = known<Namespace>(NAMESPACES);
    const userDefined = userDefinedPlugins(plane, namespaces);
    this.#known.push(...userDefined);
    // ClusterTrustBundleAttest, PodGroupProtection, PodGroupWorkloadExists and JobValidation do nothing:
    // the feature gates of what they look at are off by default in 1.36.
    const all: readonly AdmissionPlugin[] = [
      lifecycle,
      new LimitRanger(known<LimitRange>(LIMIT_RANGES)),
      new ServiceAccount(known<ServiceAccountObject>(ACCOUNTS), plane.random),
      taintNodesByCondition,
      new PodSecurity(namespaces, { reader: plane.reader, figures: plane.figures.podSecurity }),
      new Priority(known<PriorityClass>(PRIORITY_CLASSES)),
      defaultTolerationSeconds,
      new DefaultStorageClass(storageClasses),
      storageObjectInUseProtection,
      new PersistentVolumeClaimResize(storageClasses),
      new RuntimeClass(known<RuntimeClassObject>(RUNTIME_CLASSES)),
      new CertificateApproval(plane.authorizer),
      new CertificateSigning(plane.authorizer),
      certificateSubjectRestriction,
      new DefaultIngressClass(known<IngressClass>(INGRESS_CLASSES)),
      new PodTopologyLabels(nodes),
      new NodeDeclaredFeatureValidator(nodes),
      new PodResizeValidator(nodes),
      ...userDefined,
      new ResourceQuota({
        quotas: known<ResourceQuotaObject>(QUOTAS),
        write: plane.writeQuota,
        deviceClaims: deviceClaimMeter({
          classes: known<DeviceClass>(DEVICE_CLASSES),
          reader: plane.reader,
        }),
        now: () => plane.clock.now(),
      }),
    ];
    this.chosen = all.filter(({ name }) => !disabled.includes(name));
  }

  [Symbol.dispose](): void {
    for (const each of this.#known) each[Symbol.dispose]();
  }
}

const ACCOUNTS = { group: "", resource: "serviceaccounts" };
const LIMIT_RANGES = { group: "", resource: "limitranges" };
const NAMESPACES = { group: "", resource: "namespaces" };
const NODES = { group: "", resource: "nodes" };
const QUOTAS = { group: "", resource: "resourcequotas" };
const DEVICE_CLASSES = { group: "resource.k8s.io", resource: "deviceclasses" };
const STORAGE_CLASSES = { group: "storage.k8s.io", resource: "storageclasses" };
const PRIORITY_CLASSES = { group: "scheduling.k8s.io", resource: "priorityclasses" };
const RUNTIME_CLASSES = { group: "node.k8s.io", resource: "runtimeclasses" };
const INGRESS_CLASSES = { group: "networking.k8s.io", resource: "ingressclasses" };

/** What kube-apiserver 1.36 has on by default, in the order in which it asks them. */
export const DEFAULT_ADMISSION_PLUGINS: readonly string[] = [
  "NamespaceLifecycle",
  "LimitRanger",
  "ServiceAccount",
  "TaintNodesByCondition",
  "PodSecurity",
  "Priority",
  "DefaultTolerationSeconds",
  "DefaultStorageClass",
  "StorageObjectInUseProtection",
  "PodGroupProtection",
  "PersistentVolumeClaimResize",
  "RuntimeClass",
  "CertificateApproval",
  "CertificateSigning",
  "ClusterTrustBundleAttest",
  "CertificateSubjectRestriction",
  "DefaultIngressClass",
  "PodTopologyLabels",
  "PodGroupWorkloadExists",
  "NodeDeclaredFeatureValidator",
  "JobValidation",
  "PodResizeValidator",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionWebhook",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionWebhook",
  "ResourceQuota",
];

/** All that kube-apiserver 1.36 knows. */
export const ADMISSION_PLUGINS: readonly string[] = [
  ...DEFAULT_ADMISSION_PLUGINS,
  "AlwaysAdmit",
  "AlwaysDeny",
  "AlwaysPullImages",
  "DenyServiceExternalIPs",
  "EventRateLimit",
  "ExtendedResourceToleration",
  "ImagePolicyWebhook",
  "LimitPodHardAntiAffinityTopology",
  "NamespaceAutoProvision",
  "NamespaceExists",
  "NodeRestriction",
  "OwnerReferencesPermissionEnforcement",
  "PodNodeSelector",
  "PodTolerationRestriction",
];

/** The kinds of the core group that need no file of their own. */

import {
  annotationOf,
  checkDns1123Subdomain,
  checkPathSegmentName,
  checkPathSegmentPrefix,
  labelOf,
  ownKey,
  Quantity,
} from "@homeostat/object-model";
import type {
  ConfigMap,
  EndpointAddress,
  Endpoints,
  LimitRange,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  ServiceAccount,
} from "@homeostat/object-model/core-v1";
import type { NameCheck, Strategy } from "../registry/strategy.ts";
import { changeCheckOf } from "../rules/change-check.ts";
import { ipWarnings } from "../rules/checks/ip-addresses.ts";
import { sealedConfigMap } from "../rules/config-map.ts";
import { replicationControllerStatusChange } from "../rules/replication-controller.ts";
import { resourceQuotaStatusChange } from "../rules/resource-quota.ts";
import { podNameWarnings, templateWarnings } from "./apps.ts";
import { preparePodTemplate } from "./pod-template.ts";
import { podWarnings } from "./pod-warnings.ts";
import { keepSpec } from "./status-updates.ts";

/** Kinds whose names only have to be safe in a URL. */
export const checkSegmentName: NameCheck = (name) => checkPathSegmentName(name);

export const configMaps: Strategy<ConfigMap> = {
  validateFixed: changeCheckOf(sealedConfigMap),
};

export const podTemplates: Strategy<PodTemplate> = {
  generation: true,
  prepareForCreate: (object) => preparePodTemplate(object.template),
  prepareForUpdate: (object, old) => preparePodTemplate(object.template, old.template),
  warnings: (object, old) =>
    old !== undefined && object.metadata.generation === old.metadata.generation
      ? []
      : podWarnings(object.template ?? {}, "template"),
};

/** Alone among the kinds: a prefix is only looked at as a part of a URL, and bytes are counted. */
const checkControllerName: NameCheck = (name, { prefix }) =>
  prefix
    ? checkPathSegmentPrefix(name)
    : checkDns1123Subdomain(name).map((problem) => problem.replace("253 characters", "253 bytes"));

export const replicationControllers: Strategy<ReplicationController> = {
  generation: true,
  checkName: checkControllerName,
  deletePropagation: "Orphan",
  selectableFields: {
    "status.replicas": (controller) => String(controller.status?.replicas ?? 0),
  },
  prepareForCreate: (controller) => preparePodTemplate(controller.spec?.template),
  prepareForUpdate: (controller, old) =>
    preparePodTemplate(controller.spec?.template, old.spec?.template),
  warnings: (controller, old) => [
    ...(old === undefined ? podNameWarnings(controller.metadata.name) : []),
    ...templateWarnings(controller, old),
  ],
  subresources: {
    status: {
      prepareForUpdate: keepSpec,
      validateUpdate: changeCheckOf(replicationControllerStatusChange),
    },
  },
};

const MOUNTABLE_SECRETS = "kubernetes.io/enforce-mountable-secrets";

export const serviceAccounts: Strategy<ServiceAccount> = {
  prepareForCreate: keepSecretNames,
  prepareForUpdate: keepSecretNames,
  warnings(account, old) {
    if (old !== undefined && annotationOf(old, MOUNTABLE_SECRETS) !== undefined) return [];
    if (annotationOf(account, MOUNTABLE_SECRETS) === undefined) return [];
    return [
      `metadata.annotations[${MOUNTABLE_SECRETS}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
    ];
  },
};

/** Secrets are of the same namespace, so nothing but the name of a reference is kept. */
function keepSecretNames(account: ServiceAccount): void {
  if (account.secrets === undefined) return;
  account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

const ENDPOINTS_MANAGER = "endpoints.kubernetes.io/managed-by";

export const endpoints: Strategy<Endpoints> = {
  createOnUpdate: true,
  warnings(object) {
    // The controller writes addresses in the one way there is.
    if (labelOf(object, ENDPOINTS_MANAGER) === "endpoint-controller") return [];
    return (object.subsets ?? []).flatMap((subset, i) =>
      (["addresses", "notReadyAddresses"] as const).flatMap((name) =>
        (subset[name] ?? []).flatMap(({ ip }: Partial<EndpointAddress>, j) =>
          ipWarnings(`subsets[${i}].${name}[${j}].ip`, ip ?? ""),
        ),
      ),
    );
  },
};

export const limitRanges: Strategy<LimitRange> = {
  createOnUpdate: true,
  prepareForCreate({ metadata }, context) {
    metadata.name ||= context.random.uuid();
  },
};

export const resourceQuotas: Strategy<ResourceQuota> = {
  warnings: (quota, old) => (old === undefined ? quotaWarnings(quota.spec?.hard) : []),
  subresources: {
    status: {
      prepareForUpdate: keepSpec,
      validateUpdate: changeCheckOf(resourceQuotaStatusChange),
    },
  },
};

function quotaWarnings(hard: { [key: string]: string | number } | undefined): readonly string[] {
  return ["cpu", "memory", "storage", "ephemeral-storage"].flatMap((name) => {
    const short = name === "cpu" || name === "memory" ? [name] : [];
    const requested = [`requests.${name}`, ...short].find((key) => ownKey(hard, key) !== undefined);
    const limited = `limits.${name}`;
    const limit = ownKey(hard, limited);
    if (requested === undefined || limit === undefined) return [];
    const [request, most] = [Quantity.fromJson(hard![requested]!), Quantity.fromJson(limit)];
    if (request.compare(most) <= 0) return [];
    return [
      `ResourceQuota ${requested} (${request.canonical()}) should be less than ${limited} (${most.canonical()})`,
    ];
  });
}

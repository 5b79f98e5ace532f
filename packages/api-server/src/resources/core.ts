/** The kinds of the core group that need no file of their own. */

import {
  annotationOf,
  checkPathSegmentName,
  FieldError,
  FieldPath,
  ownKey,
  Quantity,
} from "@homeostat/object-model";
import type {
  Endpoints,
  LimitRange,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  ServiceAccount,
} from "@homeostat/object-model/core-v1";
import type { NameCheck, Strategy } from "../registry/strategy.ts";
import { podNameWarnings, templateWarnings } from "./apps.ts";
import { FIELD_IS_IMMUTABLE } from "./field-checks.ts";
import { preparePodTemplate } from "./pod-template.ts";
import { podWarnings } from "./pod-warnings.ts";
import { statusOnly } from "./status-updates.ts";

/** Kinds whose names only have to be safe in a URL. */
export const checkSegmentName: NameCheck = (name) => checkPathSegmentName(name);

export const podTemplates: Strategy<PodTemplate> = {
  generation: true,
  prepareForCreate: (object) => preparePodTemplate(object.template),
  prepareForUpdate: (object, old) => preparePodTemplate(object.template, old.template),
  warnings: (object, old) =>
    old !== undefined && object.metadata.generation === old.metadata.generation
      ? []
      : podWarnings(object.template ?? {}, "template"),
};

export const replicationControllers: Strategy<ReplicationController> = {
  generation: true,
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
  subresources: { status: statusOnly },
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

export const endpoints: Strategy<Endpoints> = { createOnUpdate: true };

export const limitRanges: Strategy<LimitRange> = {
  createOnUpdate: true,
  prepareForCreate({ metadata }, context) {
    metadata.name ||= context.random.uuid();
  },
};

export const resourceQuotas: Strategy<ResourceQuota> = {
  validateUpdate(quota, old) {
    const scopes = new Set(quota.spec?.scopes);
    const before = new Set(old.spec?.scopes);
    if (scopes.size === before.size && [...scopes].every((scope) => before.has(scope))) return [];
    const path = FieldPath.of("spec", "scopes");
    return [FieldError.invalid(path, quota.spec?.scopes, FIELD_IS_IMMUTABLE)];
  },
  warnings: (quota, old) => (old === undefined ? quotaWarnings(quota.spec?.hard) : []),
  subresources: { status: statusOnly },
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

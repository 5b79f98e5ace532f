/** The kinds of the core group that need no file of their own. */

import {
  annotationOf,
  checkLabelKey,
  checkPathSegmentName,
  FieldError,
  FieldPath,
  ownKey,
  Quantity,
} from "@homeostat/object-model";
import type {
  Endpoints,
  Event,
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

const HOUR = 60 * 60 * 1000;

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

/** Stored as core/v1 for both of its groups. */
export const events: Strategy<Event> = {
  createOnUpdate: true,
  checkName: checkSegmentName,
  timeToLive: HOUR,
  selectableFields: {
    "involvedObject.kind": (event) => event.involvedObject?.kind ?? "",
    "involvedObject.namespace": (event) => event.involvedObject?.namespace ?? "",
    "involvedObject.name": (event) => event.involvedObject?.name ?? "",
    "involvedObject.uid": (event) => event.involvedObject?.uid ?? "",
    "involvedObject.apiVersion": (event) => event.involvedObject?.apiVersion ?? "",
    "involvedObject.resourceVersion": (event) => event.involvedObject?.resourceVersion ?? "",
    "involvedObject.fieldPath": (event) => event.involvedObject?.fieldPath ?? "",
    reason: (event) => event.reason ?? "",
    reportingComponent: (event) => event.reportingComponent ?? "",
    source: (event) => event.source?.component || (event.reportingComponent ?? ""),
    type: (event) => event.type ?? "",
  },
  validate: checkEvent,
  validateUpdate: checkEvent,
};

/** Whether the event lies in the namespace of what it is about. */
function checkEvent(event: Readonly<Event>): FieldError[] {
  const about = event.involvedObject?.namespace ?? "";
  const namespace = event.metadata.namespace ?? "";
  const isNew = event.eventTime != null;
  const homes = isNew ? ["default", "kube-system"] : ["", "default"];
  const agrees = about === "" ? homes.includes(namespace) : isNew || about === namespace;
  const errors: FieldError[] = [];
  if (!agrees) {
    const path = FieldPath.of("involvedObject", "namespace");
    errors.push(FieldError.invalid(path, about, "does not match event.namespace"));
  }
  if (isNew) errors.push(...checkReport(event));
  return errors;
}

/** Events of the newer form say who reports what. */
function checkReport(event: Readonly<Event>): FieldError[] {
  const limits = [
    ["reportingComponent", undefined],
    ["reportingInstance", 128],
    ["action", 128],
    ["reason", 128],
  ] as const;
  const errors = limits.flatMap(([name, limit]) => {
    const path = FieldPath.of(name);
    const text = event[name] ?? "";
    if (limit === undefined) {
      const problems = checkLabelKey(text).map((why) => FieldError.invalid(path, text, why));
      return text === "" ? [FieldError.required(path), ...problems] : problems;
    }
    if (text === "") return [FieldError.required(path)];
    if (Buffer.byteLength(text) <= limit) return [];
    return [FieldError.invalid(path, "", `can have at most ${limit} characters`)];
  });
  if (Buffer.byteLength(event.message ?? "") > 1024) {
    const why = "can have at most 1024 characters";
    errors.push(FieldError.invalid(FieldPath.of("message"), "", why));
  }
  return errors;
}

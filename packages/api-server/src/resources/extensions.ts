/**
 * APIServices and CustomResourceDefinitions, as objects: what the latter define is served by
 * `custom-resources/`. The name of each is decided by what it contains.
 */

import { FieldError, FieldPath, timeOfMilliseconds } from "@homeostat/object-model";
import type { CustomResourceDefinition } from "@homeostat/object-model/apiextensions-v1";
import type { APIService } from "@homeostat/object-model/apiregistration-v1";
import type { Strategy } from "../registry/strategy.ts";
import { apiServiceStatusChange } from "../rules/api-service.ts";
import { changeCheckOf } from "../rules/change-check.ts";
import { embeddedMetadata } from "../rules/definitions/embedded-metadata.ts";
import { warnOfFormats } from "../rules/definitions/format-warnings.ts";
import {
  validateDefinition,
  validateDefinitionStatus,
  validateDefinitionUpdate,
} from "../rules/definitions/validate-definition.ts";
import { checkSegmentName } from "./core.ts";
import { CLEANUP_FINALIZER, TERMINATING, withCondition } from "./definition-status.ts";
import { statusOnly, statusWithoutMetadata } from "./status-updates.ts";

const NAME = FieldPath.of("metadata", "name");

export const apiServices: Strategy<APIService> = {
  unconditionalUpdate: false,
  checkName: checkSegmentName,

  prepareForCreate(service, context) {
    service.status = {};
    if (service.spec?.service !== undefined) return;
    service.status.conditions = [
      {
        type: "Available",
        status: "True",
        lastTransitionTime: timeOfMilliseconds(context.now),
        reason: "Local",
        message: "Local APIServices are always available",
      },
    ];
  },

  subresources: {
    status: {
      ...statusWithoutMetadata,
      validateUpdate: changeCheckOf(apiServiceStatusChange),
    },
  },
};

export const customResourceDefinitions: Strategy<CustomResourceDefinition> = {
  generation: true,
  unconditionalUpdate: false,

  prepareForCreate(definition) {
    definition.status = {};
    noteStoredVersion(definition);
  },

  prepareForUpdate: noteStoredVersion,

  validate({ metadata, spec }) {
    const name = metadata.name ?? "";
    if (name === `${spec?.names?.plural ?? ""}.${spec?.group ?? ""}`) return [];
    return [FieldError.invalid(NAME, name, 'must be spec.names.plural+"."+spec.group')];
  },

  async examine({ object, old }, { subresource, breathe }) {
    if (subresource === "status") return validateDefinitionStatus(object);
    const context = { reader: embeddedMetadata, breathe };
    return old === undefined
      ? validateDefinition(object, context)
      : validateDefinitionUpdate(object, old, context);
  },

  warnings: (definition, old) => warnOfFormats(definition, old),

  // It goes when its objects are gone, which its finalizer waits for.
  mustStay: () => false,
  ignoresPropagation: true,
  prepareForDelete(definition, { now }) {
    const { metadata } = definition;
    if (metadata.deletionTimestamp) return;
    const finalizers = metadata.finalizers ?? [];
    if (!finalizers.includes(CLEANUP_FINALIZER)) finalizers.push(CLEANUP_FINALIZER);
    metadata.finalizers = finalizers;
    definition.status = withCondition(definition.status ?? NO_STATUS, TERMINATING.pending, now);
  },

  subresources: { status: statusOnly },
};

const NO_STATUS = {} as NonNullable<CustomResourceDefinition["status"]>;

/** Every version that objects may be stored in is remembered. */
function noteStoredVersion(definition: CustomResourceDefinition): void {
  const stored = definition.spec?.versions?.find((version) => version.storage);
  if (stored === undefined) return;
  // One without a name is refused for that later.
  const name = (stored.name as string | undefined) ?? "";
  const known = definition.status?.storedVersions ?? [];
  if (known.includes(name)) return;
  definition.status = { ...definition.status, storedVersions: [...known, name] };
}

import { inSlices } from "@homeostat/cel";
import {
  checkLabelKey,
  equalJson,
  FieldError,
  FieldPath,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  setOwnKey,
} from "@homeostat/object-model";
import { countOf } from "../registry/int64.ts";
import type { CustomScale } from "../registry/served-resource.ts";
import type { Strategy, SubresourceStrategy } from "../registry/strategy.ts";
import { metadataOf } from "../registry/system-metadata.ts";
import { NestedValueError, nestedInteger, nestedText, nestedValue } from "./nested-value.ts";
import type { VersionSchema } from "./version-schema.ts";

export interface CustomStrategyOptions {
  readonly schema: VersionSchema;
  readonly scale: CustomScale | undefined;
  /** Paths without the leading dot. */
  readonly selectable: readonly string[];
}

/** What one version of a custom resource has in the place of a built-in kind's strategy. */
export function customStrategy({ schema, scale, selectable }: CustomStrategyOptions): Strategy {
  return {
    unconditionalUpdate: false,
    selectableFields: Object.fromEntries(
      selectable.map((path) => [path, (object: KubernetesObject) => selectedText(object, path)]),
    ),
    prepareForCreate(object) {
      metadataOf(object).generation = 1;
    },
    prepareForUpdate: countAllChanges,
    async examine({ object, old, errors }, context) {
      const change = {
        object: object as unknown as JsonObject,
        old: old as unknown as JsonObject | undefined,
        part: context.subresource === "status" ? "status" : "all",
      } as const;
      const found = await inSlices(schema.validate(change), context.breathe);
      if (change.part === "all")
        for (const each of checkScaleSpec(change.object, scale)) found.push(each);
      for (const each of checkScaleStatus(change.object, scale)) found.push(each);
      const parts = await inSlices(schema.validateParts(change), context.breathe);
      for (const each of parts) found.push(each);
      if (!schema.hasRules) return found;
      if ([...errors, ...found].some(isBlocking)) {
        return [...found, FieldError.invalid(undefined, null, NOT_CHECKED)];
      }
      return [...found, ...(await schema.examine(change, context))];
    },
    warnings: warnOfFinalizers,
    subresources: { status: statusOnly },
  };
}

const NOT_CHECKED =
  "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

/** Errors after which the rules of a schema are not asked. */
function isBlocking({ type }: FieldError): boolean {
  return BLOCKING.has(type);
}

const BLOCKING: ReadonlySet<FieldError["type"]> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** Everything but metadata counts, the status too where clients write it with the rest. */
function countAllChanges(object: KubernetesObject, old: Readonly<KubernetesObject>): void {
  const { metadata: _, ...now } = object as unknown as JsonObject;
  const { metadata: __, ...before } = old as unknown as JsonObject;
  if (equalJson(now, before)) return;
  metadataOf(object).generation = countOf(old.metadata?.generation) + 1;
}

/** Nothing but the status passes; who manages what is kept with it. */
const statusOnly: SubresourceStrategy = {
  prepareForUpdate(object, old) {
    const target = object as unknown as JsonObject;
    const { status } = target;
    const { managedFields } = metadataOf(object);
    for (const key of Object.keys(target)) delete target[key];
    for (const [key, value] of Object.entries(old)) setOwnKey(target, key, value as JsonValue);
    object.metadata = { ...old.metadata };
    if (status === undefined) delete target["status"];
    else target["status"] = status;
    if (managedFields === undefined) delete metadataOf(object).managedFields;
    else metadataOf(object).managedFields = managedFields;
  },
};

const INT32_MAX = 2 ** 31 - 1;

function checkScaleSpec(object: JsonObject, scale: CustomScale | undefined): FieldError[] {
  return scale === undefined ? [] : checkReplicas(object, scale.specReplicasPath);
}

function checkScaleStatus(object: JsonObject, scale: CustomScale | undefined): FieldError[] {
  if (scale === undefined) return [];
  const errors = checkReplicas(object, scale.statusReplicasPath);
  const { labelSelectorPath } = scale;
  if (labelSelectorPath !== undefined) {
    try {
      nestedText(object, labelSelectorPath);
    } catch (error) {
      if (!(error instanceof NestedValueError)) throw error;
      errors.push(FieldError.invalid(FieldPath.of(labelSelectorPath), "", error.message));
    }
  }
  return errors;
}

function checkReplicas(object: JsonObject, path: string): FieldError[] {
  const place = FieldPath.of(path);
  try {
    const replicas = nestedInteger(object, path) ?? 0;
    if (replicas < 0) {
      return [FieldError.invalid(place, replicas, "should be a non-negative integer")];
    }
    if (replicas <= INT32_MAX) return [];
    return [FieldError.invalid(place, replicas, `should be less than or equal to ${INT32_MAX}`)];
  } catch (error) {
    if (!(error instanceof NestedValueError)) throw error;
    return [FieldError.invalid(place, 0, error.message)];
  }
}

/** A value as selectors compare it; what is missing, or no simple value, reads "". */
function selectedText(object: KubernetesObject, path: string): string {
  let value: JsonValue | undefined;
  try {
    value = nestedValue(object as unknown as JsonObject, path);
  } catch (error) {
    if (!(error instanceof NestedValueError)) throw error;
  }
  switch (typeof value) {
    case "string":
      return value;
    case "bigint":
    case "boolean":
    case "number":
      return `${value}`;
    default:
      return "";
  }
}

const STANDARD_FINALIZERS: ReadonlySet<string> = new Set([
  "foregroundDeletion",
  "kubernetes",
  "orphan",
]);

/** Names of finalizers that others may use too. */
function warnOfFinalizers(
  object: Readonly<KubernetesObject>,
  old: Readonly<KubernetesObject> | undefined,
): string[] {
  const before = new Set(old?.metadata?.finalizers);
  const added = new Set(object.metadata?.finalizers?.filter((name) => !before.has(name)));
  return [...added].sort().flatMap((name) => {
    const say = (problem: string): string =>
      `metadata.finalizers: ${JSON.stringify(name)}: ${problem}`;
    const warnings = checkLabelKey(name).map(say);
    if (name.includes("/") || STANDARD_FINALIZERS.has(name)) return warnings;
    const form = name.includes(".") ? "name including a path (/)" : "name";
    warnings.push(
      say(
        `prefer a domain-qualified finalizer ${form} to avoid accidental conflicts with other finalizer writers`,
      ),
    );
    return warnings;
  });
}

import type { WorkSteps } from "@homeostat/cel";
import { type JsonObject, type KubernetesObject, ownKey } from "@homeostat/object-model";
import {
  type FieldSet,
  type MergeContext,
  recursiveDifference,
  type VersionedValue,
  validateValue,
  validateValueInSteps,
} from "@homeostat/schema";
import { identifierOf, type Managed, type Operation } from "./managed-entries.ts";
import { printType, textOf } from "./managed-object.ts";
import type { ManagedVersion } from "./managed-version.ts";
import type { Writer } from "./writer.ts";

export interface ManagedKindOptions {
  readonly kind: string;
  /** The version through which is written. */
  readonly version: ManagedVersion;
  /**
   * Another version of the kind. Undefined where there is none of that name: whoever manages fields in it
   * is forgotten. Throws MergeValueError where that is an error.
   */
  versionOf(apiVersion: string): ManagedVersion | undefined;
  /** The object in that version; it may be changed on the way. */
  convert(object: KubernetesObject, apiVersion: string): KubernetesObject;
  /** "" for the object itself. */
  readonly subresource: string;
  readonly resetFields: FieldSet;
}

/**
 * A kind as it is written through one version, and through the object itself or one of its
 * subresources: what updates and applies ask of it alike.
 */
export class ManagedKind implements MergeContext {
  readonly kind: string;
  readonly version: ManagedVersion;
  readonly subresource: string;
  readonly resetFields: FieldSet;
  readonly #options: ManagedKindOptions;
  #empty: JsonObject | undefined;

  constructor(options: ManagedKindOptions) {
    this.kind = options.kind;
    this.version = options.version;
    this.subresource = options.subresource;
    this.resetFields = options.resetFields;
    this.#options = options;
  }

  /** An object of which nothing is set, as the type prints it: what a create starts from. */
  empty(): JsonObject {
    const { version, kind } = this;
    return (this.#empty ??= version.print({ kind, apiVersion: version.apiVersion }));
  }

  /** Whether there is no object yet. */
  isEmpty(live: Readonly<JsonObject>): boolean {
    return live === this.#empty;
  }

  /** The types of built-in kinds do not change while the server runs. */
  isCurrent({ stored }: Managed): boolean {
    return this.version.isTyped && stored.size > 0;
  }

  identifier({ manager }: Pick<Writer, "manager">, operation: Operation): string {
    const { version, subresource } = this;
    const { apiVersion } = version;
    return identifierOf({ manager: manager || "unknown", operation, apiVersion, subresource });
  }

  /** How messages name an object. */
  describe(object: JsonObject): string {
    const { version, kind } = this;
    const metadata = ownKey(object, "metadata") as JsonObject | undefined;
    const place = `${textOf(metadata, "namespace")}/${textOf(metadata, "name")}`;
    return `${place}; ${printType(version.apiVersion, kind)}`;
  }

  /** An object as it prints. */
  *typed(value: Readonly<JsonObject>): WorkSteps<VersionedValue> {
    const { apiVersion, schema, isTyped } = this.version;
    if (!isTyped) yield* validateValueInSteps(value, schema, { allowDuplicates: true });
    return { apiVersion, schema, value };
  }

  convert(object: VersionedValue, apiVersion: string): VersionedValue | undefined {
    if (object.apiVersion === apiVersion) return object;
    const version = this.#options.versionOf(apiVersion);
    if (version === undefined) return undefined;
    const copy = structuredClone(object.value) as KubernetesObject;
    copy.apiVersion = object.apiVersion;
    const converted = this.#options.convert(copy, apiVersion) as unknown as JsonObject;
    const value = version.print(converted);
    if (!version.isTyped) validateValue(value, version.schema);
    return { apiVersion, schema: version.schema, value };
  }

  filter(set: FieldSet): FieldSet {
    return recursiveDifference(set, this.resetFields);
  }
}

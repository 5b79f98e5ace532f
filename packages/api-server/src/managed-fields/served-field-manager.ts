import {
  type JsonObject,
  type KubernetesObject,
  parseApiVersion,
  schemaOf,
} from "@homeostat/object-model";
import { EMPTY_SET, MergeValueError } from "@homeostat/schema";
import { convert } from "../conversion/convert.ts";
import { builtinCodec } from "../registry/object-codec.ts";
import type { ResourceTable } from "../registry/resource-table.ts";
import type { CustomResource, ServedResource } from "../registry/served-resource.ts";
import { FieldManager } from "./field-manager.ts";
import { keepEmptyLists, withTemplateGeneration } from "./internal-form.ts";
import type { ManagedKindOptions } from "./managed-kind.ts";
import type { ManagedVersion } from "./managed-version.ts";
import { wantConversion } from "./remote-conversions.ts";
import { resetFieldsOf } from "./reset-fields.ts";
import { replicasPath, type ScaleMapping } from "./scale-entries.ts";

const made = new WeakMap<ServedResource, Map<string, FieldManager>>();

/**
 * The field manager of a resource, or of a subresource that speaks its kind. Made once. It throws
 * ConversionWantedError where a webhook has to convert first: see {@link convertingFieldManager}.
 */
export function fieldManagerOf(
  served: ServedResource,
  subresource: string,
  table: ResourceTable,
): FieldManager {
  let bySubresource = made.get(served);
  if (bySubresource === undefined) {
    bySubresource = new Map();
    made.set(served, bySubresource);
  }
  let manager = bySubresource.get(subresource);
  if (manager === undefined) {
    manager = convertingFieldManager(served, { subresource, table, convert: convertOf(served) });
    bySubresource.set(subresource, manager);
  }
  return manager;
}

function convertOf({ custom }: ServedResource): ManagedKindOptions["convert"] {
  if (custom === undefined) return convert;
  return custom.convertRemotely === undefined ? renamed : wantConversion;
}

interface ConvertingOptions extends Pick<ManagedKindOptions, "subresource" | "convert"> {
  readonly table: ResourceTable;
}

/** As {@link fieldManagerOf}, with objects in other versions as `convert` has them. Not kept. */
export function convertingFieldManager(
  served: ServedResource,
  { subresource, table, convert: convertTo }: ConvertingOptions,
): FieldManager {
  const { definition, stored, custom } = served;
  return new FieldManager({
    kind: definition.kind,
    version: versionOf(served),
    versionOf(apiVersion) {
      if (custom !== undefined) return customVersion(custom, apiVersion);
      const { group, version } = parseApiVersion(apiVersion);
      const other = table.find(group, version, definition.plural);
      return other?.definition.kind === definition.kind ? versionOf(other) : undefined;
    },
    convert: convertTo,
    subresource,
    resetFields: resetFieldsOf({
      groupResource: stored.groupResource,
      subresource,
      hasStatus: stored.hasStatus,
      isCustom: custom !== undefined,
    }),
  });
}

function versionOf({ apiVersion, codec, custom, stored }: ServedResource): ManagedVersion {
  if (custom !== undefined) return customVersion(custom, apiVersion);
  const isDaemonSet = stored.groupResource.resource === "daemonsets";
  return {
    apiVersion,
    get schema() {
      return codec.mergeSchema;
    },
    isTyped: true,
    print(object: JsonObject) {
      const printed = codec.print(isDaemonSet ? withTemplateGeneration(object) : object);
      return keepEmptyLists(printed, object);
    },
  };
}

/** Of a definition's versions none is forgotten: one that was removed has to be tidied up after. */
function customVersion({ codecs }: CustomResource, apiVersion: string): ManagedVersion {
  const codec = codecs.get(apiVersion);
  if (codec === undefined) {
    const detail = `request to convert CR to an invalid group/version: ${apiVersion}`;
    throw new MergeValueError([{ path: "", detail }]);
  }
  return {
    apiVersion,
    get schema() {
      return codec.mergeSchema;
    },
    isTyped: false,
    print: (object) => codec.printUnordered(object),
  };
}

/** The field manager of Scales, whatever they are of. */
export function scaleFieldManager(): FieldManager {
  return (scales ??= bodyManager({
    kind: "Scale",
    version: bodyVersion("autoscaling/v1", "autoscaling.v1.Scale"),
    subresource: "scale",
  }));
}

let scales: FieldManager | undefined;

/** The field manager of requests for tokens. */
export function tokenFieldManager(): FieldManager {
  return (tokens ??= bodyManager({
    kind: "TokenRequest",
    version: bodyVersion("authentication.k8s.io/v1", "authentication.v1.TokenRequest"),
    subresource: "token",
  }));
}

let tokens: FieldManager | undefined;

/** Of a subresource whose body is of a kind of its own. */
function bodyManager(
  options: Pick<ManagedKindOptions, "kind" | "version" | "subresource">,
): FieldManager {
  return new FieldManager({
    ...options,
    versionOf: () => undefined,
    convert: renamed,
    resetFields: EMPTY_SET,
  });
}

function bodyVersion(apiVersion: string, type: string): ManagedVersion {
  const codec = builtinCodec(schemaOf(type));
  const print = (object: JsonObject): JsonObject => codec.print(object);
  return { apiVersion, schema: codec.mergeSchema, isTyped: true, print };
}

/** Where the replicas of a resource are, in all of its versions. */
export function scaleMappingOf(served: ServedResource, table: ResourceTable): ScaleMapping {
  const { apiVersion, custom } = served;
  if (custom === undefined) {
    return { apiVersion, pathIn: new Map([[apiVersion, replicasPath(".spec.replicas")]]) };
  }
  const pathIn = new Map<string, readonly string[] | undefined>();
  for (const each of table.listCustom()) {
    if (each.custom?.definedBy !== custom.definedBy) continue;
    const path = each.custom.scale?.specReplicasPath;
    pathIn.set(each.apiVersion, path === undefined ? undefined : replicasPath(path));
  }
  return { apiVersion, pathIn };
}

/** Where no webhook converts, versions differ in their name only. */
function renamed(object: KubernetesObject, apiVersion: string): KubernetesObject {
  return { ...object, apiVersion };
}

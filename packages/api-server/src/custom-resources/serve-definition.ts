import type { KubernetesObject } from "@homeostat/object-model";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from "@homeostat/object-model/apiextensions-v1";
import { selectableValues } from "../registry/companion-commit.ts";
import type {
  CustomResource,
  CustomScale,
  ResourceDefinition,
  ServedResource,
  StoredKind,
} from "../registry/served-resource.ts";
import { kindPrefix } from "../registry/storage-key.ts";
import { isConverterTrusted } from "../resources/definition-status.ts";
import { compareVersions } from "./compare-versions.ts";
import { customCodec } from "./custom-codec.ts";
import { customKeeping, type KeepingOptions, type KeptVersion, markOf } from "./custom-keeping.ts";
import { customStrategy } from "./custom-strategy.ts";
import type { VersionConverter } from "./version-converter.ts";
import type { VersionSchema } from "./version-schema.ts";

export interface ServingOptions {
  /** Made when the schema is first needed, which for most versions is never. */
  readonly schemaOf: (version: CustomResourceDefinitionVersion) => VersionSchema;
  readonly converter: VersionConverter;
  /** Asked whenever it matters: it begins while the resource is served. */
  readonly isTerminating: () => boolean;
}

const VERBS = [
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "create",
  "update",
  "watch",
] as const;
const SUBRESOURCE_VERBS = ["get", "patch", "update"] as const;

/** One resource per served version of a definition whose names are accepted. */
export function serveDefinition(
  definition: CustomResourceDefinition,
  options: ServingOptions,
): readonly ServedResource[] {
  const { versions } = definition.spec;
  const storageVersion = versions.find((version) => version.storage) ?? versions[0]!;
  const views = new Map<string, VersionView>();
  for (const version of versions) {
    views.set(version.name, new VersionView(definition, version, options));
  }
  const codecs = new Map([...views.values()].map(({ kept }) => [kept.apiVersion, kept.codec]));
  const keeping: KeepingOptions = {
    storage: views.get(storageVersion.name)!.kept,
    converter: options.converter,
    schemaOf: (apiVersion) => views.get(apiVersion.slice(apiVersion.indexOf("/") + 1))?.kept.schema,
  };
  return versions
    .filter((version) => version.served)
    .map((version) => views.get(version.name)!.serve(keeping, { ...options, codecs }));
}

/** One version: how its objects are read, checked and kept. */
class VersionView {
  readonly #definition: CustomResourceDefinition;
  readonly #version: CustomResourceDefinitionVersion;
  readonly #kind: Omit<StoredKind, "keeping">;
  readonly kept: KeptVersion;

  constructor(
    definition: CustomResourceDefinition,
    version: CustomResourceDefinitionVersion,
    options: ServingOptions,
  ) {
    this.#definition = definition;
    this.#version = version;
    const { group, names, scope } = definition.spec;
    const { uid = "", generation = 0 } = definition.metadata;
    const apiVersion = `${group}/${version.name}`;
    const schema = lazySchema(() => options.schemaOf(version));
    const codec = customCodec(schema);
    const selectable = (version.selectableFields ?? []).map(({ jsonPath }) =>
      jsonPath.replace(/^\./, ""),
    );
    const strategy = customStrategy({ schema, scale: scaleOf(version), selectable });
    const kind = {
      groupResource: { group, resource: names.plural },
      groupKind: { group, kind: names.kind },
      apiVersion,
      kind: names.kind,
      namespaced: scope === "Namespaced",
      prefix: kindPrefix(group, names.plural, { custom: true }),
      codec,
      strategy,
      hasStatus: version.subresources?.status !== undefined,
      fieldNames: selectable,
    };
    this.#kind = kind;
    this.kept = {
      apiVersion,
      schema,
      codec,
      mark: markOf(uid, generation, version.name),
      fieldsOf: (object: KubernetesObject) => selectableValues(kind, object),
    };
  }

  serve(keeping: KeepingOptions, shared: SharedFacts): ServedResource {
    return {
      definition: resourceDefinition(this.#definition, this.#version),
      apiVersion: this.kept.apiVersion,
      codec: this.kept.codec,
      stored: { ...this.#kind, keeping: customKeeping(this.kept, keeping) },
      isStorageVersion: true,
      converts: false,
      custom: customFacts(this.#definition, this.#version, shared),
    };
  }
}

/** What the versions of a definition have in common. */
type SharedFacts = Pick<ServingOptions, "converter" | "isTerminating"> &
  Pick<CustomResource, "codecs">;

function customFacts(
  { metadata, spec }: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
  { isTerminating, converter, codecs }: SharedFacts,
): CustomResource {
  const warnings = version.deprecated
    ? [version.deprecationWarning ?? deprecationWarning(version.name, spec)]
    : [];
  return {
    definedBy: metadata.name ?? "",
    version,
    storageVersion: spec.versions.find(({ storage }) => storage)?.name ?? version.name,
    warnings,
    unusable: !isConverterTrusted(spec),
    get terminating() {
      return isTerminating();
    },
    scale: scaleOf(version),
    codecs,
    convertRemotely: converter.isRemote
      ? async (object, toApiVersion) => (await converter.convert([object], toApiVersion))[0]!
      : undefined,
    printerColumns: version.additionalPrinterColumns ?? [],
  };
}

/** Names the newest version that is still good, if there is one. */
function deprecationWarning(old: string, spec: CustomResourceDefinition["spec"]): string {
  const { group, names, versions } = spec;
  const better = versions
    .filter(({ served, deprecated }) => served && deprecated !== true)
    .map(({ name }) => name)
    .sort(compareVersions)
    .find((name) => compareVersions(name, old) < 0);
  const text = `${group}/${old} ${names.kind} is deprecated`;
  return better === undefined ? text : `${text}; use ${group}/${better} ${names.kind}`;
}

function resourceDefinition(
  { spec, status }: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
): ResourceDefinition {
  const { group } = spec;
  const names = status?.acceptedNames?.plural ? status.acceptedNames : spec.names;
  const { status: hasStatus, scale } = version.subresources ?? {};
  return {
    group,
    version: version.name,
    plural: names.plural,
    singular: names.singular ?? "",
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    scope: spec.scope === "Namespaced" ? "Namespaced" : "Cluster",
    verbs: VERBS,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    preferred: false,
    subresources: [
      ...(hasStatus === undefined
        ? []
        : [
            {
              name: "status",
              group,
              version: version.name,
              kind: names.kind,
              verbs: SUBRESOURCE_VERBS,
            },
          ]),
      ...(scale === undefined
        ? []
        : [
            {
              name: "scale",
              group: "autoscaling",
              version: "v1",
              kind: "Scale",
              verbs: SUBRESOURCE_VERBS,
            },
          ]),
    ],
  };
}

function scaleOf({ subresources }: CustomResourceDefinitionVersion): CustomScale | undefined {
  const scale = subresources?.scale;
  if (scale === undefined) return undefined;
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return { specReplicasPath, statusReplicasPath, labelSelectorPath };
}

function lazySchema(make: () => VersionSchema): VersionSchema {
  let made: VersionSchema | undefined;
  const schema = (): VersionSchema => (made ??= make());
  return {
    prune: (object, options) => schema().prune(object, options),
    applyDefaults: (object) => schema().applyDefaults(object),
    get mergeSchema() {
      return schema().mergeSchema;
    },
    get hasRules() {
      return schema().hasRules;
    },
    validate: (change) => schema().validate(change),
    validateParts: (change) => schema().validateParts(change),
    examine: (change, turns) => schema().examine(change, turns),
  };
}

import type { BuiltinResource } from "@homeostat/object-model";
import { listBuiltinResources, printApiVersion, schemaOf } from "@homeostat/object-model";
import { strategyOf } from "../resources/strategies.ts";
import { builtinCodec, type ObjectCodec } from "./object-codec.ts";
import type { ServedResource, StoredKind } from "./served-resource.ts";
import { kindPrefix } from "./storage-key.ts";

/** Kinds served in two versions or groups, kept in one: served group/resource/version -> kept. */
const KEPT_AS: Readonly<Record<string, { group: string; version: string }>> = {
  "events.k8s.io/events/v1": { group: "", version: "v1" },
  "autoscaling/horizontalpodautoscalers/v1": { group: "autoscaling", version: "v2" },
};

const CONVERTED: ReadonlySet<string> = new Set(["events", "horizontalpodautoscalers"]);

/**
 * Which resources this plane serves. Filled from the generated table; entries, their schemas and
 * strategies are made when first asked for, so that a start costs nothing per kind. Custom resources
 * come and go with their definitions (custom-resources/); a built-in one of the same name wins.
 */
export class ResourceTable {
  readonly #definitions = new Map<string, BuiltinResource>();
  readonly #served = new Map<string, ServedResource>();
  readonly #storedByName = new Map<string, StoredKind>();
  readonly #stored = new Map<string, StoredKind>();
  /** By the name of the definition. */
  readonly #custom = new Map<string, readonly ServedResource[]>();
  readonly #customServed = new Map<string, ServedResource>();
  readonly #builtinVersions = new Set<string>();
  #onRetired: ((retired: ReadonlySet<ServedResource>) => void) | undefined;

  constructor() {
    for (const definition of listBuiltinResources()) {
      this.#definitions.set(
        tableKey(definition.group, definition.version, definition.plural),
        definition,
      );
      this.#builtinVersions.add(printApiVersion(definition));
    }
  }

  find(group: string, version: string, plural: string): ServedResource | undefined {
    const key = tableKey(group, version, plural);
    const known = this.#served.get(key);
    if (known !== undefined) return known;
    const definition = this.#definitions.get(key);
    if (definition === undefined) return this.#customServed.get(key);
    const served = this.#serve(definition);
    this.#served.set(key, served);
    return served;
  }

  /** By group and plural, in the version that is kept. */
  findStored(group: string, plural: string): StoredKind | undefined {
    const name = `${group}/${plural}`;
    const known = this.#storedByName.get(name);
    if (known !== undefined) return known;
    for (const definition of this.#definitions.values()) {
      if (definition.group !== group || definition.plural !== plural) continue;
      const stored = this.find(group, definition.version, plural)!.stored;
      this.#storedByName.set(name, stored);
      return stored;
    }
    return this.#custom.get(`${plural}.${group}`)?.[0]?.stored;
  }

  hasBuiltinGroup(group: string): boolean {
    for (const definition of this.#definitions.values())
      if (definition.group === group) return true;
    return false;
  }

  /** Called with what is served no more, inside the commit that ended it. */
  whenRetired(listener: (retired: ReadonlySet<ServedResource>) => void): void {
    this.#onRetired = listener;
  }

  /**
   * What a definition serves from now on, in the place of what it served before. Versions of built-in
   * groups hold what is built in, and nothing of what is defined in them.
   */
  replaceCustom(definedBy: string, defined: readonly ServedResource[]): void {
    const served = defined.filter(({ apiVersion }) => !this.#builtinVersions.has(apiVersion));
    const before = this.#custom.get(definedBy) ?? [];
    for (const { definition } of before) {
      this.#customServed.delete(tableKey(definition.group, definition.version, definition.plural));
    }
    if (served.length === 0) this.#custom.delete(definedBy);
    else this.#custom.set(definedBy, served);
    for (const each of served) {
      const { group, version, plural } = each.definition;
      this.#customServed.set(tableKey(group, version, plural), each);
    }
    if (before.length > 0) this.#onRetired?.(new Set(before));
  }

  /** In all versions, definition by definition. */
  *listCustom(): Iterable<ServedResource> {
    for (const served of this.#custom.values()) yield* served;
  }

  #serve(definition: BuiltinResource): ServedResource {
    const { group, version, plural } = definition;
    const kept = KEPT_AS[`${group}/${plural}/${version}`];
    const keptDefinition =
      kept === undefined
        ? definition
        : this.#definitions.get(tableKey(kept.group, kept.version, plural))!;
    return {
      definition,
      apiVersion: printApiVersion({ group, version }),
      get codec(): ObjectCodec {
        return codecOf(definition.schema);
      },
      stored: this.#store(keptDefinition, definition),
      isStorageVersion: kept === undefined,
      converts: CONVERTED.has(plural),
      custom: undefined,
    };
  }

  /** `served` is the resource that errors name: the same, or the other address of the kind. */
  #store(definition: BuiltinResource, served: BuiltinResource): StoredKind {
    const { group, version, plural, kind } = definition;
    const key = tableKey(served.group, version, plural);
    let stored = this.#stored.get(key);
    if (stored === undefined) {
      const strategy = strategyOf({ group: served.group, resource: plural });
      stored = {
        groupResource: { group: served.group, resource: plural },
        groupKind: { group, kind },
        apiVersion: printApiVersion({ group, version }),
        kind,
        namespaced: definition.scope === "Namespaced",
        prefix: kindPrefix(group, plural),
        get codec(): ObjectCodec {
          return codecOf(definition.schema);
        },
        strategy,
        hasStatus: definition.subresources.some(({ name }) => name === "status"),
        fieldNames: Object.keys(strategy.selectableFields ?? {}),
        keeping: undefined,
      };
      this.#stored.set(key, stored);
    }
    return stored;
  }
}

const codecs = new Map<string, ObjectCodec>();

function codecOf(schema: string): ObjectCodec {
  let codec = codecs.get(schema);
  if (codec === undefined) {
    codec = builtinCodec(schemaOf(schema));
    codecs.set(schema, codec);
  }
  return codec;
}

/** No part can hold a space. */
function tableKey(group: string, version: string, plural: string): string {
  return `${group} ${version} ${plural}`;
}

import { type JsonObject, type ObjectSchema, schemaOf } from "@homeostat/object-model";
import { isOfManyVersions, type KindVersions, schemaOfMessage } from "./schema-of-message.ts";

interface Described {
  readonly made: JsonObject;
  /** Messages. */
  readonly refersTo: ReadonlySet<string>;
}

/** By message: the same in every document, but for kinds of many group-versions. */
const known = new Map<string, Described>();

/**
 * The schemas of one document: whatever is referred to, and what that refers to in turn.
 */
export class Components {
  readonly #versions: KindVersions;
  readonly #found = new Map<string, JsonObject>();

  constructor(versions: KindVersions) {
    this.#versions = versions;
  }

  /** A reference to a message of the API, `core.v1.Pod`. */
  refer(message: string): JsonObject {
    const schema = schemaOf(message);
    if (!this.#found.has(schema.openApiName)) {
      const { made, refersTo } = known.get(message) ?? this.#describe(schema);
      this.#found.set(schema.openApiName, made);
      for (const each of refersTo) this.refer(each);
    }
    return reference(schema.openApiName);
  }

  #describe(schema: ObjectSchema): Described {
    const refersTo = new Set<string>();
    const refer = (message: string): JsonObject => {
      refersTo.add(message);
      return reference(schemaOf(message).openApiName);
    };
    const made = schemaOfMessage(schema, { refer, versions: this.#versions });
    const described = { made, refersTo };
    if (!isOfManyVersions(schema)) known.set(schema.name, described);
    return described;
  }

  /** A reference to what every resource speaks of. */
  meta(kind: "DeleteOptions" | "Patch" | "Status" | "WatchEvent"): JsonObject {
    // A patch can be anything, so no message describes it.
    if (kind !== "Patch") return this.refer(`meta.v1.${kind}`);
    return this.add("io.k8s.apimachinery.pkg.apis.meta.v1.Patch", { type: "object" });
  }

  /** A reference to a schema that is given. */
  add(name: string, schema: JsonObject): JsonObject {
    this.#found.set(name, schema);
    return reference(name);
  }

  /** All of them, in the order of their names. */
  schemas(): JsonObject {
    const sorted = [...this.#found].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted);
  }
}

function reference(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * The paths of one resource and what can be done there: concluded from what discovery tells of it,
 * so that a document says what is served. Custom resources have less (no protobuf, no watches of the
 * old kind) and name a few things otherwise, as kube-apiserver does.
 */
import type { JsonObject, ResourceVerb } from "@homeostat/object-model";
import type { ResourceDefinition } from "../registry/served-resource.ts";
import { connectOperations, logOperation } from "./connect-operations.ts";
import type { Method, Operation, Parameter, PathOperations } from "./operation.ts";
import { capitalize, groupTitle, tagOf } from "./operation-names.ts";
import {
  COLLECTION_DELETION,
  DELETION,
  LIST,
  NAME,
  NAMESPACE,
  PATCH,
  PRETTY,
  READ_CUSTOM,
  WRITE,
} from "./parameters.ts";

export interface PublishedResource {
  readonly definition: ResourceDefinition;
  readonly isCustom: boolean;
  /** References into the document. */
  readonly schema: JsonObject;
  readonly list: JsonObject;
  /** The schema of a subresource's kind. */
  readonly schemaOfSubresource: (name: string) => JsonObject;
  readonly meta: (kind: "DeleteOptions" | "Patch" | "Status" | "WatchEvent") => JsonObject;
}

const OBJECT_TYPES = [
  "application/json",
  "application/vnd.kubernetes.protobuf",
  "application/yaml",
] as const;
const LIST_TYPES = [
  "application/json",
  "application/json;stream=watch",
  "application/vnd.kubernetes.protobuf",
  "application/vnd.kubernetes.protobuf;stream=watch",
  "application/yaml",
] as const;
const CUSTOM_TYPES = ["application/json", "application/yaml"] as const;
const CUSTOM_PATCHES = [
  "application/apply-patch+yaml",
  "application/json-patch+json",
  "application/merge-patch+json",
] as const;
const PATCHES = [...CUSTOM_PATCHES, "application/strategic-merge-patch+json"] as const;

/** Whose deletion answers with what was deleted. */
const ANSWERS_WITH_OBJECT: ReadonlySet<string> = new Set([
  "persistentvolumeclaims",
  "persistentvolumes",
  "pods",
  "podtemplates",
  "resourcequotas",
  "serviceaccounts",
  "services",
  "deviceclasses.resource.k8s.io",
  "resourceclaims.resource.k8s.io",
  "resourceclaimtemplates.resource.k8s.io",
  "resourceslices.resource.k8s.io",
  "csidrivers.storage.k8s.io",
  "csinodes.storage.k8s.io",
  "storageclasses.storage.k8s.io",
  "volumeattachments.storage.k8s.io",
  "volumeattributesclasses.storage.k8s.io",
]);

export function pathsOf(resource: PublishedResource): ReadonlyMap<string, PathOperations> {
  return new ResourcePaths(resource).build();
}

class ResourcePaths {
  readonly #resource: PublishedResource;
  readonly #root: string;
  /** `CoreV1`. */
  readonly #prefix: string;
  readonly #tag: string;
  readonly #namespaced: boolean;
  readonly #paths = new Map<string, Map<Method, Operation>>();

  constructor(resource: PublishedResource) {
    this.#resource = resource;
    const { group, version, scope } = resource.definition;
    this.#root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const name = groupTitle(group);
    this.#prefix = `${name}${capitalize(version)}`;
    this.#tag = tagOf(group, version);
    this.#namespaced = scope === "Namespaced";
  }

  build(): ReadonlyMap<string, PathOperations> {
    const { definition, isCustom } = this.#resource;
    const { plural } = definition;
    const home = this.#namespaced ? `/namespaces/{namespace}/${plural}` : `/${plural}`;
    if (this.#namespaced && this.#has("list")) this.#listEverywhere(`/${plural}`);
    this.#collection(home);
    this.#object(`${home}/{name}`);
    for (const { name } of definition.subresources) this.#subresource(`${home}/{name}`, name);
    if (this.#has("watch") && !isCustom) this.#watches(home, plural);
    return this.#paths;
  }

  #has(verb: ResourceVerb): boolean {
    return this.#resource.definition.verbs.includes(verb);
  }

  /** What follows the prefix in the name of an operation. */
  #noun(kind: string): string {
    return `${this.#namespaced ? "Namespaced" : ""}${kind}`;
  }

  get #where(): readonly Parameter[] {
    return this.#namespaced ? [NAMESPACE] : [];
  }

  get #types(): readonly string[] {
    return this.#resource.isCustom ? CUSTOM_TYPES : OBJECT_TYPES;
  }

  get #bodyTypes(): readonly string[] {
    return this.#resource.isCustom ? CUSTOM_TYPES : ["*/*"];
  }

  #add(
    path: string,
    method: Method,
    { id, parameters, ...rest }: Omit<Operation, "operationId" | "tag"> & { id: string },
  ): void {
    const whole = this.#root + path;
    let operations = this.#paths.get(whole);
    if (operations === undefined) {
      operations = new Map();
      this.#paths.set(whole, operations);
    }
    const { group, version, kind } = this.#resource.definition;
    operations.set(method, {
      kind: { group, version, kind },
      ...rest,
      operationId: id,
      tag: this.#tag,
      parameters,
    });
  }

  #listEverywhere(path: string): void {
    const { definition } = this.#resource;
    this.#add(path, "get", {
      id: `list${this.#prefix}${definition.kind}ForAllNamespaces`,
      action: "list",
      parameters: [...LIST, PRETTY],
      answers: [this.#listAnswer()],
    });
  }

  #listAnswer(): Operation["answers"][number] {
    const { list, isCustom } = this.#resource;
    return { status: 200, schema: list, types: isCustom ? CUSTOM_TYPES : LIST_TYPES };
  }

  #collection(path: string): void {
    const { definition, isCustom, schema, meta } = this.#resource;
    const noun = this.#noun(definition.kind);
    if (this.#has("list")) {
      this.#add(path, "get", {
        id: `list${this.#prefix}${noun}`,
        action: "list",
        parameters: [...LIST, ...this.#where, PRETTY],
        answers: [this.#listAnswer()],
      });
    }
    if (this.#has("create")) {
      this.#add(path, "post", this.#creation(`create${this.#prefix}${noun}`, schema, []));
    }
    if (this.#has("deletecollection")) {
      this.#add(path, "delete", {
        id: `delete${this.#prefix}Collection${noun}`,
        action: "deletecollection",
        parameters: [...(isCustom ? LIST : COLLECTION_DELETION), ...this.#where, PRETTY],
        ...(isCustom ? {} : { body: this.#optionalBody(meta("DeleteOptions")) }),
        answers: [{ status: 200, schema: meta("Status"), types: this.#types }],
      });
    }
  }

  #optionalBody(schema: JsonObject): NonNullable<Operation["body"]> {
    return { schema, types: this.#bodyTypes, required: false };
  }

  #creation(
    id: string,
    schema: JsonObject,
    more: readonly Parameter[],
  ): Omit<Operation, "operationId" | "tag"> & { id: string } {
    const types = this.#types;
    return {
      id,
      action: "post",
      parameters: [...WRITE, ...more, ...this.#where, PRETTY],
      body: { schema, types: this.#bodyTypes, required: true },
      answers: [
        { status: 200, schema, types },
        { status: 201, schema, types },
        { status: 202, schema, types },
      ],
    };
  }

  #object(path: string): void {
    const { definition, schema, meta } = this.#resource;
    const noun = this.#noun(definition.kind);
    this.#readAndWrite(path, { noun, schema, verbs: definition.verbs });
    if (!this.#has("delete")) return;
    const types = this.#types;
    const { plural, group } = definition;
    const name = group === "" ? plural : `${plural}.${group}`;
    const isKnown = !this.#resource.isCustom && ANSWERS_WITH_OBJECT.has(name);
    const answer = isKnown ? schema : meta("Status");
    this.#add(path, "delete", {
      id: `delete${this.#prefix}${noun}`,
      action: "delete",
      parameters: [...DELETION, NAME, ...this.#where, PRETTY],
      body: this.#optionalBody(meta("DeleteOptions")),
      answers: [
        { status: 200, schema: answer, types },
        { status: 202, schema: answer, types },
      ],
    });
  }

  #readAndWrite(
    path: string,
    what: {
      noun: string;
      schema: JsonObject;
      verbs: readonly ResourceVerb[];
      kind?: Operation["kind"];
    },
  ): void {
    const { noun, schema, verbs } = what;
    const { isCustom, meta } = this.#resource;
    const types = this.#types;
    const kind = what.kind === undefined ? {} : { kind: what.kind };
    const here = [NAME, ...this.#where, PRETTY];
    const updated: Operation["answers"] = [
      { status: 200, schema, types },
      { status: 201, schema, types },
    ];
    if (verbs.includes("get")) {
      this.#add(path, "get", {
        ...kind,
        id: `read${this.#prefix}${noun}`,
        action: "get",
        parameters: isCustom ? [READ_CUSTOM, ...here] : here,
        answers: [{ status: 200, schema, types }],
      });
    }
    if (verbs.includes("update")) {
      this.#add(path, "put", {
        ...kind,
        id: `replace${this.#prefix}${noun}`,
        action: "put",
        parameters: [...WRITE, ...here],
        body: { schema, types: this.#bodyTypes, required: true },
        answers: updated,
      });
    }
    if (verbs.includes("patch")) {
      this.#add(path, "patch", {
        ...kind,
        id: `patch${this.#prefix}${noun}`,
        action: "patch",
        parameters: [...PATCH, ...here],
        body: {
          schema: meta("Patch"),
          types: isCustom ? CUSTOM_PATCHES : PATCHES,
          required: true,
        },
        answers: isCustom ? updated.slice(0, 1) : updated,
      });
    }
  }

  #subresource(home: string, name: string): void {
    const { definition, isCustom, schemaOfSubresource } = this.#resource;
    const found = definition.subresources.find((each) => each.name === name)!;
    const noun = this.#noun(definition.kind) + capitalize(name);
    const { group, version, kind } = isCustom ? definition : found;
    const of = { group, version, kind };
    const path = `${home}/${name}`;
    const naming = { prefix: this.#prefix, noun, where: [NAME, ...this.#where], kind: found.kind };
    if (name === "log") {
      this.#add(path, "get", { ...logOperation(naming, this.#types), kind: of });
      return;
    }
    if (found.kind.endsWith("Options")) {
      for (const [tail, method, operation] of connectOperations(naming)) {
        this.#add(path + tail, method, { ...operation, kind: of });
      }
      return;
    }
    const schema = schemaOfSubresource(name);
    if (found.verbs.includes("create")) {
      const creation = this.#creation(`create${this.#prefix}${noun}`, schema, [NAME]);
      this.#add(path, "post", { ...creation, kind: of });
    }
    this.#readAndWrite(path, { noun, schema, verbs: found.verbs, kind: of });
  }

  #watches(home: string, plural: string): void {
    const { definition, meta } = this.#resource;
    const noun = this.#noun(definition.kind);
    const answers = [{ status: 200, schema: meta("WatchEvent"), types: LIST_TYPES }] as const;
    const list = { action: "watchlist", answers };
    const parameters = [...LIST, ...this.#where, PRETTY];
    if (this.#namespaced) {
      const id = `watch${this.#prefix}${definition.kind}ListForAllNamespaces`;
      this.#add(`/watch/${plural}`, "get", { ...list, id, parameters: [...LIST, PRETTY] });
    }
    const id = `watch${this.#prefix}${noun}`;
    this.#add(`/watch${home}`, "get", { ...list, id: `${id}List`, parameters });
    this.#add(`/watch${home}/{name}`, "get", {
      id,
      action: "watch",
      parameters: [...parameters, NAME],
      answers,
    });
  }
}

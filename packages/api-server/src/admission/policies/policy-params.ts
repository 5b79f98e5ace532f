import {
  ApiError,
  findBuiltinResourceOfKind,
  type JsonObject,
  type KubernetesObject,
  LabelSelector,
  parseApiVersion,
  printGroupVersionKind,
} from "@homeostat/object-model";
import type { ParamKind, ParamRef } from "@homeostat/object-model/admissionregistration-v1";
import type { KeyValue, Store } from "@homeostat/store";
import type { ServedResource } from "../../registry/served-resource.ts";
import { listPrefix, objectKeyIn } from "../../registry/storage-key.ts";
import { decodeStored } from "../../registry/stored-object.ts";
import type { ServedResources } from "../matching/equivalent-resources.ts";
import { printIn } from "../matching/versioned-change.ts";

/** A policy or binding that cannot be used as it is. */
export class PolicyConfigurationError extends Error {
  override readonly name: string = "PolicyConfigurationError";
  readonly code = "policy-configuration";
}

/** What is found, or why that cannot be: a namespace that is not there is a mistake of who asks for it. */
export function configured<T>(find: () => T): T | PolicyConfigurationError {
  try {
    return find();
  } catch (error) {
    if (error instanceof PolicyConfigurationError) return error;
    if (error instanceof ApiError) return new PolicyConfigurationError(error.message);
    throw error;
  }
}

/** Parameters that were decoded are remembered; of more, all are forgotten. */
const MAX_REMEMBERED = 1000;

/** The objects that bindings give to policies as parameters, as they are now. */
export class PolicyParams {
  readonly #store: Store;
  readonly #table: ServedResources;
  readonly #printed = new Map<string, { readonly revision: number; readonly json: JsonObject }>();

  constructor({ store, table }: { readonly store: Store; readonly table: ServedResources }) {
    this.#store = store;
    this.#table = table;
  }

  /** The resource of a kind. Throws PolicyConfigurationError where there is none. */
  resourceOf({ apiVersion = "", kind = "" }: ParamKind): ServedResource {
    const { group, version } = parseApiVersion(apiVersion);
    const builtin = findBuiltinResourceOfKind({ group, version, kind });
    const served = builtin && this.#table.find(group, version, builtin.plural);
    if (served !== undefined) return served;
    for (const custom of this.#table.listCustom()) {
      const { definition } = custom;
      const isIt = definition.group === group && definition.version === version;
      if (isIt && definition.kind === kind) return custom;
    }
    const named = printGroupVersionKind({ group, version, kind });
    throw new PolicyConfigurationError(
      `failed to find resource referenced by paramKind: '${named}'`,
    );
  }

  /** One null where there are no parameters to be given. Throws PolicyConfigurationError. */
  async collect(
    served: ServedResource | undefined,
    paramRef: ParamRef | undefined,
    namespace: string,
  ): Promise<readonly (JsonObject | null)[]> {
    if (served === undefined || paramRef === undefined) return [null];
    const within = namespaceOfParams(served, paramRef, namespace);
    const { name = "", selector, parameterNotFoundAction } = paramRef;
    const found: JsonObject[] = [];
    if (name !== "") {
      const value = this.#store.get(objectKeyIn(served.stored, within, name));
      if (value !== undefined) found.push(await this.#print(value, served));
    } else if (selector !== undefined) {
      const wanted = LabelSelector.fromObject(selector);
      const { items } = this.#store.list({ prefix: listPrefix(served.stored, within) });
      for (const item of items) {
        const json = await this.#print(item, served);
        const { metadata } = json as KubernetesObject;
        if (wanted.matches(metadata?.labels ?? {})) found.push(json);
      }
    } else throw new PolicyConfigurationError("one of name or selector must be provided");
    if (found.length === 0 && parameterNotFoundAction === "Deny") {
      throw new PolicyConfigurationError(
        "no params found for policy binding with `Deny` parameterNotFoundAction",
      );
    }
    return found;
  }

  async #print({ key, value, revision }: KeyValue, served: ServedResource): Promise<JsonObject> {
    const id = `${served.apiVersion} ${key}`;
    const known = this.#printed.get(id);
    if (known?.revision === revision && served.custom === undefined) return known.json;
    const { keeping } = served.stored;
    const [fresh] = keeping === undefined ? [value] : await keeping.refresh([value]);
    const { definition } = served;
    const { group, version, plural, kind } = definition;
    const matched = {
      served,
      resource: { group, version, resource: plural },
      kind: { group, version, kind },
    };
    const json = await printIn(decodeStored(fresh!, revision), served, matched);
    if (this.#printed.size >= MAX_REMEMBERED) this.#printed.clear();
    this.#printed.set(id, { revision, json });
    return json;
  }
}

function namespaceOfParams(
  { stored }: ServedResource,
  paramRef: ParamRef,
  namespace: string,
): string {
  const { namespace: given = "" } = paramRef;
  if (!stored.namespaced) {
    if (given === "") return "";
    throw new PolicyConfigurationError(
      "paramRef.namespace must not be provided for a cluster-scoped `paramKind`",
    );
  }
  if (given !== "") return given;
  if (namespace !== "") return namespace;
  throw new PolicyConfigurationError(
    "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
  );
}

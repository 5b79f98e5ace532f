import { ApiError, type JsonObject, type KubernetesObject } from "@homeostat/object-model";
import type { UserInfo } from "@homeostat/object-model/authentication-v1";
import type { DeleteOptions } from "@homeostat/object-model/meta-v1";
import { deepFreeze } from "../answers/freeze.ts";
import type { FieldManager } from "../managed-fields/field-manager.ts";
import { deleteObject } from "../registry/delete-object.ts";
import type { ObjectRepository } from "../registry/object-repository.ts";
import type { Plane } from "../registry/plane.ts";
import { PlaneReader } from "../registry/plane-reader.ts";
import { decodeStored } from "../registry/stored-object.ts";
import type { ObjectState } from "../registry/write-scope.ts";
import type { ObjectPlace, ObjectStore, UpdateOptions } from "../subresources/object-store.ts";

export interface RepositoryObjectsOptions {
  readonly plane: Plane;
  readonly user: UserInfo;
  /** See {@link WriteScope}. Default false. */
  readonly uidPrecondition?: boolean;
  /** Where the kind's warnings are left for the client. */
  readonly warnings?: string[];
  /** Keeps who manages which fields of what the server writes by itself; else that is left alone. */
  readonly fieldManager?: FieldManager;
}

/** What the server calls itself where it is a client of its own. */
const SERVER = "kube-apiserver";

/** The objects of one built-in kind, as subresources that write other objects use them. */
export class RepositoryObjects implements ObjectStore {
  readonly #repository: ObjectRepository;
  readonly #plane: Plane;
  readonly #user: UserInfo;
  readonly #uidPrecondition: boolean;
  readonly #warnings: string[];
  readonly #fieldManager: FieldManager | undefined;

  constructor(repository: ObjectRepository, options: RepositoryObjectsOptions) {
    this.#repository = repository;
    this.#plane = options.plane;
    this.#user = options.user;
    this.#uidPrecondition = options.uidPrecondition ?? false;
    this.#warnings = options.warnings ?? [];
    this.#fieldManager = options.fieldManager;
  }

  get(name: string, namespace = ""): KubernetesObject {
    const found = this.#repository.find(namespace, name);
    if (found === undefined) throw ApiError.notFound(this.#repository.kind.groupResource, name);
    return decode(found);
  }

  list(namespace = ""): Iterable<KubernetesObject> {
    return new PlaneReader(this.#plane).list(this.#repository.kind.groupResource, namespace);
  }

  async update(
    { name, namespace }: ObjectPlace,
    change: (current: KubernetesObject) => KubernetesObject | Promise<KubernetesObject>,
    { subresource, dryRun }: UpdateOptions,
  ): Promise<KubernetesObject> {
    // Scaling is an ordinary change of the object; a binding is nothing the kind would let pass.
    const scope = {
      namespace: namespace ?? "",
      subresource: subresource === "status" ? "status" : "",
      dryRun,
      user: this.#user,
      uidPrecondition: this.#uidPrecondition,
      warnings: this.#warnings,
    };
    if (subresource === "binding") {
      return decode(await this.#repository.updateUnchecked(name, scope, change));
    }
    const outcome = await this.#repository.update(name, scope, async (old) => {
      const changed = await change(structuredClone(old!));
      const writer = { manager: SERVER, now: this.#plane.clock.now() };
      this.#fieldManager?.update(old as unknown as JsonObject, changed, writer);
      return changed;
    });
    return decode(outcome);
  }

  async delete(
    name: string,
    namespace: string | undefined,
    options: DeleteOptions,
  ): Promise<KubernetesObject> {
    const scope = {
      namespace: namespace ?? "",
      subresource: "",
      dryRun: (options.dryRun ?? []).length > 0,
      user: this.#user,
    };
    return decode(await deleteObject(this.#repository, { name, options }, scope));
  }
}

function decode({ value, revision }: ObjectState): KubernetesObject {
  return deepFreeze(decodeStored(value, revision));
}

import { ApiError, type JsonObject, type KubernetesObject } from "@homeostat/object-model";
import type { Scale } from "@homeostat/object-model/autoscaling-v1";
import {
  type ScaleMapping,
  takeParentEntries,
  takeScaleEntries,
} from "../managed-fields/scale-entries.ts";
import type { ObjectRepository } from "../registry/object-repository.ts";
import type { CustomScale } from "../registry/served-resource.ts";
import { decodeStored } from "../registry/stored-object.ts";
import type { WriteScope } from "../registry/write-scope.ts";
import { NestedValueError, nestedInteger, nestedText, setNestedValue } from "./nested-value.ts";

/** Stands for replicas that the object does not say, so that a patch of something else is seen. */
const NOT_SET = -(2 ** 31);

/** The scale subresource of a custom resource: three paths of its object. */
export class CustomScales {
  readonly #repository: ObjectRepository;
  readonly #paths: CustomScale;
  readonly #mapping: ScaleMapping;

  constructor(
    repository: ObjectRepository,
    { paths, mapping }: { readonly paths: CustomScale; readonly mapping: ScaleMapping },
  ) {
    this.#repository = repository;
    this.#paths = paths;
    this.#mapping = mapping;
  }

  async get(name: string, namespace: string): Promise<Scale> {
    const found = this.#repository.get(namespace, name);
    const { value, revision } = found instanceof Promise ? await found : found;
    const { scale, isSet } = this.#scaleOf(decodeStored(value, revision));
    if (isSet) return scale;
    const path = JSON.stringify(this.#paths.specReplicasPath);
    throw ApiError.internalError(new Error(`the spec replicas field ${path} does not exist`));
  }

  /** `produce` makes the new Scale from the present one: the body of a PUT, or a patched copy. */
  async update(
    name: string,
    scope: WriteScope,
    produce: (current: Scale) => Scale | Promise<Scale>,
  ): Promise<Scale> {
    const outcome = await this.#repository.update(name, scope, async (old) => {
      if (old === undefined) throw ApiError.notFound(this.#repository.kind.groupResource, name);
      const { scale, isSet } = this.#scaleOf(old);
      if (!isSet) scale.spec = { replicas: NOT_SET };
      takeScaleEntries(scale, old, this.#mapping);
      const made = await produce(scale);
      if (made.spec?.replicas === NOT_SET) {
        const path = JSON.stringify(this.#paths.specReplicasPath);
        throw ApiError.badRequest(`the spec replicas field ${path} cannot be empty`);
      }
      const object = structuredClone(old);
      takeParentEntries(object, made, this.#mapping);
      return this.#apply(object, made);
    });
    return this.#scaleOf(decodeStored(outcome.value, outcome.revision)).scale;
  }

  #scaleOf(object: Readonly<KubernetesObject>): { scale: Scale; isSet: boolean } {
    const { specReplicasPath, statusReplicasPath, labelSelectorPath } = this.#paths;
    const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata ?? {};
    const content = object as unknown as JsonObject;
    try {
      const wanted = nestedInteger(content, specReplicasPath);
      const selector =
        labelSelectorPath === undefined ? "" : (nestedText(content, labelSelectorPath) ?? "");
      const scale: Scale = {
        kind: "Scale",
        apiVersion: "autoscaling/v1",
        metadata: {
          ...(name !== undefined && { name }),
          ...(namespace !== undefined && { namespace }),
          ...(uid !== undefined && { uid }),
          ...(resourceVersion !== undefined && { resourceVersion }),
          ...(creationTimestamp !== undefined && { creationTimestamp }),
        },
        spec: wanted === undefined || wanted === 0 ? {} : { replicas: wanted },
        status: {
          replicas: nestedInteger(content, statusReplicasPath) ?? 0,
          ...(selector !== "" && { selector }),
        },
      };
      return { scale, isSet: wanted !== undefined };
    } catch (error) {
      if (!(error instanceof NestedValueError)) throw error;
      throw new ApiError({ message: error.message, httpStatus: 500 });
    }
  }

  #apply(object: KubernetesObject, scale: Scale): KubernetesObject {
    const metadata = (object.metadata ??= {});
    const content = object as unknown as JsonObject;
    setNestedValue(content, this.#paths.specReplicasPath, scale.spec?.replicas ?? 0);
    const { uid, resourceVersion } = scale.metadata ?? {};
    if (uid) metadata.uid = uid;
    if (resourceVersion) metadata.resourceVersion = resourceVersion;
    return object;
  }
}

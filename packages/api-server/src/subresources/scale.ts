/**
 * Scale: how many replicas a workload has and should have, without knowing what kind it is. Reading
 * derives it from the object; writing changes nothing but `spec.replicas`, with the Scale's uid and
 * resource version as preconditions on the object.
 */
import {
  ApiError,
  FieldError,
  FieldPath,
  type KubernetesObject,
  LabelSelector,
} from "@homeostat/object-model";
import type { Scale } from "@homeostat/object-model/autoscaling-v1";
import type { LabelSelector as LabelSelectorObject } from "@homeostat/object-model/meta-v1";
import {
  type ScaleMapping,
  takeParentEntries,
  takeScaleEntries,
} from "../managed-fields/scale-entries.ts";
import { checkObjectMeta, nameIsDnsSubdomain } from "../resources/object-meta.ts";
import type { ObjectStore } from "./object-store.ts";

/** What Deployments, ReplicaSets, StatefulSets and ReplicationControllers have in common. */
interface Scalable extends KubernetesObject {
  spec?: { replicas?: number; selector?: LabelSelectorObject | Readonly<Record<string, string>> };
  status?: { replicas?: number };
}

/** As it is printed: without what is empty, zero replicas included. */
export function scaleOf(object: Readonly<Scalable>): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata ?? {};
  const replicas = object.spec?.replicas ?? 0;
  const selector = printSelector(object);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: object.status?.replicas ?? 0, ...(selector !== "" && { selector }) },
  };
}

/** ReplicationControllers have a plain map of labels where the others have an object selector. */
function printSelector({ spec }: Readonly<Scalable>): string {
  const { selector } = spec ?? {};
  return String(
    isPlain(selector) ? LabelSelector.fromLabels(selector) : LabelSelector.fromObject(selector),
  );
}

function isPlain(
  selector: NonNullable<Scalable["spec"]>["selector"],
): selector is Readonly<Record<string, string>> {
  const values: unknown[] = Object.values(selector ?? {});
  return values.length > 0 && values.every((value) => typeof value === "string");
}

/** Changes the object as the Scale says. */
export function applyScale(object: Scalable, scale: Readonly<Scale>): Scalable {
  const replicas = scale.spec?.replicas ?? 0;
  const metadata = (object.metadata ??= {});
  const errors = checkObjectMeta(scale.metadata ?? {}, {
    namespaced: true,
    checkName: nameIsDnsSubdomain,
    qualifiedFinalizers: true,
  });
  if (replicas < 0) {
    const path = FieldPath.of("spec", "replicas");
    errors.push(FieldError.invalid(path, replicas, "must be greater than or equal to 0"));
  }
  if (errors.length > 0) {
    const kind = { group: "autoscaling", kind: "Scale" };
    throw ApiError.invalid(kind, metadata.name ?? "", errors);
  }
  object.spec = { ...object.spec, replicas };
  const { uid, resourceVersion } = scale.metadata ?? {};
  if (uid) metadata.uid = uid;
  if (resourceVersion) metadata.resourceVersion = resourceVersion;
  else delete metadata.resourceVersion;
  return object;
}

/** The scale subresource of one resource. */
export class Scales {
  readonly #objects: ObjectStore;
  readonly #mapping: ScaleMapping;

  constructor(objects: ObjectStore, mapping: ScaleMapping) {
    this.#objects = objects;
    this.#mapping = mapping;
  }

  get(name: string, namespace: string): Scale {
    return scaleOf(this.#objects.get(name, namespace));
  }

  /** `produce` makes the new Scale from the present one: the body of a PUT, or a patched copy. */
  async update(
    place: { readonly name: string; readonly namespace: string; readonly dryRun: boolean },
    produce: (current: Scale) => Scale | Promise<Scale>,
  ): Promise<Scale> {
    const written = await this.#objects.update(
      place,
      async (current) => {
        const scale = scaleOf(current);
        takeScaleEntries(scale, current, this.#mapping);
        const made = await produce(scale);
        takeParentEntries(current, made, this.#mapping);
        return applyScale(current, made);
      },
      { subresource: "scale", dryRun: place.dryRun },
    );
    return scaleOf(written);
  }
}

import { ApiError, type KubernetesObject, LabelSelector } from "@homeostat/object-model";
import type { Namespace } from "@homeostat/object-model/core-v1";
import type { LabelSelector as SelectorObject } from "@homeostat/object-model/meta-v1";
import type { AdmissionAttributes } from "./admission-attributes.ts";

export type FindNamespace = (name: string) => Readonly<Namespace> | undefined;

/** The two selectors that webhooks and policies have. Absent ones select everything. */
export class SelectedLabels {
  readonly #namespaces: LabelSelector;
  readonly #objects: LabelSelector;

  constructor(selectors: {
    readonly namespaceSelector?: SelectorObject | undefined;
    readonly objectSelector?: SelectorObject | undefined;
  }) {
    this.#namespaces = LabelSelector.fromObject(selectors.namespaceSelector ?? {});
    this.#objects = LabelSelector.fromObject(selectors.objectSelector ?? {});
  }

  /** Whether the object, as it is to be or as it was, is selected. */
  selectsObject({ change }: AdmissionAttributes): boolean {
    const selector = this.#objects;
    return selector.isEmpty() || isSelected(change.object) || isSelected(change.old);

    function isSelected(object: Readonly<KubernetesObject> | undefined): boolean {
      return object !== undefined && selector.matches(object.metadata?.labels ?? {});
    }
  }

  /** An ApiError where there is no such namespace: to be told if everything else matches. */
  selectsNamespace(attributes: AdmissionAttributes, find: FindNamespace): boolean | ApiError {
    const { namespace, resource } = attributes;
    if (namespace === "" && resource.resource !== "namespaces") return true;
    if (this.#namespaces.isEmpty()) return true;
    const labels = namespaceLabels(attributes, find);
    return labels instanceof ApiError ? labels : this.#namespaces.matches(labels);
  }
}

/** A namespace that is being written is judged by what it is going to be. */
function namespaceLabels(
  { change, request, resource, namespace }: AdmissionAttributes,
  find: FindNamespace,
): Readonly<Record<string, string>> | ApiError {
  const { operation, object } = change;
  const isWritten = operation === "CREATE" || operation === "UPDATE";
  if (resource.resource === "namespaces" && request.subresource === "" && isWritten) {
    return object?.metadata?.labels ?? {};
  }
  const found = find(namespace);
  if (found !== undefined) return found.metadata?.labels ?? {};
  return ApiError.notFound({ group: "", resource: "namespaces" }, namespace);
}

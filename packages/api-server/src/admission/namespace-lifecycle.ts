/**
 * Admission: what may be written where, beside the kind's own rules. NamespaceLifecycle: nothing is
 * created in a namespace that does not exist or is being deleted, and some namespaces stay.
 */
import { ApiError, type KubernetesObject } from "@homeostat/object-model";
import type { StoredKind } from "../registry/served-resource.ts";
import type { WriteContext } from "../registry/strategy.ts";

const NAMESPACES = { group: "", resource: "namespaces" };
const IMMORTAL = new Set(["default", "kube-system", "kube-public"]);

export function admitToNamespace(
  kind: StoredKind,
  {
    metadata,
    namespace,
    context,
  }: {
    readonly metadata: Readonly<NonNullable<KubernetesObject["metadata"]>>;
    readonly namespace: string;
    readonly context: WriteContext;
  },
): void {
  // An object that lacks its namespace is refused for that.
  if (!kind.namespaced || namespace === "") return;
  const phase = context.reader.namespacePhase(namespace);
  if (phase === undefined) throw ApiError.notFound(NAMESPACES, namespace);
  if (phase !== "Terminating") return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const error = ApiError.forbidden(kind.groupResource, metadata.name ?? "", why);
  throw new ApiError({
    reason: error.reason,
    message: error.message,
    details: {
      ...error.details,
      causes: [
        {
          reason: "NamespaceTerminating",
          message: `namespace ${namespace} is being terminated`,
          field: "metadata.namespace",
        },
      ],
    },
  });
}

export function admitDeletion(kind: StoredKind, name: string): void {
  if (kind.groupResource.resource !== "namespaces" || kind.groupResource.group !== "") return;
  if (!IMMORTAL.has(name)) return;
  throw ApiError.forbidden(NAMESPACES, name, "this namespace may not be deleted");
}

import { ApiError } from "@homeostat/object-model";
import type { ObjectReader } from "../registry/strategy.ts";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "./admission.ts";
import type { KnownObjectsPlane } from "./known-objects.ts";
import { forbidden, withCause } from "./refusal.ts";

const NAMESPACES = { group: "", resource: "namespaces" };
const IMMORTAL = new Set(["default", "kube-system", "kube-public"]);
/** More are asked for anew. */
const MAX_ACTIVE = 10_000;

export interface NamespaceLifecyclePlane extends KnownObjectsPlane {
  readonly reader: Pick<ObjectReader, "namespacePhase">;
}

/**
 * Nothing is written in a namespace that does not exist, nothing is created in one that is being
 * deleted, and some namespaces stay. Asked first, and once more right before a commit: so nothing gets
 * into a namespace that went while others were asked.
 */
export class NamespaceLifecycle implements AdmissionPlugin, Disposable {
  readonly name = "NamespaceLifecycle";
  readonly #reader: NamespaceLifecyclePlane["reader"];
  /** Those that were seen to be active and have not changed since: a commit that changes one says so. */
  readonly #active = new Set<string>();
  readonly #stopObserving: () => void;

  constructor({ reader, store, table }: NamespaceLifecyclePlane) {
    this.#reader = reader;
    const { prefix } = table.findStored(NAMESPACES.group, NAMESPACES.resource)!;
    this.#stopObserving = store.observe(prefix, ({ key }) => {
      this.#active.delete(key.slice(prefix.length));
    });
  }

  [Symbol.dispose](): void {
    this.#stopObserving();
  }

  mutate(change: AdmittedChange, request: AdmissionRequest): void {
    if (change.operation === "DELETE") checkDeletion(request);
    else this.confirm(change, request);
  }

  confirm(change: Readonly<AdmittedChange>, request: AdmissionRequest): void {
    const { namespace } = request;
    const { operation } = change;
    if (namespace === "" || operation === "DELETE" || operation === "CONNECT") return;
    if (this.#active.has(namespace)) return;
    const phase = this.#reader.namespacePhase(namespace);
    if (phase === "Active") return this.#remember(namespace);
    // Who asks what somebody may do somewhere is not told whether that place exists.
    if (request.served.stored.groupResource.resource === "localsubjectaccessreviews") return;
    if (phase === undefined) throw ApiError.notFound(NAMESPACES, namespace);
    if (phase !== "Terminating" || operation !== "CREATE") return;
    const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
    throw withCause(forbidden(change, request, why), {
      reason: "NamespaceTerminating",
      message: `namespace ${namespace} is being terminated`,
      field: "metadata.namespace",
    });
  }

  #remember(namespace: string): void {
    if (this.#active.size >= MAX_ACTIVE) this.#active.clear();
    this.#active.add(namespace);
  }
}

function checkDeletion({ served, name }: AdmissionRequest): void {
  const { group, resource } = served.stored.groupResource;
  if (resource !== NAMESPACES.resource || group !== "" || !IMMORTAL.has(name)) return;
  throw ApiError.forbidden(NAMESPACES, name, "this namespace may not be deleted");
}

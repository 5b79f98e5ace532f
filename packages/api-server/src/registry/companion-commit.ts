import {
  type GroupResource,
  type JsonObject,
  type KubernetesObject,
  parseApiVersion,
} from "@homeostat/object-model";
import type { Operation } from "@homeostat/store";
import { fieldManagerOf } from "../managed-fields/served-field-manager.ts";
import type { Plane } from "./plane.ts";
import type { StoredKind } from "./served-resource.ts";
import { claimKey, objectKeyIn } from "./storage-key.ts";
import { encodeStored } from "./stored-object.ts";
import type { Companion } from "./strategy.ts";
import { metadataOf, stampNew } from "./system-metadata.ts";

const NOTHING: Uint8Array = new Uint8Array(0);

/** The store operations that carry out a strategy's companions. Releases of what is gone are left out. */
export function companionOperations(companions: readonly Companion[], plane: Plane): Operation[] {
  const operations: Operation[] = [];
  for (const companion of companions) {
    const operation = operationOf(companion, plane);
    if (operation !== undefined) operations.push(operation);
  }
  return operations;
}

function operationOf(companion: Companion, plane: Plane): Operation | undefined {
  switch (companion.action) {
    case "claim":
      return { type: "create", key: claimKey(companion.claim), value: NOTHING };
    case "release":
      return deleteIfThere(claimKey(companion.claim), plane);
    case "create": {
      const kind = kindOf(companion.resource, plane);
      const object = structuredClone(companion.object);
      const now = plane.clock.now();
      manageAsServer(object, kind, plane);
      stampNew(object, { now, random: plane.random });
      const { name = "", namespace = "" } = metadataOf(object);
      const value = encodeFor(kind, object);
      return { type: "create", key: objectKeyIn(kind, namespace, name), value };
    }
    case "delete": {
      const kind = kindOf(companion.resource, plane);
      return deleteIfThere(objectKeyIn(kind, companion.namespace ?? "", companion.name), plane);
    }
  }
}

/** kube-apiserver writes such objects as a client of its own. */
function manageAsServer(
  object: KubernetesObject,
  { apiVersion, groupResource }: StoredKind,
  { table, clock }: Plane,
): void {
  const { group, version } = parseApiVersion(apiVersion);
  const served = table.find(group, version, groupResource.resource);
  if (served === undefined) return;
  const manager = fieldManagerOf(served, "", table);
  manager.update(manager.empty(), object, { manager: "kube-apiserver", now: clock.now() });
}

function deleteIfThere(key: string, { store }: Plane): Operation | undefined {
  return store.get(key) === undefined ? undefined : { type: "delete", key };
}

function kindOf({ group, resource }: GroupResource, { table }: Plane): StoredKind {
  const kind = table.findStored(group, resource);
  if (kind === undefined) throw new Error(`a strategy named the unknown resource ${resource}`);
  return kind;
}

/** The bytes to keep for an object of this kind, whose definition cannot change; `old` is what is kept. */
export function encodeFor(
  kind: StoredKind,
  object: KubernetesObject,
  old?: Readonly<KubernetesObject>,
): Buffer {
  const printed = kind.codec.print(
    object as unknown as JsonObject,
    old as unknown as JsonObject | undefined,
  );
  printed["kind"] = kind.kind;
  printed["apiVersion"] = kind.apiVersion;
  return encodeStored(printed, selectableValues(kind, object));
}

/** In the order of the kind's field names. */
export function selectableValues(
  kind: Pick<StoredKind, "fieldNames" | "strategy">,
  object: KubernetesObject,
): string[] {
  const { selectableFields } = kind.strategy;
  return kind.fieldNames.map((name) => selectableFields![name]!(object));
}

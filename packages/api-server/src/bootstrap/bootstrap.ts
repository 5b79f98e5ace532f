/**
 * What a new control plane holds before anybody has written to it. The objects are data in
 * `bootstrap-objects.ts`, already as they are stored: no schema is read to start a plane, and a new one
 * gets most of them as bytes (`prepared-objects.ts`). Each is created if it is missing, and default roles
 * and bindings get back what was taken out of them, all in one commit.
 */
import {
  type JsonObject,
  type KubernetesObject,
  timeOfMilliseconds,
} from "@homeostat/object-model";
import type { ClusterRole } from "@homeostat/object-model/rbac-v1";
import type { KeyValue, Operation } from "@homeostat/store";
import { RBAC_GROUP } from "../authorization/rbac-policy.ts";
import { fieldManagerOf } from "../managed-fields/served-field-manager.ts";
import { encodeFor, selectableValues } from "../registry/companion-commit.ts";
import type { Plane } from "../registry/plane.ts";
import type { StoredKind } from "../registry/served-resource.ts";
import { objectKeyIn } from "../registry/storage-key.ts";
import { decodeStored, encodeStored } from "../registry/stored-object.ts";
import { type BootstrapObject, bootstrapObjects, objectsOfSettings } from "./bootstrap-objects.ts";
import { type Creation, type Filling, preparedCreations } from "./prepared-objects.ts";
import { reconciled } from "./reconcile-policy.ts";

export interface BootstrapOptions {
  /** Whether aggregated roles come with the rules of those that they gather. */
  readonly aggregateRoles: boolean;
}

/** `isNew`: the store was empty. */
export async function bootstrap(
  plane: Plane,
  options: BootstrapOptions,
): Promise<{ readonly isNew: boolean }> {
  const { store } = plane;
  const isNew = store.revision === 0;
  const operations =
    isNew && options.aggregateRoles ? newPlane(plane) : missingIn(plane, options.aggregateRoles);
  if (operations.length > 0) await store.transaction(operations);
  return { isNew };
}

/** The same as what is missing in an empty store. */
function newPlane({ table, settings, clock, random }: Plane): Operation[] {
  const now = timeOfMilliseconds(clock.now());
  return [
    ...preparedCreations({ now, random }),
    ...objectsOfSettings(settings, now).map((each) => creation(each, { table, now, random })),
  ];
}

function missingIn(plane: Plane, gathered: boolean): Operation[] {
  const { store, table, settings, clock, random } = plane;
  const now = timeOfMilliseconds(clock.now());
  return bootstrapObjects(settings, { now, gathered }).flatMap((each): Operation[] => {
    const kind = table.findStored(each.group, each.resource)!;
    const found = store.get(keyOf(kind, each.object));
    if (found === undefined) return [creation(each, { table, now, random })];
    if (each.group !== RBAC_GROUP) return [];
    return repair(plane, { kind, found, expected: each.object });
  });
}

/** The operation that makes a new object. Who calls gives the object away. */
export function creation(
  { group, resource, object }: BootstrapObject,
  { table, now, random }: Pick<Plane, "table"> & Filling,
): Creation {
  const kind = table.findStored(group, resource)!;
  object.metadata = { ...object.metadata, creationTimestamp: now, uid: random.uuid() };
  return { type: "create", key: keyOf(kind, object), value: encodeAsWritten(kind, object) };
}

function keyOf(kind: StoredKind, { metadata }: KubernetesObject): string {
  const { namespace = "", name = "" } = metadata!;
  return objectKeyIn(kind, namespace, name);
}

/** An object that is already as it is printed: no schema is read for it. */
export function encodeAsWritten(kind: StoredKind, object: KubernetesObject): Uint8Array {
  const { kind: name, apiVersion } = kind;
  const printed = { kind: name, apiVersion, ...object } as unknown as JsonObject;
  return encodeStored(printed, selectableValues(kind, object));
}

interface Repair {
  readonly kind: StoredKind;
  readonly found: KeyValue;
  readonly expected: KubernetesObject;
}

/** One operation, where a default role or binding lacks something. */
function repair(plane: Plane, { kind, found, expected }: Repair): Operation[] {
  const { key, revision } = found;
  const existing = decodeStored(found.value, revision);
  const object = reconciled(existing as ClusterRole, expected as ClusterRole);
  if (object === undefined) return [];
  const { table, clock } = plane;
  const served = table.find(RBAC_GROUP, "v1", kind.groupResource.resource)!;
  const live = existing as unknown as JsonObject;
  fieldManagerOf(served, "", table).update(live, object, {
    manager: "kube-apiserver",
    now: clock.now(),
  });
  return [{ type: "update", key, value: encodeFor(kind, object), expectedRevision: revision }];
}

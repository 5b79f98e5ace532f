import { equalJson, type KubernetesObject, timeOfMilliseconds } from "@homeostat/object-model";
import type { Service } from "@homeostat/object-model/core-v1";
import type { Operation } from "@homeostat/store";
import type { Plane } from "../registry/plane.ts";
import { objectKeyIn } from "../registry/storage-key.ts";
import { decodeStored } from "../registry/stored-object.ts";
import { type Advertised, advertisedObjects } from "./advertised-objects.ts";
import { encodeAsWritten } from "./bootstrap.ts";

/** Writes down where the server is, with what else is to be said; what says so already stays as it is. */
export async function advertise(
  plane: Plane,
  advertised: Advertised,
  also: readonly Operation[],
): Promise<void> {
  const { store, table, clock, random } = plane;
  const now = timeOfMilliseconds(clock.now());
  const operations: Operation[] = [...also];
  for (const { group, resource, object } of advertisedObjects(advertised, now)) {
    const kind = table.findStored(group, resource)!;
    const { namespace = "", name = "" } = object.metadata!;
    const key = objectKeyIn(kind, namespace, name);
    const found = store.get(key);
    if (found === undefined) {
      object.metadata = { ...object.metadata, creationTimestamp: now, uid: random.uuid() };
      operations.push({ type: "create", key, value: encodeAsWritten(kind, object) });
      continue;
    }
    const { revision: expectedRevision } = found;
    const existing = decodeStored(found.value, expectedRevision);
    if (equalJson(contentOf(existing), contentOf(object))) continue;
    const { uid = "", creationTimestamp = now, generation } = existing.metadata ?? {};
    object.metadata = { ...object.metadata, uid, creationTimestamp };
    if (generation !== undefined) object.metadata.generation = generation + 1;
    operations.push({
      type: "update",
      key,
      value: encodeAsWritten(kind, object),
      expectedRevision,
    });
  }
  operations.push(...aimService(plane, advertised.port));
  if (operations.length > 0) await store.transaction(operations);
}

/** The service of the plane leads to where it listens. */
function aimService({ store, table }: Plane, port: number): Operation[] {
  const kind = table.findStored("", "services")!;
  const found = store.get(objectKeyIn(kind, "default", "kubernetes"));
  if (found === undefined) return [];
  const service = decodeStored(found.value, found.revision) as Service;
  const ports = service.spec?.ports ?? [];
  if (ports.every(({ targetPort }) => targetPort === port)) return [];
  for (const each of ports) each.targetPort = port;
  const value = encodeAsWritten(kind, service);
  return [{ type: "update", key: found.key, value, expectedRevision: found.revision }];
}

/** What an object says, beside what it is. */
function contentOf(object: KubernetesObject): object {
  const { kind: _, apiVersion: __, metadata = {}, ...content } = object;
  const { labels = {}, annotations = {} } = metadata;
  return { ...content, labels, annotations };
}

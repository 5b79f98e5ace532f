/**
 * What a new control plane holds before anybody has written to it. The objects are data in
 * `bootstrap-objects.ts`; each is created if it is missing, in one commit.
 */
import type { KubernetesObject } from "@homeostat/object-model";
import type { Operation } from "@homeostat/store";
import { encodeFor } from "../registry/companion-commit.ts";
import type { Plane } from "../registry/plane.ts";
import { objectKeyIn } from "../registry/storage-key.ts";
import { stampNew } from "../registry/system-metadata.ts";
import { bootstrapObjects } from "./bootstrap-objects.ts";

export async function bootstrap(plane: Plane): Promise<void> {
  const { store, table, clock, random } = plane;
  const operations: Operation[] = [];
  for (const { group, resource, object: template } of bootstrapObjects(plane.settings)) {
    const kind = table.findStored(group, resource)!;
    const { namespace = "", name = "" } = template.metadata!;
    const key = objectKeyIn(kind, namespace, name);
    if (store.get(key) !== undefined) continue;
    const object: KubernetesObject = structuredClone(template);
    stampNew(object, { now: clock.now(), random });
    if (kind.strategy.generation === true) object.metadata!.generation = 1;
    operations.push({ type: "create", key, value: encodeFor(kind, object) });
  }
  if (operations.length > 0) await store.transaction(operations);
}

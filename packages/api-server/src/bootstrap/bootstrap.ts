/**
 * What a new control plane holds before anybody has written to it. The objects are data in
 * `bootstrap-objects.ts`, already as they are stored: no schema is read to start a plane. Each is
 * created if it is missing, all in one commit.
 */
import {
  type JsonObject,
  type KubernetesObject,
  timeOfMilliseconds,
} from "@homeostat/object-model";
import type { Operation } from "@homeostat/store";
import { selectableValues } from "../registry/companion-commit.ts";
import type { Plane } from "../registry/plane.ts";
import { objectKeyIn } from "../registry/storage-key.ts";
import { encodeStored } from "../registry/stored-object.ts";
import { stampNew } from "../registry/system-metadata.ts";
import { bootstrapObjects, NOW } from "./bootstrap-objects.ts";

export async function bootstrap(plane: Plane): Promise<void> {
  const { store, table, clock, random } = plane;
  const operations: Operation[] = [];
  for (const { group, resource, object: template } of bootstrapObjects(plane.settings)) {
    const kind = table.findStored(group, resource)!;
    const { namespace = "", name = "" } = template.metadata!;
    const key = objectKeyIn(kind, namespace, name);
    if (store.get(key) !== undefined) continue;
    const object = cloneAt(template, timeOfMilliseconds(clock.now()));
    stampNew(object, { now: clock.now(), random });
    const printed = {
      kind: kind.kind,
      apiVersion: kind.apiVersion,
      ...object,
    } as unknown as JsonObject;
    operations.push({
      type: "create",
      key,
      value: encodeStored(printed, selectableValues(kind, object)),
    });
  }
  if (operations.length > 0) await store.transaction(operations);
}

function cloneAt(template: KubernetesObject, now: string): KubernetesObject {
  return JSON.parse(JSON.stringify(template), (_, value: unknown) => (value === NOW ? now : value));
}

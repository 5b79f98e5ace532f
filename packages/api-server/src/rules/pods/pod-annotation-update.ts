import { ownKey } from "@homeostat/object-model";
import type { Pod } from "@homeostat/object-model/core-v1";
import type { Place } from "@homeostat/schema";
import { factsOfPod } from "./facts-of-pod.ts";
import { APP_ARMOR_CONTAINER, checkPodAnnotations, MIRROR_POD } from "./pod-annotations.ts";

/** Annotations that decide how a container is confined stay as they are. */
export function checkAnnotationUpdate(pod: Readonly<Pod>, old: Readonly<Pod>, place: Place): void {
  const at = place.child("metadata").child("annotations");
  const annotations = pod.metadata.annotations;
  const before = old.metadata.annotations;
  const refuse = (key: string, verb: string): void => {
    if (key.startsWith(APP_ARMOR_CONTAINER)) {
      at.key(key).forbidden(`may not ${verb} AppArmor annotations`);
    }
    if (key === MIRROR_POD) {
      at.key(key).forbidden(`may not ${verb} mirror pod annotation`);
    }
  };
  for (const [key, value] of Object.entries(before ?? {})) {
    if (ownKey(annotations, key) !== value) refuse(key, "remove or update");
  }
  for (const key of Object.keys(annotations ?? {})) {
    if (ownKey(before, key) === undefined) refuse(key, "add");
  }
  checkAnnotationsOfPod(pod, old, place);
}

/** What the annotations say, without what became of them. `place` is the pod's. */
export function checkAnnotationsOfPod(
  pod: Readonly<Pod>,
  old: Readonly<Pod> | undefined,
  place: Place,
): void {
  const { annotations } = pod.metadata;
  const oldAnnotations = old?.metadata.annotations;
  const at = place.knowing(factsOfPod(pod, old)).child("metadata").child("annotations");
  checkPodAnnotations({ annotations, oldAnnotations, isUpdate: old !== undefined }, at);
}

/** Annotations that held init containers before the field existed; kube-apiserver drops them. */
import type { ObjectMeta } from "@homeostat/object-model";
import type { Unchecked } from "./type-rules.ts";

const DROPPED = [
  "pod.beta.kubernetes.io/init-containers",
  "pod.alpha.kubernetes.io/init-containers",
  "pod.beta.kubernetes.io/init-container-statuses",
  "pod.alpha.kubernetes.io/init-container-statuses",
];

export function dropInitContainerAnnotations(metadata: Unchecked<ObjectMeta> | undefined): void {
  const annotations = metadata?.annotations;
  if (!annotations) return;
  for (const name of DROPPED) {
    if (Object.hasOwn(annotations, name)) Reflect.deleteProperty(annotations, name);
  }
}

/**
 * Objects of one built-in kind in its other served versions. Only two kinds are served in several
 * stable versions: Event (kept as core/v1) and HorizontalPodAutoscaler (kept as autoscaling/v2).
 * Conversion is pure and gives kube-apiserver's result; what the other version has no field for
 * travels in annotations, so that nothing is lost on the way there and back.
 */
import type { KubernetesObject } from "@homeostat/object-model";
import type { HorizontalPodAutoscaler as AutoscalerV1 } from "@homeostat/object-model/autoscaling-v1";
import type { HorizontalPodAutoscaler as AutoscalerV2 } from "@homeostat/object-model/autoscaling-v2";
import type { Event as CoreEvent } from "@homeostat/object-model/core-v1";
import type { Event as NewEvent } from "@homeostat/object-model/events-v1";
import { eventOfCore, eventToCore } from "./event.ts";
import { autoscalerToV1, autoscalerToV2, dropCarriedFields } from "./horizontal-pod-autoscaler.ts";

export class UnknownConversionError extends Error {
  override readonly name: string = "UnknownConversionError";
  readonly code = "unknown-conversion";

  constructor(object: KubernetesObject, toApiVersion: string) {
    super(`a ${object.kind} of ${object.apiVersion} cannot be converted to ${toApiVersion}`);
  }
}

/**
 * The object in that version: a new tree that may share parts with the given one, or the given one
 * itself where nothing has to change.
 */
export function convert(object: KubernetesObject, toApiVersion: string): KubernetesObject {
  switch (`${object.kind} ${object.apiVersion ?? ""} ${toApiVersion}`) {
    case "Event v1 events.k8s.io/v1":
      return eventOfCore(object as CoreEvent);
    case "Event events.k8s.io/v1 v1":
      return eventToCore(object as NewEvent);
    case "HorizontalPodAutoscaler autoscaling/v1 autoscaling/v2":
      return autoscalerToV2(object as AutoscalerV1);
    case "HorizontalPodAutoscaler autoscaling/v2 autoscaling/v1":
      return autoscalerToV1(object as AutoscalerV2);
    case "HorizontalPodAutoscaler autoscaling/v2 autoscaling/v2":
      return dropCarriedFields(object);
    default:
      if (object.apiVersion === toApiVersion) return object;
      throw new UnknownConversionError(object, toApiVersion);
  }
}

/**
 * Which fields a field selector may name at an address, by which stored field each is answered, and
 * what is said of the others. Kinds that select by more than their name each word it differently.
 */

import type { GroupVersionResource } from "@homeostat/object-model";
import { strategyOf } from "./strategies.ts";

export type FieldLabel =
  /** The name under which the value is kept: one of the strategy's selectable fields or metadata. */
  | { readonly field: string }
  /** The message of the refusal (400). */
  | { readonly problem: string };

const NAME = "metadata.name";
const NAMESPACE = "metadata.namespace";

/** Cluster-scoped kinds that refuse the namespace; the others accept it and find nothing. */
const WITHOUT_NAMESPACE: ReadonlySet<string> = new Set([
  "/namespaces",
  "/nodes",
  "certificates.k8s.io/certificatesigningrequests",
  "resource.k8s.io/resourceslices",
]);

/** Fields of events at their newer address; no others are known there. */
const EVENT_FIELDS: ReadonlyMap<string, string> = new Map([
  ["reason", "reason"],
  ["regarding.kind", "involvedObject.kind"],
  ["regarding.namespace", "involvedObject.namespace"],
  ["regarding.name", "involvedObject.name"],
  ["regarding.uid", "involvedObject.uid"],
  ["regarding.apiVersion", "involvedObject.apiVersion"],
  ["regarding.resourceVersion", "involvedObject.resourceVersion"],
  ["regarding.fieldPath", "involvedObject.fieldPath"],
  ["reportingController", "reportingComponent"],
  ["type", "type"],
  [NAME, NAME],
  [NAMESPACE, NAMESPACE],
]);

export function resolveFieldLabel(served: GroupVersionResource, label: string): FieldLabel {
  const { group, version, resource } = served;
  const key = `${group}/${resource}`;
  if (key === "events.k8s.io/events") {
    const field = EVENT_FIELDS.get(label);
    return field === undefined ? { problem: `field label not supported: ${label}` } : { field };
  }
  // A former name.
  if (key === "/pods" && label === "spec.host") return { field: "spec.nodeName" };
  if (label === NAME) return { field: label };
  if (label === NAMESPACE && !WITHOUT_NAMESPACE.has(key)) return { field: label };
  const fields = strategyOf(served).selectableFields;
  if (fields !== undefined && Object.hasOwn(fields, label)) return { field: label };
  if (fields === undefined) {
    const text = JSON.stringify(label);
    return { problem: `${text} is not a known field selector: only "${NAME}", "${NAMESPACE}"` };
  }
  switch (key) {
    case "batch/jobs":
      return { problem: `field label ${JSON.stringify(label)} not supported for Job` };
    case "resource.k8s.io/resourceslices":
      return {
        problem: `field label not supported for ${group}/${version}, Kind=ResourceSlice: ${label}`,
      };
    default:
      return { problem: `field label not supported: ${label}` };
  }
}

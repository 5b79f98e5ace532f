import type { Pod } from "@homeostat/object-model/core-v1";
import type { AdmittedChange } from "./admission.ts";

/** Whether what a pod on a node shall do changes: its generation counts exactly that. */
export function isChangedOnNode({ operation, object, old }: Readonly<AdmittedChange>): boolean {
  if (operation !== "UPDATE" || !(object as Pod).spec?.nodeName) return false;
  return object?.metadata?.generation !== old?.metadata?.generation;
}

import type { JsonObject } from "@homeostat/object-model";
import type { AdmissionAttributes } from "./admission-attributes.ts";

/** The options of a request, as a webhook is told them; null for a connection, which has none. */
export function operationOptions({ change, request }: AdmissionAttributes): JsonObject | null {
  const { operation } = change;
  if (operation === "CONNECT") return null;
  if (operation === "DELETE") {
    const { kind: _, apiVersion: __, ...options } = request.deleteOptions ?? {};
    return { kind: "DeleteOptions", apiVersion: META, ...(options as JsonObject) };
  }
  const { dryRun, fieldManager, fieldValidation } = request;
  return {
    kind: operation === "CREATE" ? "CreateOptions" : "UpdateOptions",
    apiVersion: META,
    ...(dryRun ? { dryRun: ["All"] } : {}),
    ...(fieldManager === "" ? {} : { fieldManager }),
    ...(fieldValidation === "" ? {} : { fieldValidation }),
  };
}

const META = "meta.k8s.io/v1";

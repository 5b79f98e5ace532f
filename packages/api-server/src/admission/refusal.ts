import { ApiError, type StatusCause } from "@homeostat/object-model";
import type { AdmissionRequest, AdmittedChange } from "./admission.ts";

/** Forbidden, in the words of a plugin; names the object as far as its name is known yet. */
export function forbidden(
  { object }: Readonly<AdmittedChange>,
  { served, name }: AdmissionRequest,
  why: string,
): ApiError {
  const { metadata } = object ?? {};
  const shown = name || metadata?.name || metadata?.generateName || "Unknown";
  return ApiError.forbidden(served.stored.groupResource, shown, why);
}

/** The same error with what a program can tell it by. */
export function withCause({ reason, message, details }: ApiError, cause: StatusCause): ApiError {
  const causes = [...(details?.causes ?? []), cause];
  return new ApiError({ reason, message, details: { ...details, causes } });
}

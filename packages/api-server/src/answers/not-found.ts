import { ApiError } from "@homeostat/object-model";
import type { Answer } from "./answer.ts";

/** An address that no part of the API knows. */
export function pageNotFound(): Answer {
  return {
    status: 404,
    headers: { "x-content-type-options": "nosniff" },
    payload: {
      kind: "text",
      contentType: "text/plain; charset=utf-8",
      text: "404 page not found\n",
    },
  };
}

/** An address in a group that is served, where there is nothing. */
export function resourceNotFound(): ApiError {
  return new ApiError({
    reason: "NotFound",
    message: "the server could not find the requested resource",
    details: {},
  });
}

export function methodNotAllowed(): ApiError {
  return new ApiError({
    reason: "MethodNotAllowed",
    message: "the server does not allow this method on the requested resource",
    details: {},
  });
}

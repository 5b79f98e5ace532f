/**
 * Calls to programs of the plane's users: conversion now, admission to come. What goes out and what
 * comes back is bounded in size and time; a redirect is a failure; no answer is ever logged.
 */
import type { JsonObject, JsonValue } from "@homeostat/object-model";

/** Where a webhook is. */
export interface WebhookTarget {
  readonly url: string;
  /** PEM certificates to trust; undefined for those the system trusts. */
  readonly authorities: string | undefined;
  /** The name its certificate must have, where that is not the host of the URL. */
  readonly serverName: string | undefined;
  readonly timeoutSeconds: number;
}

export interface WebhookClient {
  /** The JSON that the webhook answers. Rejects with what went wrong, in words for the caller. */
  post(target: WebhookTarget, body: JsonObject): Promise<JsonValue>;
}

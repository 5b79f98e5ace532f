/**
 * Calls to programs of the plane's users: conversion and admission. What goes out and what comes back
 * is bounded in size and time; a redirect is a failure; no answer is ever logged. A URL may name this
 * very machine (that is how tests and development serve webhooks, and kube-apiserver takes it too),
 * but never a link-local, unspecified or multicast address; what was checked is what is connected to.
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
  /** Where to connect to, where that is not the host of the URL. */
  readonly address?: WebhookAddress | undefined;
}

/** `host`: an IP address or a name. */
export interface WebhookAddress {
  readonly host: string;
  readonly port: number;
}

export interface ServiceLocation {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

interface WebhookCallOptions {
  /** Ends the call; a TimeoutError as its reason is told as a deadline. */
  readonly signal?: AbortSignal | undefined;
}

export interface WebhookClient {
  /** The JSON that the webhook answers. Rejects with what went wrong, in words for the caller. */
  post(target: WebhookTarget, body: JsonObject, options?: WebhookCallOptions): Promise<JsonValue>;
}

/** A webhook that cannot be asked, or does not answer as one. */
export class WebhookError extends Error {
  override readonly name: string = "WebhookError";
  readonly code = "webhook";
}

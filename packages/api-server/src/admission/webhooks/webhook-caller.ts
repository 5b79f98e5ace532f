import { type Clock, type Random, timeoutSignal } from "@homeostat/concurrency";
import { ApiError, goQuote, type JsonObject, type JsonValue } from "@homeostat/object-model";
import type { WebhookClientConfig } from "@homeostat/object-model/admissionregistration-v1";
import { type ServiceAddressOptions, serviceAddress } from "../../webhooks/service-address.ts";
import {
  type WebhookClient,
  WebhookError,
  type WebhookTarget,
} from "../../webhooks/webhook-client.ts";
import type { AdmissionAttributes, MatchedResource } from "../matching/admission-attributes.ts";
import { admissionRequestJson } from "../matching/admission-review.ts";
import type { VersionedChange } from "../matching/versioned-change.ts";
import type { RegisteredWebhook } from "./registered-webhook.ts";
import {
  denial,
  type ReviewResponse,
  type ReviewVersion,
  readResponse,
} from "./review-response.ts";

/** A webhook could not be asked, or answered nonsense: its failurePolicy says what that means. */
export class CallingWebhookError extends Error {
  override readonly name: string = "CallingWebhookError";
  readonly code = "calling-webhook";

  constructor(webhook: string, why: string) {
    super(`failed calling webhook ${goQuote(webhook)}: ${why}`);
  }
}

export interface WebhookCallerPlane extends ServiceAddressOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly client: WebhookClient;
}

export interface WebhookQuestion {
  readonly attributes: AdmissionAttributes;
  readonly matched: MatchedResource;
  readonly versioned: VersionedChange;
  readonly mutating: boolean;
}

const DEFAULT_TIMEOUT_SECONDS = 10;

/** Asks webhooks. */
export class WebhookCaller {
  readonly #plane: WebhookCallerPlane;

  constructor(plane: WebhookCallerPlane) {
    this.#plane = plane;
  }

  /** The response that allows it. Throws CallingWebhookError, or an ApiError for a refusal. */
  async ask(registered: RegisteredWebhook, question: WebhookQuestion): Promise<ReviewResponse> {
    const { webhook } = registered;
    const { request } = question.attributes;
    if (
      request.dryRun &&
      webhook.sideEffects !== "None" &&
      webhook.sideEffects !== "NoneOnDryRun"
    ) {
      throw ApiError.badRequest(
        `admission webhook ${goQuote(webhook.name)} does not support dry run`,
      );
    }
    const response = await this.#call(registered, question);
    for (const [key, value] of Object.entries(response.auditAnnotations ?? {})) {
      request.annotate(`${webhook.name}/${key}`, value);
    }
    for (const warning of response.warnings ?? []) request.warn(warning);
    if (response.allowed !== true) throw denial(webhook.name, response.status);
    return response;
  }

  async #call(
    { webhook }: RegisteredWebhook,
    { attributes, matched, versioned, mutating }: WebhookQuestion,
  ): Promise<ReviewResponse> {
    const version = webhook.admissionReviewVersions.find(
      (each): each is ReviewVersion => each === "v1" || each === "v1beta1",
    );
    if (version === undefined) {
      const why = "webhook does not accept known AdmissionReview versions (v1, v1beta1)";
      throw new CallingWebhookError(webhook.name, `could not create admission objects: ${why}`);
    }
    const uid = this.#plane.random.uuid();
    const objects = { uid, object: versioned.object ?? null, old: versioned.old ?? null };
    const review = {
      kind: "AdmissionReview",
      apiVersion: `admission.k8s.io/${version}`,
      request: admissionRequestJson(attributes, matched, objects),
    };
    const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, clientConfig } = webhook;
    try {
      const { signal } = attributes.request;
      const answer = await this.#post({ clientConfig, timeoutSeconds, signal }, review);
      return readResponse(answer, { version, uid, mutating });
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      throw new CallingWebhookError(webhook.name, error.message);
    }
  }

  async #post(
    call: {
      readonly clientConfig: WebhookClientConfig;
      readonly timeoutSeconds: number;
      readonly signal: AbortSignal | undefined;
    },
    review: JsonObject,
  ): Promise<JsonValue> {
    const { clientConfig, timeoutSeconds, signal } = call;
    const { client, clock } = this.#plane;
    using deadline = timeoutSignal(clock, timeoutSeconds * 1000, { signal });
    try {
      const target = this.#targetOf(clientConfig, timeoutSeconds);
      return await client.post(target, review, { signal: deadline.signal });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new WebhookError(`failed to call webhook: ${why}`);
    }
  }

  #targetOf(
    { url, service, caBundle }: WebhookClientConfig,
    timeoutSeconds: number,
  ): WebhookTarget {
    const bundle = caBundle === undefined ? "" : Buffer.from(caBundle, "base64").toString().trim();
    const authorities = bundle === "" ? undefined : bundle;
    if (service === undefined) {
      return { url: url ?? "", authorities, serverName: undefined, timeoutSeconds };
    }
    const { name, namespace, port = 443, path = "" } = service;
    const serverName = `${name}.${namespace}.svc`;
    const at = `https://${serverName}:${port}${path.startsWith("/") || path === "" ? path : `/${path}`}`;
    try {
      const address = serviceAddress({ name, namespace, port }, this.#plane);
      return { url: at, authorities, serverName, timeoutSeconds, address };
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      throw new WebhookError(`Post "${at}?timeout=${timeoutSeconds}s": ${error.message}`);
    }
  }
}

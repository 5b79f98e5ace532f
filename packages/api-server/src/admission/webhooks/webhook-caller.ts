import type { Random } from "@homeostat/concurrency";
import { ApiError, goQuote } from "@homeostat/object-model";
import type { AdmissionFigures, WebhookOutcome } from "../../figures/admission-figures.ts";
import { callWebhook, type WebhookPlane } from "../../webhooks/call-webhook.ts";
import { WebhookError } from "../../webhooks/webhook-client.ts";
import type { AdmissionAttributes, MatchedResource } from "../matching/admission-attributes.ts";
import { admissionRequestJson } from "../matching/admission-review.ts";
import type { VersionedChange } from "../matching/versioned-change.ts";
import type { RegisteredWebhook } from "./registered-webhook.ts";
import {
  denial,
  type ReviewResponse,
  type ReviewVersion,
  readResponse,
  WebhookDenial,
} from "./review-response.ts";

/** A webhook could not be asked, or answered nonsense: its failurePolicy says what that means. */
export class CallingWebhookError extends Error {
  override readonly name: string = "CallingWebhookError";
  readonly code = "calling-webhook";

  /** As which it counts. */
  readonly httpStatus: number;

  constructor(webhook: string, why: string, httpStatus = 503) {
    super(`failed calling webhook ${goQuote(webhook)}: ${why}`);
    this.httpStatus = httpStatus;
  }
}

export interface WebhookCallerPlane extends WebhookPlane {
  readonly random: Random;
  readonly figures: AdmissionFigures;
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

  /** Counts what becomes of asking one, and of what is made of its answer. */
  async measure<T>(
    { webhook, ignoresFailures }: RegisteredWebhook,
    asking: { readonly type: "admit" | "validating"; readonly operation: string },
    ask: () => Promise<T>,
  ): Promise<T> {
    const { clock, figures } = this.#plane;
    const began = clock.monotonic();
    const note = (outcome: WebhookOutcome): void => {
      const seconds = (clock.monotonic() - began) / 1000;
      figures.noteWebhook(webhook.name, { ...asking, seconds, outcome });
    };
    try {
      const result = await ask();
      note({ code: 200 });
      return result;
    } catch (error) {
      if (error instanceof CallingWebhookError) {
        const { httpStatus: code } = error;
        note({ code, error: "calling_webhook_error", isIgnored: ignoresFailures });
      } else if (error instanceof WebhookDenial)
        note({ code: error.httpStatus, error: "no_error" });
      else note({ code: 0, error: "apiserver_internal_error" });
      throw error;
    }
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
      throw new CallingWebhookError(
        webhook.name,
        `could not create admission objects: ${why}`,
        400,
      );
    }
    const uid = this.#plane.random.uuid();
    const objects = { uid, object: versioned.object ?? null, old: versioned.old ?? null };
    const review = {
      kind: "AdmissionReview",
      apiVersion: `admission.k8s.io/${version}`,
      request: admissionRequestJson(attributes, matched, objects),
    };
    const { clientConfig } = webhook;
    const { signal, deadline } = attributes.request;
    // What the request has left is all that a webhook gets.
    const left = Math.max(0, deadline - this.#plane.clock.monotonic()) / 1000;
    const timeoutSeconds = Math.min(webhook.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS, left);
    try {
      const call = { clientConfig, timeoutSeconds, body: review, signal };
      const answer = await callWebhook(this.#plane, call).catch(explain);
      return readResponse(answer, { version, uid, mutating });
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      throw new CallingWebhookError(webhook.name, error.message);
    }
  }
}

function explain(error: unknown): never {
  const why = error instanceof Error ? error.message : String(error);
  throw new WebhookError(`failed to call webhook: ${why}`);
}

import { ApiError } from "@homeostat/object-model";
import type { ValidatingWebhookConfiguration } from "@homeostat/object-model/admissionregistration-v1";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "../admission.ts";
import { isExemptFromWebhooks } from "../exempt-kinds.ts";
import {
  type AdmissionAttributes,
  admissionAttributes,
  type MatchedResource,
} from "../matching/admission-attributes.ts";
import { FollowedObjects } from "../matching/followed-objects.ts";
import { type VersionedChange, VersionedChanges } from "../matching/versioned-change.ts";
import type { WebhooksPlane } from "./mutating-webhooks.ts";
import { type RegisteredWebhook, registeredWebhooks } from "./registered-webhook.ts";
import { CallingWebhookError } from "./webhook-caller.ts";

const CONFIGURATIONS = {
  group: "admissionregistration.k8s.io",
  resource: "validatingwebhookconfigurations",
};
const FAILED_OPEN = "failed-open.validating.webhook.admission.k8s.io/";

interface Invocation {
  readonly registered: RegisteredWebhook;
  readonly matched: MatchedResource;
}

interface Question extends Invocation {
  readonly attributes: AdmissionAttributes;
  readonly versioned: VersionedChange;
}

/** All that match are asked at once; the refusal that comes first counts. */
export class ValidatingAdmissionWebhook implements AdmissionPlugin, Disposable {
  readonly name = "ValidatingAdmissionWebhook";
  readonly #plane: WebhooksPlane;
  readonly #configurations: FollowedObjects<
    ValidatingWebhookConfiguration,
    readonly RegisteredWebhook[]
  >;

  constructor(plane: WebhooksPlane) {
    this.#plane = plane;
    this.#configurations = new FollowedObjects(plane, CONFIGURATIONS, registeredWebhooks);
  }

  [Symbol.dispose](): void {
    this.#configurations[Symbol.dispose]();
  }

  validate(change: Readonly<AdmittedChange>, request: AdmissionRequest): void | Promise<void> {
    const configurations = this.#configurations.inOrder;
    if (configurations.length === 0 || isExemptFromWebhooks(request.kind)) return undefined;
    const attributes = admissionAttributes(change, request, { named: true });
    const invocations: Invocation[] = [];
    for (const registered of configurations.flat()) {
      const matched = registered.match(attributes, this.#plane);
      if (matched !== undefined) invocations.push({ registered, matched });
    }
    return invocations.length === 0 ? undefined : this.#askAll(attributes, invocations);
  }

  async #askAll(
    attributes: AdmissionAttributes,
    invocations: readonly Invocation[],
  ): Promise<void> {
    const changes = new VersionedChanges(attributes);
    const questions: Question[] = [];
    for (const { registered, matched } of invocations) {
      const question = {
        registered,
        matched,
        attributes,
        versioned: await changes.in(matched),
      };
      const isMeant =
        !registered.hasConditions || (await registered.meetsConditions(question, this.#plane));
      if (isMeant) questions.push(question);
    }
    if (attributes.request.signal?.aborted === true && questions.length > 0) {
      throw ApiError.timeout("request did not complete within requested timeout");
    }
    const refusals: unknown[] = [];
    await Promise.all(
      questions.map(async (question, index) => {
        try {
          await this.#ask(question, index);
        } catch (error) {
          refusals.push(error);
        }
      }),
    );
    if (refusals.length > 0) throw refusals[0];
  }

  async #ask({ registered, ...question }: Question, index: number): Promise<void> {
    try {
      const { caller } = this.#plane;
      const asking = {
        type: "validating",
        operation: question.attributes.change.operation,
      } as const;
      await caller.measure(registered, asking, () =>
        caller.ask(registered, { ...question, mutating: false }),
      );
    } catch (error) {
      if (!(error instanceof CallingWebhookError)) throw error;
      if (!registered.ignoresFailures) throw ApiError.internalError(error);
      const { name } = registered.webhook;
      question.attributes.request.annotate(`${FAILED_OPEN}round_0_index_${index}`, name);
    }
  }
}

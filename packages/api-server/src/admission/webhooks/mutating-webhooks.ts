import {
  ApiError,
  applyJsonPatch,
  compareBytewise,
  encodeJson,
  equalJson,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  PatchError,
  printApiVersion,
} from "@homeostat/object-model";
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
} from "@homeostat/object-model/admissionregistration-v1";
import { ObjectDecodeError } from "../../codec/object-decode-error.ts";
import { WebhookError } from "../../webhooks/webhook-client.ts";
import type { AdmissionPlugin, AdmissionRequest, AdmittedChange } from "../admission.ts";
import { isExemptFromWebhooks } from "../exempt-kinds.ts";
import type { KnownObjectsPlane } from "../known-objects.ts";
import { admissionAttributes, type MatchedResource } from "../matching/admission-attributes.ts";
import { FollowedObjects } from "../matching/followed-objects.ts";
import { printIn, readIn, type VersionedChange } from "../matching/versioned-change.ts";
import { MutationRounds } from "../mutation-rounds.ts";
import {
  type MatchingPlane,
  type RegisteredWebhook,
  registeredWebhooks,
} from "./registered-webhook.ts";
import { readPatch } from "./review-response.ts";
import { CallingWebhookError, type WebhookCaller } from "./webhook-caller.ts";

const CONFIGURATIONS = {
  group: "admissionregistration.k8s.io",
  resource: "mutatingwebhookconfigurations",
};

export interface WebhooksPlane extends KnownObjectsPlane, MatchingPlane {
  readonly caller: WebhookCaller;
}

/** Asked one after the other; each sees what those before it made of the object. */
export class MutatingAdmissionWebhook implements AdmissionPlugin, Disposable {
  readonly name = "MutatingAdmissionWebhook";
  readonly #plane: WebhooksPlane;
  readonly #configurations: FollowedObjects<
    MutatingWebhookConfiguration,
    readonly RegisteredWebhook[]
  >;

  constructor(plane: WebhooksPlane) {
    this.#plane = plane;
    this.#configurations = new FollowedObjects(plane, CONFIGURATIONS, registeredWebhooks);
  }

  [Symbol.dispose](): void {
    this.#configurations[Symbol.dispose]();
  }

  mutate(change: AdmittedChange, request: AdmissionRequest): void | Promise<void> {
    const configurations = this.#configurations.inOrder;
    if (configurations.length === 0 || isExemptFromWebhooks(request.kind)) return undefined;
    const webhooks = configurations.flat();
    const attributes = admissionAttributes(change, request);
    // Labels that a webhook sets may make another one match: then all are looked at again.
    const first = webhooks.findIndex((each) => each.match(attributes, this.#plane) !== undefined);
    return first === -1 ? undefined : this.#askAll(change, request, { webhooks, first });
  }

  async #askAll(
    change: AdmittedChange,
    request: AdmissionRequest,
    {
      webhooks,
      first,
    }: { readonly webhooks: readonly RegisteredWebhook[]; readonly first: number },
  ): Promise<void> {
    change.rounds ??= new MutationRounds();
    const { rounds } = change;
    const asked = rounds.of(this.name);
    if (rounds.round > 0) asked.see(change.object);
    for (const [index, registered] of webhooks.entries()) {
      if (index < first) continue;
      const attributes = admissionAttributes(change, request);
      const matched = registered.match(attributes, this.#plane);
      if (matched === undefined) continue;
      const { object, old } = change;
      const versioned = {
        object: object && (await printIn(object, request.served, matched)),
        old: old && (await printIn(old, request.served, matched)),
      };
      const input = { attributes, matched, versioned };
      if (registered.hasConditions && !(await registered.meetsConditions(input, this.#plane))) {
        continue;
      }
      if (rounds.round > 0 && !asked.isToBeAskedAgain(registered.id)) continue;
      const place = `round_${rounds.round}_index_${index}`;
      if (await this.#ask(registered, { change, request, matched, versioned, place })) {
        asked.changed();
        rounds.wantAnother();
      }
      if ((registered.webhook as MutatingWebhook).reinvocationPolicy === "IfNeeded") {
        asked.add(registered.id);
      }
    }
    asked.leave(change.object);
  }

  /** Whether it changed the object. */
  async #ask(registered: RegisteredWebhook, question: MutatingQuestion): Promise<boolean> {
    const { change, request, matched, versioned, place } = question;
    const { webhook, configuration, ignoresFailures } = registered;
    let mutated = false;
    try {
      const asking = { type: "admit", operation: change.operation } as const;
      mutated = await this.#plane.caller.measure(registered, asking, async () => {
        const attributes = admissionAttributes(change, request);
        const input = { attributes, matched, versioned, mutating: true };
        const response = await this.#plane.caller.ask(registered, input);
        const operations = patchOf(webhook.name, () => readPatch(response));
        if (operations.length === 0) return false;
        const { patchType } = response;
        if (patchType !== undefined && patchType !== "JSONPatch") {
          throw new CallingWebhookError(webhook.name, `unsupported patch type "${patchType}"`);
        }
        const isChanged = await patch(operations, question, webhook.name);
        const patched = { configuration, webhook: webhook.name, patch: operations.map(sorted) };
        const value = encodeJson({ ...patched, patchType: "JSONPatch" });
        request.annotate(`${PATCH_ANNOTATION}${place}`, value, { ofBody: true });
        return isChanged;
      });
    } catch (error) {
      if (!(error instanceof CallingWebhookError)) throw error;
      if (!ignoresFailures) throw ApiError.internalError(error);
      request.annotate(`failed-open.${ANNOTATION}${place}`, webhook.name);
      if (request.signal?.aborted === true) {
        throw ApiError.timeout("request did not complete within requested timeout");
      }
    } finally {
      const value = { configuration, webhook: webhook.name, mutated };
      request.annotate(`${ANNOTATION}${place}`, encodeJson(value));
    }
    return mutated;
  }
}

const ANNOTATION = "mutation.webhook.admission.k8s.io/";
const PATCH_ANNOTATION = "patch.webhook.admission.k8s.io/";

/** An operation with its fields in Go's order. */
function sorted(operation: JsonValue): JsonValue {
  if (typeof operation !== "object" || operation === null || Array.isArray(operation)) {
    return operation;
  }
  const fields = Object.entries(operation);
  return Object.fromEntries(fields.sort(([one], [other]) => compareBytewise(one, other)));
}

interface MutatingQuestion {
  readonly change: AdmittedChange;
  readonly request: AdmissionRequest;
  readonly matched: MatchedResource;
  readonly versioned: VersionedChange;
  readonly place: string;
}

function patchOf<T>(webhook: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof WebhookError) throw new CallingWebhookError(webhook, error.message);
    throw error;
  }
}

/** Puts what the patch makes in the place of the object; whether that is another one. */
async function patch(
  operations: readonly JsonValue[],
  { change, request, matched, versioned }: MutatingQuestion,
  webhook: string,
): Promise<boolean> {
  const before = versioned.object;
  if (before === undefined) {
    const why = "attempted to modify the object, which is not supported for this operation";
    throw ApiError.internalError(new Error(`admission webhook "${webhook}" ${why}`));
  }
  const patched = patchedBy(operations, before);
  checkKind(patched, matched);
  try {
    change.object = await readIn(patched, request.served, matched);
  } catch (error) {
    if (error instanceof ObjectDecodeError) throw ApiError.internalError(error);
    throw error;
  }
  const after = await printIn(change.object, request.served, matched);
  return !equalJson(before, after);
}

function patchedBy(operations: readonly JsonValue[], before: JsonObject): JsonObject {
  try {
    return applyJsonPatch(before, [...operations]) as JsonObject;
  } catch (error) {
    if (error instanceof PatchError) throw ApiError.internalError(error);
    throw error;
  }
}

/** A patch cannot make something else of an object. */
function checkKind(patched: JsonObject, { kind }: MatchedResource): void {
  const { apiVersion = "", kind: made = "" } = patched as KubernetesObject;
  if (made === kind.kind && apiVersion === printApiVersion(kind)) return;
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  const home = kind.group === "" ? "core" : kind.group.split(".", 1)[0];
  const to = `${home}.${kind.kind}`;
  const message = `converting (${version}.${made}) to (${to}): unknown conversion`;
  throw new ApiError({ message, httpStatus: 500 });
}

import type { Random } from "@homeostat/concurrency";
import {
  ApiError,
  type JsonObject,
  type JsonValue,
  type KubernetesObject,
  ownKey,
  parseApiVersion,
} from "@homeostat/object-model";
import type { WebhookClientConfig } from "@homeostat/object-model/admissionregistration-v1";
import type { ConversionFailure, ConversionFigures } from "../figures/conversion-figures.ts";
import { callWebhook, type WebhookPlane } from "../webhooks/call-webhook.ts";
import type { VersionConverter } from "./version-converter.ts";

export interface WebhookConverterOptions {
  readonly clientConfig: WebhookClientConfig;
  /** Versions of ConversionReview that the webhook understands; the first that we do too is used. */
  readonly reviewVersions: readonly string[];
  readonly plane: WebhookPlane;
  readonly random: Random;
  /** The name of the definition, and where its conversions are counted. */
  readonly definition: string;
  readonly figures: ConversionFigures;
}

/** As kube-apiserver waits for a webhook that sets no limit itself. */
const TIMEOUT_SECONDS = 30;

const KNOWN_REVIEWS: ReadonlySet<string> = new Set(["v1", "v1beta1"]);
const GROUP = "apiextensions.k8s.io";

/** Strategy `Webhook`: a program of the definition's author converts; the metadata stays the server's. */
export class WebhookConverter implements VersionConverter {
  readonly isRemote = true;
  readonly #options: WebhookConverterOptions;

  constructor(options: WebhookConverterOptions) {
    this.#options = options;
  }

  /** Objects that are in that version already are not sent. */
  convert(
    objects: readonly KubernetesObject[],
    toApiVersion: string,
  ): readonly KubernetesObject[] | Promise<readonly KubernetesObject[]> {
    const foreign = objects.filter(({ apiVersion }) => apiVersion !== toApiVersion);
    if (foreign.length === 0) return objects;
    return this.#measure(foreign, toApiVersion).then((converted) => {
      const rest = [...converted];
      return objects.map((object) => (object.apiVersion === toApiVersion ? object : rest.shift()!));
    });
  }

  async #measure(
    objects: readonly KubernetesObject[],
    toApiVersion: string,
  ): Promise<readonly KubernetesObject[]> {
    const { plane, definition, figures } = this.#options;
    const began = plane.clock.monotonic();
    const progress: Progress = { failsAs: "conversion_webhook_call_failure" };
    try {
      return await this.#ask(objects, toApiVersion, progress);
    } finally {
      const seconds = (plane.clock.monotonic() - began) / 1000;
      const from = parseApiVersion(objects[0]!.apiVersion ?? "").version;
      const to = parseApiVersion(toApiVersion).version;
      figures.note({ definition, from, to, seconds, failure: progress.failsAs });
    }
  }

  async #ask(
    objects: readonly KubernetesObject[],
    toApiVersion: string,
    progress: Progress,
  ): Promise<readonly KubernetesObject[]> {
    const { clientConfig, plane, random, reviewVersions } = this.#options;
    const about = objects[0]!;
    const version = reviewVersions.find((each) => KNOWN_REVIEWS.has(each));
    if (version === undefined)
      throw failure(about, "failed: no supported conversion review versions");
    const uid = random.uuid();
    const review = {
      kind: "ConversionReview",
      apiVersion: `${GROUP}/${version}`,
      request: { uid, desiredAPIVersion: toApiVersion, objects },
      response: { uid: "", convertedObjects: null, result: { metadata: {} } },
    };
    let answer: JsonValue;
    try {
      const body = review as unknown as JsonObject;
      answer = await callWebhook(plane, { clientConfig, timeoutSeconds: TIMEOUT_SECONDS, body });
    } catch (error) {
      throw failure(about, `failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    progress.failsAs = "conversion_webhook_malformed_response_failure";
    const converted = convertedObjects(answer, { about, version, uid });
    progress.failsAs = "conversion_webhook_partial_response_failure";
    if (converted.length !== objects.length) {
      const counts = `returned ${converted.length} objects, expected ${objects.length}`;
      throw failure(about, counts);
    }
    progress.failsAs = "conversion_webhook_invalid_converted_object_failure";
    const single = objects.length === 1;
    const accepted = converted.map((each, index) =>
      accept(each, objects[index]!, { index, single, toApiVersion }),
    );
    progress.failsAs = undefined;
    return accepted;
  }
}

/** As what it counts if it fails now. */
interface Progress {
  failsAs: ConversionFailure | undefined;
}

function convertedObjects(
  answer: JsonValue,
  asked: { about: KubernetesObject; version: string; uid: string },
): readonly JsonValue[] {
  const { about, version, uid } = asked;
  const review = objectOf(answer);
  const response = review && objectOf(ownKey(review, "response"));
  if (version === "v1") {
    const wanted = `${GROUP}/v1, Kind=ConversionReview`;
    const got = review === undefined ? "" : printKind(review);
    if (got !== wanted) {
      throw failure(about, `failed: expected webhook response of ${wanted}, got ${got}`);
    }
  }
  if (response === undefined) throw failure(about, "failed: no response provided");
  const answered = ownKey(response, "uid") ?? "";
  if (version === "v1" && answered !== uid) {
    const got = JSON.stringify(answered);
    throw failure(about, `failed: expected response.uid=${JSON.stringify(uid)}, got ${got}`);
  }
  const result = objectOf(ownKey(response, "result")) ?? {};
  const status = textOf(ownKey(result, "status"));
  if (status !== "Success") {
    const message = ownKey(result, "message");
    const why =
      typeof message === "string" && message !== ""
        ? message
        : `response.result.status was '${status}', not 'Success'`;
    throw failure(about, `failed: ${why}`);
  }
  const list = ownKey(response, "convertedObjects");
  return Array.isArray(list) ? list : [];
}

function accept(
  value: JsonValue,
  original: KubernetesObject,
  { index, single, toApiVersion }: { index: number; single: boolean; toApiVersion: string },
): KubernetesObject {
  const object = objectOf(value) as KubernetesObject | undefined;
  const place = `${single ? "object" : "converted object"} at index ${index}`;
  const refuse = (why: string): ApiError => failure(original, `returned invalid ${place}: ${why}`);
  if (object === undefined) throw refuse("it is no object");
  if (object.apiVersion !== toApiVersion) {
    throw refuse(
      `invalid groupVersion (expected ${toApiVersion}, received ${object.apiVersion ?? ""})`,
    );
  }
  if (object.kind !== original.kind) {
    throw refuse(`invalid kind (expected ${original.kind}, received ${object.kind ?? ""})`);
  }
  const metadata = objectOf(
    object.metadata as JsonValue | undefined,
  ) as KubernetesObject["metadata"];
  for (const [member, title] of IDENTITY) {
    const expected = original.metadata?.[member] ?? "";
    const got = metadata?.[member] ?? "";
    if (expected !== got) {
      const where = single ? "object" : place;
      const why = `must have the same ${title}: ${expected} != ${got}`;
      throw failure(original, `returned invalid ${where}: ${why}`);
    }
  }
  // Only labels and annotations are the webhook's to change.
  const { labels: _, annotations: __, ...kept } = original.metadata ?? {};
  const { labels, annotations } = metadata ?? {};
  return {
    ...object,
    metadata: {
      ...kept,
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
    },
  };
}

const IDENTITY = [
  ["name", "name"],
  ["namespace", "namespace"],
  ["uid", "UID"],
] as const;

function failure(about: KubernetesObject, what: string): ApiError {
  return new ApiError({
    message: `conversion webhook for ${printKind(about as unknown as JsonObject)} ${what}`,
    httpStatus: 500,
  });
}

function printKind(object: JsonObject): string {
  const apiVersion = ownKey(object, "apiVersion");
  const { group, version } = parseApiVersion(typeof apiVersion === "string" ? apiVersion : "");
  const kind = ownKey(object, "kind");
  return `${group}/${version}, Kind=${typeof kind === "string" ? kind : ""}`;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}

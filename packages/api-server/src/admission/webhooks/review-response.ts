import {
  ApiError,
  decodeJson,
  goQuote,
  JsonError,
  type JsonObject,
  type JsonValue,
  ownKey,
  parseApiVersion,
  schemaOf,
} from "@homeostat/object-model";
import type { AdmissionResponse } from "@homeostat/object-model/admission-v1";
import type { Status } from "@homeostat/object-model/meta-v1";
import { ObjectDecodeError } from "../../codec/object-decode-error.ts";
import { readObject } from "../../codec/read-object.ts";
import { WebhookError } from "../../webhooks/webhook-client.ts";

export type ReviewVersion = "v1" | "v1beta1";

/** What is zero is not there. */
export type ReviewResponse = Partial<AdmissionResponse>;

export interface AskedReview {
  readonly version: ReviewVersion;
  readonly uid: string;
  readonly mutating: boolean;
}

const REVIEW = "AdmissionReview";
const GROUP = "admission.k8s.io";

/** The response in an answer that has the form of one. Throws WebhookError with what is wrong. */
export function readResponse(answer: JsonValue, asked: AskedReview): ReviewResponse {
  const review = objectOf(answer);
  const apiVersion = textOf(review, "apiVersion");
  const kind = textOf(review, "kind");
  checkKind({ apiVersion, kind }, asked.version);
  const { response } = decode(review) as { response?: ReviewResponse };
  const invalid = (why: string): WebhookError =>
    new WebhookError(`received invalid webhook response: ${why}`);
  if (response === undefined) throw invalid("webhook response was absent");
  // Neither who answers nor what is answered was looked at in v1beta1.
  if (asked.version === "v1beta1") return response;
  const { uid = "" } = response;
  if (uid !== asked.uid) {
    throw invalid(`expected response.uid=${goQuote(asked.uid)}, got ${goQuote(uid)}`);
  }
  const { group, version } = parseApiVersion(apiVersion);
  const got = `${group}/${version}, Kind=${kind}`;
  const wanted = `${GROUP}/v1, Kind=${REVIEW}`;
  if (got !== wanted) throw invalid(`expected webhook response of ${wanted}, got ${got}`);
  const problem = asked.mutating ? patchProblem(response) : unwantedPatch(response);
  if (problem !== undefined) throw invalid(problem);
  return response;
}

function checkKind(
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
  version: ReviewVersion,
): void {
  const wanted = `${GROUP}/${version}`;
  const given = { kind: kind || REVIEW, apiVersion: apiVersion || wanted };
  const isReview =
    given.kind === REVIEW &&
    ["v1", "v1beta1"].some((each) => given.apiVersion === `${GROUP}/${each}`);
  if (!isReview) {
    const where = `version ${goQuote(given.apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
    throw failed(`no kind ${goQuote(given.kind)} is registered for ${where}`);
  }
  if (given.apiVersion !== wanted) {
    const from = given.apiVersion.slice(GROUP.length + 1);
    throw failed(`converting (${from}.${REVIEW}) to (${version}.${REVIEW}): unknown conversion`);
  }
}

function failed(why: string): WebhookError {
  return new WebhookError(`failed to call webhook: ${why}`);
}

function decode(review: JsonObject): JsonObject {
  try {
    return readObject(schemaOf("admission.v1.AdmissionReview"), review).object;
  } catch (error) {
    if (error instanceof ObjectDecodeError) throw failed(error.message);
    throw error;
  }
}

function patchProblem({ patch = "", patchType }: ReviewResponse): string | undefined {
  if (patch !== "" && patchType === undefined) {
    return "webhook returned response.patch but not response.patchType";
  }
  if (patch === "" && patchType !== undefined) {
    return "webhook returned response.patchType but not response.patch";
  }
  return patchType === "" ? 'webhook returned invalid response.patchType of ""' : undefined;
}

function unwantedPatch({ patch = "", patchType }: ReviewResponse): string | undefined {
  if (patch !== "") return "validating webhook may not return response.patch";
  return patchType === undefined
    ? undefined
    : "validating webhook may not return response.patchType";
}

/** The operations in a response; none for no patch. Throws WebhookError. */
export function readPatch({ patch = "" }: ReviewResponse): readonly JsonValue[] {
  if (patch === "") return [];
  const undecodable = (why: string): WebhookError =>
    new WebhookError(`received undecodable patch in webhook response: ${why}`);
  let operations: JsonValue;
  try {
    operations = decodeJson(Buffer.from(patch, "base64"));
  } catch (error) {
    throw undecodable(error instanceof JsonError ? error.reason : String(error));
  }
  if (operations === null) return [];
  if (Array.isArray(operations)) return operations;
  const type = typeof operations === "object" ? "object" : typeof operations;
  const shown = type === "boolean" ? "bool" : type;
  throw undecodable(`json: cannot unmarshal ${shown} into Go value of type jsonpatch.Patch`);
}

/** A webhook was asked, and said no. */
export class WebhookDenial extends ApiError {}

/** What a webhook's refusal is to the client. */
export function denial(webhook: string, result: Status | undefined): WebhookDenial {
  const { message = "", reason = "", code = 0, details } = result ?? {};
  const denied = `admission webhook ${goQuote(webhook)} denied the request`;
  const why = message || reason;
  return new WebhookDenial({
    message: why === "" ? `${denied} without explanation` : `${denied}: ${why}`,
    reason,
    httpStatus: Math.max(code, 400),
    details,
  });
}

function objectOf(value: JsonValue): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function textOf(object: JsonObject, key: string): string {
  const value = ownKey(object, key);
  return typeof value === "string" ? value : "";
}

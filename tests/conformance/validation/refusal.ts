/**
 * The Status of an object that is refused for causes, which follows from them and the object.
 */
import { createHash } from "node:crypto";
import { type JsonObject, type JsonValue, ownKey } from "@homeostat/object-model";
import { sameJson } from "./object-changes.ts";
import { isObject, textOf } from "./walk-fields.ts";

export interface Cause {
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

export function causesOf(body: JsonValue): Cause[] | undefined {
  const details = isObject(body) ? ownKey(body, "details") : undefined;
  const causes = isObject(details) ? ownKey(details, "causes") : undefined;
  if (!Array.isArray(causes)) return undefined;
  return causes.filter(isObject).map((cause) => ({
    field: textOf(cause, "field"),
    reason: textOf(cause, "reason"),
    message: textOf(cause, "message"),
  }));
}

export function refusal(sent: JsonObject, causes: readonly Cause[]): JsonObject {
  const kind = textOf(sent, "kind");
  const [group = ""] =
    kind === "Event" ? [] : (/^[^/]+(?=\/)/.exec(textOf(sent, "apiVersion")) ?? []);
  const name = textOf(ownKey(sent, "metadata"), "name");
  const texts = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  const told = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `${group === "" ? kind : `${kind}.${group}`} "${name}" is invalid: ${told}`,
    reason: "Invalid",
    details: {
      ...(name !== "" && { name }),
      ...(group !== "" && { group }),
      kind,
      causes: causes.map(({ field, reason, message }) => ({ reason, message, field })),
    },
    code: 422,
  };
}

/** Longer ones quote whole objects; they are kept by their digest. */
const longMessage = 600;

export function clipCauses(sent: JsonValue, body: JsonValue): JsonValue {
  const causes = causesOf(body);
  if (causes === undefined || !isObject(sent)) return body;
  if (!causes.some(({ message }) => isLong(message))) return body;
  if (!sameJson(body, refusal(sent, causes))) return body;
  return refusal(
    sent,
    causes.map(({ field, reason, message }) => ({ field, reason, message: clip(message) })),
  );
}

/** Differences of objects are told line by line; so is where an expression is wrong, which is kept. */
function isLong(message: string): boolean {
  const isDifference = message.includes("\n") && !message.includes("ERROR: ");
  return isDifference || message.length > longMessage;
}

function clip(text: string): string {
  if (!isLong(text)) return text;
  const digest = createHash("sha256").update(text).digest("base64url").slice(0, 12);
  return `${text.slice(0, 60)}{${text.length} characters, digest ${digest}}${text.slice(-40)}`;
}

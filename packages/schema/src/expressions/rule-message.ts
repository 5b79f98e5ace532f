import type { Value } from "@homeostat/cel";
import type { ValidationRule } from "@homeostat/object-model/apiextensions-v1";

const MAX_MESSAGE_BYTES = 5 * 1024;

/** What a rule is called in messages about it. */
export function ruleText({ rule, message }: Readonly<ValidationRule>): string {
  return message ? message.trim() : rule.trim();
}

/** What is said when it does not hold. */
export function ruleMessage(source: Readonly<ValidationRule>): string {
  return source.message ? source.message.trim() : `failed rule: ${ruleText(source)}`;
}

/** A message that an expression gave; undefined where it is none, and the rule's own is used. */
export function checkMessage(value: Value | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  const message = value.trim();
  if (message === "" || message.includes("\n")) return undefined;
  return new TextEncoder().encode(message).length > MAX_MESSAGE_BYTES ? undefined : message;
}

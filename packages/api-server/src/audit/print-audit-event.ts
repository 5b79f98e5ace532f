import { encodeJson } from "@homeostat/object-model";
import type { AuditEvent } from "./audit-event.ts";

const ESCAPED = /[<>&\u2028\u2029]/g;

/** One line of JSON, with what Go escapes in it. */
export function printAuditEvent(event: AuditEvent): string {
  return encode(event).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What is nested too deeply to be printed is left out: noting a request never changes its answer. */
function encode(event: AuditEvent): string {
  try {
    return encodeJson(event);
  } catch {
    const { requestObject: _, responseObject: __, ...rest } = event;
    return encodeJson(rest);
  }
}

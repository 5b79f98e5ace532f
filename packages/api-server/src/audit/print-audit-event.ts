import type { AuditEvent } from "./audit-event.ts";

const ESCAPED = /[<>&\u2028\u2029]/g;

/** One line of JSON, with what Go escapes in it. */
export function printAuditEvent(event: AuditEvent): string {
  return JSON.stringify(event).replace(
    ESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

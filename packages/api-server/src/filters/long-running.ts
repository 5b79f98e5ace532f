import type { AccessAttributes } from "../authorization/authorizer.ts";

const LASTING: ReadonlySet<string> = new Set(["attach", "exec", "proxy", "log", "portforward"]);

/** Whether a request takes as long as its client likes: no deadline holds for it, and no limit. */
export function isLongRunning(asked: AccessAttributes): boolean {
  if (asked.kind === "path") return false;
  return asked.verb === "watch" || (asked.subresource !== "" && LASTING.has(asked.subresource));
}

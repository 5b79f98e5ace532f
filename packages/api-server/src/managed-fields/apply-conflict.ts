import { ApiError, compareBytewise, type StatusCause } from "@homeostat/object-model";
import { type Conflict, printFieldPath } from "@homeostat/schema";
import { identityOf } from "./managed-entries.ts";

/** The refusal of an apply that would take fields from others. */
export function applyConflict(conflicts: readonly Conflict[]): ApiError {
  const sorted = conflicts.toSorted((a, b) => compareBytewise(a.manager, b.manager));
  const causes = sorted.map(({ manager, path }): StatusCause => {
    const message = `conflict with ${printManager(manager)}`;
    return { reason: "FieldManagerConflict", message, field: printFieldPath(path) };
  });
  return new ApiError({ reason: "Conflict", message: messageOf(sorted), details: { causes } });
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [only] = conflicts;
  if (conflicts.length === 1 && only !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${printManager(only.manager)}: ${printFieldPath(only.path)}`;
  }
  const lines: string[] = [];
  let last: string | undefined;
  for (const { manager, path } of conflicts) {
    if (manager !== last) lines.push(`conflicts with ${printManager(manager)}:`);
    lines.push(`- ${printFieldPath(path)}`);
    last = manager;
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function printManager(identifier: string): string {
  const { manager = "", operation, apiVersion = "", subresource } = identityOf(identifier);
  let text = JSON.stringify(manager);
  if (subresource !== undefined) text += ` with subresource ${JSON.stringify(subresource)}`;
  return operation === "Update" ? `${text} using ${apiVersion}` : text;
}

// What differs between two servers, or two runs of one, by chance or by the hour only: taken out of what
// they answered, or put in one order.
import type { JsonObject, JsonValue } from "@homeostat/object-model";

/** Of applies, and of invalid custom resources, whose groups end like this in scenarios. */
export function withSortedCauses(value: JsonObject): JsonObject {
  const { details, message, reason } = value;
  const { group, causes } = (details ?? {}) as JsonObject;
  if (!Array.isArray(causes) || causes.length < 2) return value;
  if (reason === "Conflict") {
    const sorted = causes.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    return { ...value, details: { ...(details as JsonObject), causes: sorted } };
  }
  if (reason !== "Invalid") return value;
  if (typeof group !== "string" || !group.endsWith(".example.com")) return value;
  const lineOf = (cause: JsonValue): string => {
    const { field, message: why } = cause as { field: string; message: string };
    return `${field}: ${why}`;
  };
  const sorted = causes.toSorted((a, b) => (lineOf(a) < lineOf(b) ? -1 : 1));
  if (typeof message !== "string") return value;
  const opening = message.slice(0, message.indexOf(": [") + 2);
  const lines = [...new Set(sorted.map(lineOf))];
  return {
    ...value,
    message: `${opening}[${lines.join(", ")}]`,
    details: { ...(details as JsonObject), causes: sorted },
  };
}

/** Why a value does not fit a type, without what depends on the order of a map. */
export function withoutChance(why: string): string {
  if (why.includes("field not declared in schema")) return "{field not declared}";
  const [opening = "", ...lines] = why.split("\n");
  return [opening, ...lines.toSorted()].join("\n");
}

/** Of what was just made, and of times long ago: both are more at every run. */
export function withoutAges(cell: string): string {
  return cell.replace(
    /^(?:\d+s|\d+y(?:\d+d)?)$|(?<=\d \()(?:\d+s|\d+y(?:\d+d)?)(?= ago\)$)/,
    "{age}",
  );
}

/** What a server made at its start may be minutes old by the time it is shown. */
export function withoutAgeColumn(table: JsonObject): JsonObject {
  const { kind, columnDefinitions: columns, rows } = table;
  if (kind !== "Table" || !Array.isArray(columns) || !Array.isArray(rows)) return table;
  const at = columns.findIndex((each) => (each as JsonObject)["name"] === "Age");
  const withoutAge = (row: JsonValue): JsonValue => {
    const { cells } = row as JsonObject;
    if (!Array.isArray(cells)) return row;
    const masked = cells.map((cell, i) =>
      i === at && typeof cell === "string" ? cell.replace(/^(?:\d+[smhdy])+$/, "{age}") : cell,
    );
    return { ...(row as JsonObject), cells: masked };
  };
  return { ...table, rows: rows.map(withoutAge) };
}

/** Scenarios that run beside this one define groups of their own. */
export function withoutForeignGroups(
  list: readonly JsonValue[],
  key: string,
): readonly JsonValue[] {
  if (key !== "groups" && key !== "paths") return list;
  return list.filter((each) => {
    const name = typeof each === "string" ? each : (each as JsonObject | null)?.["name"];
    return typeof name !== "string" || !name.includes(".example.com");
  });
}

/** Within a second entries go by name, so their order depends on when the seconds change. */
export function byManager(entries: JsonValue): JsonValue {
  if (!Array.isArray(entries)) return entries;
  const nameOf = (entry: JsonValue): string => {
    const { operation, manager, apiVersion, subresource } = (entry ?? {}) as JsonObject;
    return JSON.stringify([operation, manager, apiVersion, subresource]);
  };
  return entries.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
}

/** How many bookmarks come is a matter of time. */
export function withoutRepeatedBookmarks(events: readonly JsonValue[]): JsonValue[] {
  const isBookmark = (event: JsonValue | undefined): boolean =>
    JSON.stringify(event).startsWith('{"type":"BOOKMARK"');
  return events.filter(
    (event, i) =>
      i === 0 || !isBookmark(event) || JSON.stringify(event) !== JSON.stringify(events[i - 1]),
  );
}

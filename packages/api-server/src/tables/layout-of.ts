import type { KubernetesObject } from "@homeostat/object-model";
import type { ServedResource } from "../registry/served-resource.ts";
import { AGE_TEXT, NAME } from "./columns.ts";
import { customLayout, customScaleLayout } from "./custom-layout.ts";
import { LAYOUTS } from "./layouts/layouts.ts";
import { SCALE } from "./layouts/scale.ts";
import type { TableLayout } from "./table.ts";

/** Kinds whose status is not shown as a table. */
const BARE_STATUS: ReadonlySet<string> = new Set([
  "apiservices",
  "customresourcedefinitions",
  "resourceclaims",
]);

/** Whether there are tables at a place: not where something is only asked or done. */
export function hasTables({ custom, definition }: ServedResource, subresource: string): boolean {
  if (subresource === "") return definition.verbs.includes("list");
  if (subresource === "scale") return true;
  return subresource === "status" && (custom !== undefined || !BARE_STATUS.has(definition.plural));
}

export function layoutOf(served: ServedResource, subresource: string): TableLayout {
  const { custom, stored } = served;
  if (custom !== undefined) {
    return subresource === "scale" ? customScaleLayout() : customLayout(custom);
  }
  if (subresource === "scale") return SCALE;
  const { group, kind } = stored.groupKind;
  return LAYOUTS[`${group}/${kind}`] ?? NAMES_AND_TIMES;
}

/** For kinds of which people see no more. */
const NAMES_AND_TIMES: TableLayout = {
  columns: [
    NAME,
    { name: "Created At", type: "date", format: "", description: AGE_TEXT, priority: 0 },
  ],
  cells: ({ metadata }: KubernetesObject) => [
    metadata?.name ?? "",
    metadata?.creationTimestamp ?? "0001-01-01T00:00:00Z",
  ],
  rowsAreNull: true,
};

import type { Scale } from "@homeostat/object-model/autoscaling-v1";
import { age, nameOf } from "../cell-texts.ts";
import { AGE, column, NAME } from "../columns.ts";
import { layout, type TableLayout } from "../table.ts";

/** The scale of a built-in kind; custom resources have their own. */
export const SCALE: TableLayout = layout<Scale>({
  columns: [
    { ...NAME, format: "" },
    column(
      "Desired",
      "replicas is the desired number of instances for the scaled object.",
      "integer",
    ),
    column(
      "Available",
      "replicas is the actual number of observed instances of the scaled object.",
      "integer",
    ),
    AGE,
  ],
  cells: (scale, now) => [
    nameOf(scale),
    scale.spec?.replicas ?? 0,
    scale.status?.replicas ?? 0,
    age(scale, now),
  ],
});

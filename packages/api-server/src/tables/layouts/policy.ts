import type { PodDisruptionBudget } from "@homeostat/object-model/policy-v1";
import { age, nameOf } from "../cell-texts.ts";
import { AGE, column, NAME } from "../columns.ts";
import { layout, type TableLayout } from "../table.ts";

export const POD_DISRUPTION_BUDGET: TableLayout = layout<PodDisruptionBudget>({
  columns: [
    NAME,
    column("Min Available", "The minimum number of pods that must be available."),
    column("Max Unavailable", "The maximum number of pods that may be unavailable."),
    column(
      "Allowed Disruptions",
      "Calculated number of pods that may be disrupted at this time.",
      "integer",
    ),
    AGE,
  ],
  cells: (budget, now) => [
    nameOf(budget),
    String(budget.spec?.minAvailable ?? "N/A"),
    String(budget.spec?.maxUnavailable ?? "N/A"),
    budget.status?.disruptionsAllowed ?? 0,
    age(budget, now),
  ],
});

import type { APIService } from "@homeostat/object-model/apiregistration-v1";
import { age, nameOf } from "../cell-texts.ts";
import { AGE, column, NAME } from "../columns.ts";
import { layout, type Printed, type TableLayout } from "../table.ts";

export const API_SERVICE: TableLayout = layout<APIService>({
  columns: [
    NAME,
    column("Service", "The reference to the service that hosts this API endpoint."),
    column("Available", "Whether this service is available."),
    AGE,
  ],
  cells: (service, now) => {
    const place = service.spec?.service;
    return [
      nameOf(service),
      place == null ? "Local" : `${place.namespace ?? ""}/${place.name ?? ""}`,
      availabilityOf(service),
      age(service, now),
    ];
  },
  repeatsColumns: true,
});

function availabilityOf({ status }: Printed<APIService>): string {
  const found = status?.conditions?.find(({ type }) => type === "Available");
  if (found === undefined) return "Unknown";
  const text = found.status ?? "";
  return text !== "True" && found.reason ? `${text} (${found.reason})` : text;
}

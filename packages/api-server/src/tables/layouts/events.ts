import type { Event } from "@homeostat/object-model/core-v1";
import { nameOf } from "../cell-texts.ts";
import { column, NAME, wide } from "../columns.ts";
import { ageOf } from "../human-duration.ts";
import { layout, type Printed, type TableLayout } from "../table.ts";

export const EVENT: TableLayout = layout<Event>({
  columns: [
    column("Last Seen", "The time at which the most recent occurrence of this event was recorded."),
    column("Type", "Type of this event (Normal, Warning), new types could be added in the future"),
    column(
      "Reason",
      "This should be a short, machine understandable string that gives the reason for the transition into the object's current status.",
    ),
    column("Object", "The object that this event is about."),
    wide(
      "Subobject",
      'If referring to a piece of an object instead of an entire object, this string should contain a valid JSON/Go field access statement, such as desiredState.manifest.containers[2]. For example, if the object reference is to a container within a pod, this would take on a value like: "spec.containers{name}" (where "name" refers to the name of the container that triggered the event) or if no container name is specified "spec.containers[2]" (container with index 2 in this pod). This syntax is chosen only to have some well-defined way of referencing a part of an object.',
    ),
    wide(
      "Source",
      "The component reporting this event. Should be a short machine understandable string.",
    ),
    column("Message", "A human-readable description of the status of this operation."),
    wide(
      "First Seen",
      "The time at which the event was first recorded. (Time of server receipt is in TypeMeta.)",
    ),
    wide("Count", "The number of times this event has occurred."),
    { ...NAME, priority: 1 },
  ],
  cells: (event, now) => {
    const { involvedObject: about, series, firstTimestamp, lastTimestamp } = event;
    const first = ageOf(firstTimestamp ?? event.eventTime, now);
    const last = lastTimestamp == null ? first : ageOf(lastTimestamp, now);
    const kind = (about?.kind ?? "").toLowerCase();
    return [
      series == null ? last : ageOf(series.lastObservedTime, now),
      event.type ?? "",
      event.reason ?? "",
      about?.name ? `${kind}/${about.name}` : kind,
      about?.fieldPath ?? "",
      sourceOf(event),
      (event.message ?? "").trim(),
      first,
      series == null ? event.count || 1 : (series.count ?? 0),
      nameOf(event),
    ];
  },
});

function sourceOf({ source, reportingComponent, reportingInstance }: Printed<Event>): string {
  const component = source?.component || reportingComponent || "";
  const instance = source?.host || reportingInstance || "";
  return instance === "" ? component : `${component}, ${instance}`;
}

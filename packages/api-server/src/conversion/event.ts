/** Events: core/v1 and events.k8s.io/v1 hold the same under other names. */
import type { KubernetesObject } from "@homeostat/object-model";
import type { Event as CoreEvent } from "@homeostat/object-model/core-v1";
import type { Event as NewEvent } from "@homeostat/object-model/events-v1";

/** Name in core/v1, name in events.k8s.io/v1; in the order of the latter. */
const FIELDS = [
  ["eventTime", "eventTime"],
  ["series", "series"],
  ["reportingComponent", "reportingController"],
  ["reportingInstance", "reportingInstance"],
  ["action", "action"],
  ["reason", "reason"],
  ["involvedObject", "regarding"],
  ["related", "related"],
  ["message", "note"],
  ["type", "type"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
] as const satisfies readonly (readonly [keyof CoreEvent, keyof NewEvent])[];

export function eventOfCore(event: Readonly<CoreEvent>): KubernetesObject {
  return renamed(event, "events.k8s.io/v1", FIELDS);
}

export function eventToCore(event: Readonly<NewEvent>): KubernetesObject {
  const back = FIELDS.map(([core, current]) => [current, core] as const);
  return renamed(event, "v1", back);
}

function renamed<T extends KubernetesObject>(
  event: Readonly<T>,
  apiVersion: string,
  names: readonly (readonly [keyof T, string])[],
): KubernetesObject {
  const entries: [string, unknown][] = [
    ["kind", "Event"],
    ["apiVersion", apiVersion],
  ];
  if (event.metadata !== undefined) entries.push(["metadata", event.metadata]);
  for (const [from, to] of names) {
    if (event[from] !== undefined) entries.push([to, event[from]]);
  }
  return Object.fromEntries(entries);
}

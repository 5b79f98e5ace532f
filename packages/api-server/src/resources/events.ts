/**
 * Events, stored as core/v1 for both of their groups and gone after an hour. What comes through core
 * is hardly checked, for the sake of old reporters; through events.k8s.io an event has to be of
 * the newer form, and then only its series changes.
 */

import { checkLabelKey, equalJson, FieldError, FieldPath } from "@homeostat/object-model";
import type { Event } from "@homeostat/object-model/core-v1";
import type { Strategy } from "../registry/strategy.ts";
import { checkSegmentName } from "./core.ts";
import { checkImmutable, checkImmutablePart, FIELD_IS_IMMUTABLE } from "./field-checks.ts";
import { internalForm, sameInternal } from "./internal-form.ts";
import { checkObjectMeta, nameIsDnsSubdomain, subdomainNamed } from "./object-meta.ts";

const HOUR = 60 * 60 * 1000;

export const events: Strategy<Event> = {
  createOnUpdate: true,
  checkName: checkSegmentName,
  timeToLive: HOUR,
  selectableFields: {
    "involvedObject.kind": (event) => event.involvedObject?.kind ?? "",
    "involvedObject.namespace": (event) => event.involvedObject?.namespace ?? "",
    "involvedObject.name": (event) => event.involvedObject?.name ?? "",
    "involvedObject.uid": (event) => event.involvedObject?.uid ?? "",
    "involvedObject.apiVersion": (event) => event.involvedObject?.apiVersion ?? "",
    "involvedObject.resourceVersion": (event) => event.involvedObject?.resourceVersion ?? "",
    "involvedObject.fieldPath": (event) => event.involvedObject?.fieldPath ?? "",
    reason: (event) => event.reason ?? "",
    reportingComponent: (event) => event.reportingComponent ?? "",
    source: (event) => event.source?.component || (event.reportingComponent ?? ""),
    type: (event) => event.type ?? "",
  },
  validate: (event) => checkEvent(event, "reportingComponent"),
  validateUpdate: (event) => checkEvent(event, "reportingComponent"),
};

/** The same kind at its other address; the object is still in the form of core/v1. */
export const newEvents: Strategy<Event> = {
  ...events,
  checkName: nameIsDnsSubdomain,
  validate: (event) => [
    ...checkEvent(event, "reportingController"),
    ...checkObjectMeta(event.metadata, subdomainNamed(true)),
    ...checkSeries(event),
    ...checkNewForm(event),
  ],
  validateUpdate: (event, old) => [
    ...checkEvent(event, "reportingController"),
    ...(equalJson(event.series, old.series) ? [] : checkSeries(event)),
    ...checkUnchanged(event, old),
  ],
};

/** Whether the event lies in the namespace of what it is about, and says who reports what. */
function checkEvent(event: Readonly<Event>, reporter: string): FieldError[] {
  const about = event.involvedObject?.namespace ?? "";
  const namespace = event.metadata.namespace ?? "";
  const isNew = event.eventTime != null;
  const homes = isNew ? ["default", "kube-system"] : ["", "default"];
  const agrees = about === "" ? homes.includes(namespace) : isNew || about === namespace;
  const errors: FieldError[] = [];
  if (!agrees) {
    const path = FieldPath.of("involvedObject", "namespace");
    errors.push(FieldError.invalid(path, about, "does not match event.namespace"));
  }
  return isNew ? [...errors, ...checkReport(event, reporter)] : errors;
}

function checkReport(event: Readonly<Event>, reporter: string): FieldError[] {
  const errors: FieldError[] = [];
  const component = event.reportingComponent ?? "";
  const path = FieldPath.of(reporter);
  if (component === "") errors.push(FieldError.required(path));
  for (const why of checkLabelKey(component)) errors.push(FieldError.invalid(path, component, why));
  for (const name of ["reportingInstance", "action", "reason"] as const) {
    const text = event[name] ?? "";
    if (text === "") errors.push(FieldError.required(FieldPath.of(name)));
    for (const each of checkLength(name, text, 128)) errors.push(each);
  }
  return [...errors, ...checkLength("message", event.message ?? "", 1024)];
}

function checkLength(name: string, text: string, limit: number): FieldError[] {
  if (Buffer.byteLength(text) <= limit) return [];
  return [FieldError.invalid(FieldPath.of(name), "", `can have at most ${limit} characters`)];
}

function checkSeries({ series }: Readonly<Event>): FieldError[] {
  if (series === undefined) return [];
  const errors: FieldError[] = [];
  if ((series.count ?? 0) < 2) {
    errors.push(FieldError.invalid(FieldPath.of("series.count"), "", "should be at least 2"));
  }
  if (series.lastObservedTime == null) {
    errors.push(FieldError.required(FieldPath.of("series.lastObservedTime")));
  }
  return errors;
}

/** The time is required, and what only the older form has must be absent. */
function checkNewForm(event: Readonly<Event>): FieldError[] {
  const errors: FieldError[] = [];
  if (event.eventTime == null) errors.push(FieldError.required(FieldPath.of("eventTime")));
  const type = event.type ?? "";
  if (type !== "Normal" && type !== "Warning") {
    errors.push(FieldError.invalid(FieldPath.of("type"), "", `has invalid value: ${type}`));
  }
  const older = {
    firstTimestamp: event.firstTimestamp != null,
    lastTimestamp: event.lastTimestamp != null,
    count: Boolean(event.count),
    source: Boolean(event.source?.component || event.source?.host),
  };
  for (const [name, present] of Object.entries(older)) {
    if (present) errors.push(FieldError.invalid(FieldPath.of(name), "", "needs to be unset"));
  }
  return errors;
}

function checkUnchanged(event: Readonly<Event>, old: Readonly<Event>): FieldError[] {
  type Text = "action" | "message" | "reason" | "reportingInstance" | "type";
  const text = (name: Text): FieldError[] =>
    checkImmutable({ path: FieldPath.of(name), value: event[name] ?? "", old: old[name] ?? "" });
  const time = (name: "eventTime" | "firstTimestamp" | "lastTimestamp"): FieldError[] =>
    checkImmutable({ path: FieldPath.of(name), value: event[name], old: old[name] });
  const part = (
    type: "EventSource" | "ObjectReference",
    name: "involvedObject" | "source",
  ): FieldError[] =>
    sameInternal(type, event[name], old[name])
      ? []
      : [
          FieldError.invalid(
            FieldPath.of(name),
            internalForm(type, event[name]),
            FIELD_IS_IMMUTABLE,
          ),
        ];
  return [
    ...part("ObjectReference", "involvedObject"),
    ...text("reason"),
    ...text("message"),
    ...part("EventSource", "source"),
    ...time("firstTimestamp"),
    ...time("lastTimestamp"),
    ...checkImmutable({
      path: FieldPath.of("count"),
      value: event.count ?? 0,
      old: old.count ?? 0,
    }),
    // Kubernetes asks twice.
    ...text("reason"),
    ...text("type"),
    ...time("eventTime"),
    ...text("action"),
    ...checkImmutablePart("ObjectReference", {
      path: FieldPath.of("related"),
      value: event.related,
      old: old.related,
    }),
    ...checkImmutable({
      path: FieldPath.of("reportingController"),
      value: event.reportingComponent ?? "",
      old: old.reportingComponent ?? "",
    }),
    ...text("reportingInstance"),
  ];
}

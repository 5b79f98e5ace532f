import { seededRandom } from "@homeostat/concurrency";
import type { Event } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import type { WriteContext } from "../registry/strategy.ts";
import { events, newEvents } from "./events.ts";

const context: WriteContext = {
  operation: "update",
  subresource: "",
  dryRun: false,
  now: 0,
  random: seededRandom(1),
  user: { username: "admin" },
  reader: {
    get: () => undefined,
    list: () => [],
    isClaimed: () => false,
    namespacePhase: () => "Active",
  },
  breathe: async () => undefined,
  warn: () => undefined,
  settings: { serviceClusterIpRange: "10.0.0.0/24", serviceNodePortRange: [30000, 32767] },
};

function event(more: Partial<Event> = {}): Event {
  return {
    metadata: { name: "e", namespace: "a" },
    involvedObject: { namespace: "a" },
    eventTime: "2020-01-01T00:00:00.000000Z",
    reportingComponent: "a.b/c",
    reportingInstance: "i",
    action: "Act",
    reason: "Why",
    type: "Normal",
    ...more,
  };
}

test("through core an old event changes as it likes", () => {
  const old: Event = {
    metadata: { name: "e", namespace: "a" },
    involvedObject: { namespace: "a" },
  };
  expect(events.validateUpdate!({ ...old, message: "new" }, old, context)).toEqual([]);
});

test("through events.k8s.io only the series changes", () => {
  const series = { count: 2, lastObservedTime: "2020-01-01T00:00:00.000000Z" };
  expect(newEvents.validateUpdate!(event({ series }), event(), context)).toEqual([]);
  const changed = event({ message: "changed", related: { name: "r" } });
  expect(newEvents.validateUpdate!(changed, event(), context).map(String)).toEqual([
    'message: Invalid value: "changed": field is immutable',
    'related: Invalid value: {"Kind":"","Namespace":"","Name":"r","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
  ]);
});

test("through events.k8s.io an event has a time, a type and nothing of the older form", () => {
  const { eventTime: _, type: __, ...rest } = event({ count: 3, source: { host: "h" } });
  expect(newEvents.validate!(rest, context).map(String)).toEqual([
    "eventTime: Required value",
    'type: Invalid value: "": has invalid value: ',
    'count: Invalid value: "": needs to be unset',
    'source: Invalid value: "": needs to be unset',
  ]);
});

test("a series is at least two, and was seen", () => {
  const series = { count: 1 } as NonNullable<Event["series"]>;
  expect(newEvents.validate!(event({ series }), context).map(String)).toEqual([
    'series.count: Invalid value: "": should be at least 2',
    "series.lastObservedTime: Required value",
  ]);
});

test("the source selected by is the reporter where no component is named", () => {
  const source = events.selectableFields!["source"]!;
  expect(source(event())).toBe("a.b/c");
  expect(source(event({ source: { component: "kubelet" } }))).toBe("kubelet");
});

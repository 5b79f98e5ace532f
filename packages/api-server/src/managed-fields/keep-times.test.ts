import type { JsonObject, KubernetesObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { keepTimes } from "./keep-times.ts";

const EARLY = "2026-01-01T00:00:00Z";
const LATE = "2026-01-01T00:00:09Z";

function objectOf(time: string, value: string, fields: JsonObject = {}): KubernetesObject {
  const managedFields = [{ manager: "m", operation: "Update", time, fieldsV1: fields }];
  return { metadata: { name: "a", managedFields }, data: { k: value } } as KubernetesObject;
}

function timeKept(object: KubernetesObject, old: KubernetesObject): string | undefined {
  keepTimes(object, old, (given) => given);
  return object.metadata?.managedFields?.[0]?.time;
}

test("a write that changes nothing else keeps the times", () => {
  expect(timeKept(objectOf(LATE, "1"), objectOf(EARLY, "1"))).toBe(EARLY);
});

test("a change of the object or of who owns what has its time", () => {
  expect(timeKept(objectOf(LATE, "2"), objectOf(EARLY, "1"))).toBe(LATE);
  expect(timeKept(objectOf(LATE, "1", { "f:a": {} }), objectOf(EARLY, "1"))).toBe(LATE);
});

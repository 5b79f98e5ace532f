import type { KubernetesObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { defaultClass } from "./default-class.ts";

const of = (name: string, creationTimestamp: string, mark = "true"): KubernetesObject => ({
  metadata: { name, creationTimestamp, annotations: { mark } },
});
const chosen = (...classes: KubernetesObject[]): string | undefined =>
  defaultClass(classes, ["mark"])?.metadata?.name;

test("of those that are marked, the newest is the default", () => {
  expect(chosen(of("a", "2020-01-01T00:00:00Z"), of("b", "2020-01-01T00:00:01Z"))).toBe("b");
});

test("of equally new ones, the first by name", () => {
  expect(chosen(of("b", "2020-01-01T00:00:00Z"), of("a", "2020-01-01T00:00:00Z"))).toBe("a");
});

test("only the exact word marks", () => {
  expect(chosen(of("a", "2020-01-01T00:00:00Z", "True"))).toBeUndefined();
});

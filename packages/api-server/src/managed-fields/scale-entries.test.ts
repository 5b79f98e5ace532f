import type { KubernetesObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import {
  replicasPath,
  type ScaleMapping,
  takeParentEntries,
  takeScaleEntries,
} from "./scale-entries.ts";

const mapping: ScaleMapping = {
  apiVersion: "example.com/v1",
  pathIn: new Map([
    ["example.com/v1", replicasPath(".spec.count")],
    ["example.com/v2", undefined],
  ]),
};
const TIME = "2026-01-01T00:00:00Z";

function entry(manager: string, more: object = {}): object {
  return {
    manager,
    operation: "Apply",
    apiVersion: "example.com/v1",
    time: TIME,
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": { "f:count": {}, "f:image": {} } },
    ...more,
  };
}

function objectOf(...managedFields: object[]): KubernetesObject {
  return { metadata: { name: "a", managedFields } };
}

test("a Scale has the managers that own the replicas of its object", () => {
  const scale: KubernetesObject = {};
  const other = entry("image", { fieldsV1: { "f:spec": { "f:image": {} } } });
  const later = entry("later", { apiVersion: "example.com/v2" });
  takeScaleEntries(scale, objectOf(entry("count"), other, later), mapping);
  expect(scale.metadata?.managedFields).toEqual([
    entry("count", {
      apiVersion: "autoscaling/v1",
      fieldsV1: { "f:spec": { "f:replicas": {} } },
    }),
  ]);
});

test("whoever scales takes the replicas, and has no time for it", () => {
  const parent = objectOf(entry("one"), entry("gone", { apiVersion: "example.com/v0" }));
  const scaler = {
    manager: "scaler",
    operation: "Update",
    apiVersion: "autoscaling/v1",
    time: TIME,
    fieldsType: "FieldsV1",
    fieldsV1: { "f:spec": { "f:replicas": {} } },
    subresource: "scale",
  };
  takeParentEntries(parent, objectOf(scaler), mapping);
  expect(parent.metadata?.managedFields).toEqual([
    entry("one", { fieldsV1: { "f:spec": { "f:image": {} } } }),
    {
      manager: "scaler",
      operation: "Update",
      apiVersion: "example.com/v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:spec": { "f:count": {} } },
      subresource: "scale",
    },
  ]);
});

test("an applier that still owns the replicas keeps its entry", () => {
  const parent = objectOf(entry("one"));
  const same = entry("one", {
    apiVersion: "autoscaling/v1",
    fieldsV1: { "f:spec": { "f:replicas": {} } },
  });
  takeParentEntries(parent, objectOf(same), mapping);
  expect(parent.metadata?.managedFields).toEqual([entry("one")]);
});

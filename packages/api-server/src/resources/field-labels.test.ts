import { expect, test } from "vitest";
import { resolveFieldLabel } from "./field-labels.ts";

const at = (group: string, resource: string) => ({ group, version: "v1", resource });

test("every kind is selected by name, and nearly every by namespace", () => {
  expect(resolveFieldLabel(at("", "configmaps"), "metadata.name")).toEqual({
    field: "metadata.name",
  });
  expect(resolveFieldLabel(at("storage.k8s.io", "storageclasses"), "metadata.namespace")).toEqual({
    field: "metadata.namespace",
  });
  expect(resolveFieldLabel(at("", "nodes"), "metadata.namespace")).toEqual({
    problem: "field label not supported: metadata.namespace",
  });
});

test("fields go by their former and their other names too", () => {
  expect(resolveFieldLabel(at("", "pods"), "spec.host")).toEqual({ field: "spec.nodeName" });
  expect(resolveFieldLabel(at("events.k8s.io", "events"), "regarding.kind")).toEqual({
    field: "involvedObject.kind",
  });
});

test.each([
  [at("", "pods"), "foo", "field label not supported: foo"],
  [
    at("", "configmaps"),
    "foo",
    '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
  [
    at("apps", "replicasets"),
    "status.replicas",
    '"status.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
  [at("batch", "jobs"), "foo", 'field label "foo" not supported for Job'],
  [
    at("resource.k8s.io", "resourceslices"),
    "foo",
    "field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: foo",
  ],
  [
    at("events.k8s.io", "events"),
    "involvedObject.kind",
    "field label not supported: involvedObject.kind",
  ],
  [at("", "namespaces"), "constructor", "field label not supported: constructor"],
])("unknown fields are refused in the words of the kind: %o %s", (resource, label, problem) => {
  expect(resolveFieldLabel(resource, label)).toEqual({ problem });
});

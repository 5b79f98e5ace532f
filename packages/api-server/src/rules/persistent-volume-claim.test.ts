import { schemaOf } from "@homeostat/object-model";
import { Place } from "@homeostat/schema";
import { expect, test } from "vitest";
import { claimStatus } from "./persistent-volume-claim.ts";
import { validateChange, validateNew } from "./validate-object.ts";

const schema = schemaOf("core.v1.PersistentVolumeClaim");
const context = { operation: "create", subresource: "", now: 0 } as const;
const fine = {
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "1Gi" } },
};

function problemsOf(spec: object): readonly string[] {
  return validateNew(schema, { metadata: { name: "c" }, spec }, context).map(String);
}

test.each<[object, readonly string[]]>([
  [
    { accessModes: [], resources: {} },
    [
      "spec.accessModes: Required value: at least 1 access mode is required",
      "spec.resources[storage]: Required value",
    ],
  ],
  [
    { resources: { requests: { storage: "0" } } },
    ['spec.resources[storage]: Invalid value: "0": must be greater than zero'],
  ],
  [
    { volumeMode: "X" },
    ['spec.volumeMode: Unsupported value: "X": supported values: "Block", "Filesystem"'],
  ],
  [
    { dataSource: { kind: "Image" } },
    [
      "spec.dataSource.name: Required value",
      `spec.dataSource: Invalid value: "Image": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
    ],
  ],
  [
    {
      dataSource: { kind: "PersistentVolumeClaim", name: "a" },
      dataSourceRef: { kind: "PersistentVolumeClaim", name: "b" },
    },
    ["spec: Invalid value: {}: must match dataSourceRef"],
  ],
])("%j", (spec, expected) => {
  expect(problemsOf({ ...fine, ...spec })).toEqual(expected);
});

test("a source in a group stays allowed, whatever becomes of the group", () => {
  const claim = (apiGroup: string) => ({
    metadata: { name: "c" },
    spec: { ...fine, dataSource: { apiGroup, kind: "Image", name: "a" } },
  });
  expect(problemsOf(claim("A b").spec)).toHaveLength(1);
  const change = { value: claim("A b"), old: claim("example.com") };
  expect(validateChange(schema, change, context)).toEqual([]);
});

test.each<[object, readonly string[]]>([
  [
    { capacity: { storage: "-1" } },
    ["status.capacity[storage]: Invalid value: -1: must be a valid resource quantity"],
  ],
  [
    { allocatedResourceStatuses: { cpu: "NodeResizePending", storage: "Nope" } },
    [
      'status.allocatedResourceStatuses: Unsupported value: "cpu": supported values: "storage"',
      'status.allocatedResourceStatuses: Unsupported value: "storage": supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"',
    ],
  ],
  [
    { allocatedResources: { cpu: "-1", "example.com/x": "-1" } },
    [
      'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
      "status.allocatedResources[example.com/x]: Invalid value: -1: must be a valid resource quantity",
    ],
  ],
])("status %j", (status, expected) => {
  const place = Place.root(undefined);
  claimStatus({ metadata: {}, spec: fine, status }, place);
  expect(place.errors.map(String)).toEqual(expected);
});

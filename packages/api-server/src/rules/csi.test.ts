import { schemaOf } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { validateNew } from "./validate-object.ts";

const context = { operation: "create", subresource: "", now: 0 } as const;

function problemsOf(kind: string, spec: object): readonly string[] {
  const object = { metadata: { name: "x" }, spec };
  return validateNew(schemaOf(`storage.v1.${kind}`), object, context).map(String);
}

const driver = {
  attachRequired: true,
  podInfoOnMount: false,
  storageCapacity: false,
  seLinuxMount: false,
};

test.each<[object, readonly string[]]>([
  [{}, []],
  [
    { fsGroupPolicy: "" },
    [
      'spec.fsGroupPolicy: Unsupported value: "": supported values: "File", "None", "ReadWriteOnceWithFSType"',
    ],
  ],
  [
    { volumeLifecycleModes: ["X"] },
    [
      'spec.volumeLifecycleModes: Unsupported value: "X": supported values: "Persistent", "Ephemeral"',
    ],
  ],
  [
    { tokenRequests: [{ audience: "a", expirationSeconds: 599 }, { audience: "a" }] },
    [
      "spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes",
      'spec.tokenRequests[1].audience: Duplicate value: "a"',
    ],
  ],
  [
    { nodeAllocatableUpdatePeriodSeconds: 9 },
    [
      "spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds",
    ],
  ],
  [
    { serviceAccountTokenInSecrets: false },
    [
      "spec.serviceAccountTokenInSecrets: Invalid value: false: serviceAccountTokenInSecrets is set but no tokenRequests are specified",
    ],
  ],
])("a driver: %j", (more, expected) => {
  expect(problemsOf("CSIDriver", { ...driver, ...more })).toEqual(expected);
});

test("the drivers of a node are different, and say which node they mean", () => {
  const drivers = [
    { name: "d", nodeID: "", allocatable: { count: -1 } },
    { name: "d", nodeID: "n", topologyKeys: ["a", "a"] },
  ];
  expect(problemsOf("CSINode", { drivers })).toEqual([
    "spec.drivers[0].nodeID: Required value",
    "spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0",
    'spec.drivers[1].name: Duplicate value: "d"',
    'spec.drivers[1]: Duplicate value: "a"',
  ]);
});

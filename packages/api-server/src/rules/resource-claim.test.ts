import { schemaOf } from "@homeostat/object-model";
import { Place } from "@homeostat/schema";
import { expect, test } from "vitest";
import { claimStatusChange } from "./devices/claim-status.ts";
import { validateNew } from "./validate-object.ts";

const context = { operation: "create", subresource: "", now: 0 } as const;
const pool = { name: "pool", generation: 1, resourceSliceCount: 1 };

function problemsOf(kind: string, spec: object): readonly string[] {
  const schema = schemaOf(`resource.v1.${kind}`);
  return validateNew(schema, { metadata: { name: "x" }, spec }, context).map(String);
}

function problemsOfDevice(device: object): readonly string[] {
  const devices = [{ name: "d", ...device }];
  return problemsOf("ResourceSlice", { driver: "a.b", pool, nodeName: "n", devices });
}

const EXPRESSION = "spec.selectors[0].cel.expression:";
const THRICE =
  "device.attributes.all(d, device.attributes.all(e, device.attributes.all(f, d == e)))";

test.each<[string, readonly string[]]>([
  ["device.driver == 'a' && device.attributes['a'].b", []],
  ["device.capacity['a'].b.compareTo(quantity('1')) > 0", []],
  ["cel.bind(x, device.attributes['a'], x.b && x.c)", []],
  ["1", [`${EXPRESSION} Invalid value: "1": must evaluate to bool or the unknown type, not int`]],
  [THRICE, []],
  [
    `device.attributes.all(g, ${THRICE})`,
    [`${EXPRESSION} Forbidden: too complex, exceeds cost limit`],
  ],
])("devices chosen by %s", (expression, expected) => {
  expect(problemsOf("DeviceClass", { selectors: [{ cel: { expression } }] })).toEqual(expected);
});

test("references name requests of the claim, or their alternatives", () => {
  const requests = [
    { name: "r", exactly: { deviceClassName: "c", allocationMode: "All" } },
    { name: "s", firstAvailable: [{ name: "t", deviceClassName: "c", allocationMode: "All" }] },
  ];
  const constraints = [{ requests: ["r", "s/t", "s/u", "r"], matchAttribute: "a" }];
  expect(problemsOf("ResourceClaim", { devices: { requests, constraints } })).toEqual([
    "spec.devices.constraints[0].requests[2]: Invalid value: \"s/u\": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
    'spec.devices.constraints[0].requests[3]: Duplicate value: "r"',
    'spec.devices.constraints[0].matchAttribute: Invalid value: "a": a fully qualified name must be a domain and a name separated by a slash',
  ]);
});

const POLICY = "spec.devices[0].capacity[m].requestPolicy";

test.each<[object, readonly string[]]>([
  [
    { default: "3", validValues: ["2", "1"] },
    [
      `${POLICY}.validValues[1]: Invalid value: "1": values must be sorted in ascending order`,
      `${POLICY}.validValues: Invalid value: "3": default value is not valid according to the requestPolicy`,
    ],
  ],
  [
    { default: "4", validRange: { min: "1", max: "9", step: "2" } },
    [
      `${POLICY}.validRange.step: Invalid value: "4": value is not a multiple of a given step (2) from (1)`,
    ],
  ],
  [
    { default: "20", validRange: { min: "1", max: "15" } },
    [
      `${POLICY}.validRange.max: Invalid value: "15": max is larger than capacity value: 10`,
      `${POLICY}.validRange.max: Invalid value: "20": default is more than max: 15`,
    ],
  ],
])("parts of a capacity: %j", (requestPolicy, expected) => {
  const capacity = { m: { value: "10", requestPolicy } };
  expect(problemsOfDevice({ allowMultipleAllocations: true, capacity })).toEqual(expected);
  expect(problemsOfDevice({ capacity })).toEqual([
    `${POLICY}: Forbidden: allowMultipleAllocations must be true`,
  ]);
});

test("an attribute has one value, and names that are too long are shortened", () => {
  const key = `${"d".repeat(63)}/${"x".repeat(40)}`;
  const shown = `${"d".repeat(47)}...${"d".repeat(5)}/${"x".repeat(40)}`;
  expect(problemsOfDevice({ attributes: { [key]: { int: 1, bool: true } } })).toEqual([
    "spec.devices[0].attributes: Too long: may not be more than 32 bytes",
    `spec.devices[0].attributes[${shown}]: Invalid value: {"IntValue":1,"BoolValue":true,"StringValue":null,"VersionValue":null,"IntValues":null,"BoolValues":null,"StringValues":null,"VersionValues":null}: exactly one value must be specified`,
  ]);
});

test("drivers may only speak of devices that the claim has", () => {
  const place = Place.root(undefined);
  const device = { driver: "a.b", pool: "p", device: "d", networkData: { ips: ["10.0.0.01/8"] } };
  const reservedFor = [{ resource: "pods", name: "a", uid: "u" }];
  const claim = { metadata: { name: "x" }, spec: {}, status: { devices: [device], reservedFor } };
  claimStatusChange({ value: claim, old: { metadata: {}, spec: {} } }, place);
  expect(place.errors.map(String)).toEqual([
    'status.devices[0]: Invalid value: {"Driver":"a.b","Pool":"p","Device":"d","ShareID":""}: must be an allocated device in the claim',
    'status.devices[0].networkData.ips[0]: Invalid value: "10.0.0.01/8": must be in canonical form ("10.0.0.1/8")',
    "status.reservedFor: Forbidden: may not be specified when `allocated` is not set",
  ]);
});

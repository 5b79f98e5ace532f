import { printFieldsV1 } from "@homeostat/schema";
import { expect, test } from "vitest";
import { resetFieldsOf } from "./reset-fields.ts";

const door = ([group, resource, subresource]: readonly [string, string, string]) => ({
  groupResource: { group, resource },
  subresource,
  hasStatus: true,
  isCustom: false,
});

test.each([
  [["apps", "daemonsets", ""], { "f:status": {} }],
  [["apps", "daemonsets", "status"], { "f:spec": {} }],
  [["apps", "deployments", "status"], { "f:metadata": { "f:labels": {} }, "f:spec": {} }],
  [["certificates.k8s.io", "certificatesigningrequests", ""], { "f:spec": {}, "f:status": {} }],
  [["", "namespaces", "finalize"], { "f:status": {} }],
  [["", "pods", "ephemeralcontainers"], {}],
  [["storage.k8s.io", "volumeattachments", "status"], { "f:metadata": {}, "f:spec": {} }],
] as const)("%j gives nobody %j", (place, fields) => {
  expect(printFieldsV1(resetFieldsOf(door(place)))).toEqual(fields);
});

test("a custom resource lets only its status through the status door", () => {
  const status = { ...door(["example.com", "pods", "status"]), isCustom: true };
  expect(printFieldsV1(resetFieldsOf(status))).toEqual({ "f:metadata": {}, "f:spec": {} });
});

test("kinds without a status subresource reset nothing", () => {
  const plain = { ...door(["", "configmaps", ""]), hasStatus: false };
  expect(printFieldsV1(resetFieldsOf(plain))).toEqual({});
});

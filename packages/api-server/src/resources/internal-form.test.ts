import { expect, test } from "vitest";
import {
  internalForm,
  printIndented,
  sameForm,
  sameInternal,
  samePointer,
} from "./internal-form.ts";

test("a role reference prints with Go's names, in Go's order", () => {
  const value = { name: "b", kind: "Role", apiGroup: "rbac.authorization.k8s.io" };
  expect(JSON.stringify(internalForm("rbac.RoleRef", value))).toBe(
    '{"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"b"}',
  );
});

test("what the API keeps in the spec of a pod, Go keeps in its security context", () => {
  const form = internalForm("PodSpec", { hostNetwork: true, containers: [] });
  expect(form["SecurityContext"]).toMatchObject({ HostNetwork: true, HostPID: false });
  expect(form["HostNetwork"]).toBeUndefined();
});

test("the labels of a template stand beside its spec", () => {
  const form = internalForm("PodTemplateSpec", { metadata: { labels: { b: "1", a: "2" } } });
  expect(Object.keys(form)).toEqual(["labels", "Spec"]);
  expect(Object.keys(form["labels"] as object)).toEqual(["a", "b"]);
});

test("fields that the API names differently are found", () => {
  const form = internalForm("PersistentVolumeSource", { rbd: { image: "i", monitors: ["m"] } });
  expect(form["RBD"]).toMatchObject({ RBDImage: "i", CephMonitors: ["m"] });
});

test("nothing, an empty list and an empty map are the same", () => {
  expect(sameInternal("PodSpec", { tolerations: [], nodeSelector: {} }, {})).toBe(true);
  expect(sameInternal("PodSpec", { serviceAccountName: "" }, {})).toBe(true);
  expect(sameForm(null, [])).toBe(true);
  expect(sameForm({}, null)).toBe(true);
  expect(sameForm([], ["a"])).toBe(false);
});

test("a pointer to nothing is not a missing pointer", () => {
  expect(sameInternal("PodSpec", { automountServiceAccountToken: false }, {})).toBe(false);
  expect(sameInternal("PodSpec", { affinity: {} }, {})).toBe(false);
  expect(samePointer("LabelSelector", {}, undefined)).toBe(false);
  expect(samePointer("LabelSelector", undefined, undefined)).toBe(true);
});

test("quantities are compared by what they are worth", () => {
  const pod = (cpu: string) => ({ containers: [{ name: "c", resources: { limits: { cpu } } }] });
  expect(sameInternal("PodSpec", pod("1000m"), pod("1"))).toBe(true);
  expect(sameInternal("PodSpec", pod("1001m"), pod("1"))).toBe(false);
});

test("keys that every object inherits are ordinary keys", () => {
  const nodeSelector: unknown = JSON.parse('{"__proto__":"x","constructor":"y"}');
  expect(sameInternal("PodSpec", { nodeSelector }, {})).toBe(false);
  expect(sameInternal("PodSpec", { nodeSelector }, { nodeSelector })).toBe(true);
  expect(JSON.stringify(internalForm("PodSpec", { nodeSelector })["NodeSelector"])).toBe(
    '{"__proto__":"x","constructor":"y"}',
  );
});

test("indented JSON escapes markup and keeps empty lists on their line", () => {
  expect(printIndented({ a: [], b: { c: "<&>" }, d: [1] })).toBe(
    '{\n "a": [],\n "b": {\n  "c": "\\u003c\\u0026\\u003e"\n },\n "d": [\n  1\n ]\n}',
  );
});

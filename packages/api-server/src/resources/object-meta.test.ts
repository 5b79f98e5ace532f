import { FieldPath, type ObjectMeta } from "@homeostat/object-model";
import { expect, test } from "vitest";
import {
  checkAnnotations,
  checkLabels,
  checkObjectMeta,
  checkObjectMetaAgain,
  checkObjectMetaUpdate,
  hasFreeFinalizers,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  nameIsPathSegment,
} from "./object-meta.ts";

const rules = { namespaced: true, checkName: nameIsDnsSubdomain, qualifiedFinalizers: true };

function problems(metadata: ObjectMeta, changed: Partial<typeof rules> = {}): string[] {
  return checkObjectMeta(metadata, { ...rules, ...changed }).map(String);
}

function updateProblems(metadata: ObjectMeta, old: ObjectMeta): string[] {
  const errors = checkObjectMetaUpdate({ ...GOOD, ...metadata }, { ...GOOD, ...old }, rules);
  return errors.map(String);
}

const GOOD: ObjectMeta = { name: "a", namespace: "default", resourceVersion: "7", uid: "u" };

const QUALIFIED_NAME =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

test("metadata with a name and a namespace is accepted", () => {
  expect(problems(GOOD)).toEqual([]);
});

test("a name is required, and a namespace where the kind has one", () => {
  expect(problems({})).toEqual([
    "metadata.name: Required value: name or generateName is required",
    "metadata.namespace: Required value",
  ]);
});

test("a namespace is refused where the kind has none", () => {
  expect(problems(GOOD, { namespaced: false })).toEqual([
    "metadata.namespace: Forbidden: not allowed on this type",
  ]);
});

test("the namespace is checked as a label, the name as its kind says", () => {
  const found = problems({ name: "a.b", namespace: "c.d" }, { checkName: nameIsDnsLabel });
  expect(found).toEqual([
    'metadata.name: Invalid value: "a.b": must not contain dots',
    'metadata.namespace: Invalid value: "c.d": must not contain dots',
  ]);
});

test("a prefix is checked beside the name made from it, and may end in a dash", () => {
  expect(problems({ ...GOOD, generateName: "web-", name: "web-x7k2p" })).toEqual([]);
  const found = problems({ ...GOOD, generateName: "A_", name: "A_x7k2p" });
  expect(found.map((text) => text.slice(0, 45))).toEqual([
    'metadata.generateName: Invalid value: "A_": a',
    'metadata.name: Invalid value: "A_x7k2p": a lo',
  ]);
});

test("a negative generation is refused", () => {
  expect(problems({ ...GOOD, generation: -1 })).toEqual([
    "metadata.generation: Invalid value: -1: must be greater than or equal to 0",
  ]);
});

test("labels and annotations with bad keys or values are refused; annotation keys in any case are not", () => {
  const found = problems({
    ...GOOD,
    labels: { "a b": "-" },
    annotations: { "UP/x": "1", "c d": "2" },
  });
  expect(found).toEqual([
    `metadata.labels: Invalid value: "a b": ${QUALIFIED_NAME}`,
    "metadata.labels: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    `metadata.annotations: Invalid value: "c d": ${QUALIFIED_NAME}`,
  ]);
});

test("keys that every object inherits are ordinary keys", () => {
  const labels = JSON.parse('{"__proto__":"x","constructor":"-","toString":"fine"}');
  const found = checkLabels(labels, FieldPath.of("l")).map(({ body }) => body.split(": ")[1]);
  expect(found).toEqual(['"__proto__"', '"-"']);
});

test("annotations may hold 256 KiB in bytes, keys and values together", () => {
  const path = FieldPath.of("metadata", "annotations");
  const fits = { ab: "é".repeat((256 * 1024 - 2) / 2) };
  expect(checkAnnotations(fits, path)).toEqual([]);
  expect(checkAnnotations({ ...fits, c: "" }, path).map(String)).toEqual([
    "metadata.annotations: Too long: may not be more than 262144 bytes",
  ]);
});

test("owner references need their four fields, and Events own nothing", () => {
  const ownerReferences = [
    { apiVersion: "v1", kind: "Event", name: "e", uid: "u" },
    { apiVersion: "v1/", kind: "Pod", name: "", uid: "" },
    { apiVersion: "a/b/c", kind: "", name: "n", uid: "u" },
  ];
  expect(problems({ ...GOOD, ownerReferences })).toEqual([
    'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"e","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
    'metadata.ownerReferences.apiVersion: Invalid value: "v1/": version must not be empty',
    'metadata.ownerReferences.name: Invalid value: "": must not be empty',
    'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
    'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
  ]);
});

test("only one owner can be the controller", () => {
  const owner = { controller: true, uid: "u", name: "x", kind: "Pod", apiVersion: "v1" };
  const ownerReferences = [owner, { ...owner, name: "y", blockOwnerDeletion: false }];
  expect(problems({ ...GOOD, ownerReferences })).toEqual([
    'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Pod","name":"x","uid":"u","controller":true},{"apiVersion":"v1","kind":"Pod","name":"y","uid":"u","controller":true,"blockOwnerDeletion":false}]: Only one reference can have Controller set to true. Found "true" in references for Pod/x and Pod/y',
  ]);
});

test("finalizers are qualified names, and orphan excludes foregroundDeletion", () => {
  const finalizers = ["orphan", "foregroundDeletion", "x y"];
  expect(problems({ ...GOOD, finalizers })).toEqual([
    `metadata.finalizers: Invalid value: "x y": ${QUALIFIED_NAME}`,
    'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion","x y"]: finalizer orphan and foregroundDeletion cannot be both set',
    'metadata.finalizers[2]: Invalid value: "x y": name is neither a standard finalizer name nor is it fully qualified',
  ]);
});

test("custom resources and some groups may have finalizers without a domain", () => {
  expect(problems({ ...GOOD, finalizers: ["plain"] }, { qualifiedFinalizers: false })).toEqual([]);
  expect(hasFreeFinalizers("coordination.k8s.io")).toBe(true);
  expect(hasFreeFinalizers("apps")).toBe(false);
});

test("managed fields name an operation, a fields type and a readable manager", () => {
  const managedFields = [
    { operation: "X", fieldsType: "Q", manager: "é\u0007b", subresource: "s" },
  ];
  expect(problems({ ...GOOD, managedFields })).toEqual([
    'metadata.managedFields[0].operation: Invalid value: "X": must be `Apply` or `Update`',
    'metadata.managedFields[0].fieldsType: Invalid value: "Q": must be `FieldsV1`',
    'metadata.managedFields[0].manager: Invalid value: "é\\ab": invalid character U+0007 (at position 2)',
  ]);
});

test("an update that changes nothing of the metadata is accepted", () => {
  expect(updateProblems({ labels: { a: "b" } }, {})).toEqual([]);
});

test("the rules of a kind say again what is wrong with the change, or with the whole", () => {
  const changed = { ...GOOD, name: "b", labels: { "": "x" }, finalizers: ["plain"] };
  const label = 'metadata.labels: Invalid value: "": name part must be non-empty';
  const change = 'metadata.name: Invalid value: "b": field is immutable';
  const finalizer =
    'metadata.finalizers[0]: Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified';
  const again = (check: "whole" | "change") => {
    const errors = checkObjectMetaAgain(changed, GOOD, { ...rules, check, isClean: false });
    return [...new Set(errors.map(String))].filter((text) => !text.includes("regex"));
  };
  expect(again("change")).toEqual([change, label, finalizer]);
  expect(again("whole")).toEqual([label, finalizer]);
});

test("name, namespace, uid and the timestamps cannot change", () => {
  const old = { creationTimestamp: "2026-01-01T00:00:00Z" };
  const changed = {
    namespace: "other",
    uid: "v",
    creationTimestamp: "2026-01-02T00:00:00Z",
    deletionTimestamp: "2026-01-03T00:00:00Z",
  };
  expect([...new Set(updateProblems(changed, old))]).toEqual([
    'metadata.namespace: Invalid value: "other": field is immutable',
    'metadata.uid: Invalid value: "v": field is immutable',
    'metadata.creationTimestamp: Invalid value: "2026-01-02T00:00:00Z": field is immutable',
    'metadata.deletionTimestamp: Invalid value: "2026-01-03T00:00:00Z": field is immutable',
  ]);
});

test("an absent immutable field prints as null", () => {
  const old = { deletionTimestamp: "2026-01-03T00:00:00Z" };
  expect(updateProblems({}, old)[0]).toBe(
    "metadata.deletionTimestamp: Invalid value: null: field is immutable",
  );
});

test("an update needs a resource version, and generations do not go back", () => {
  const found = updateProblems({ resourceVersion: "", generation: 1 }, { generation: 2 });
  expect([...new Set(found)]).toEqual([
    'metadata.resourceVersion: Invalid value: "": must be specified for an update',
    "metadata.generation: Invalid value: 1: must not be decremented",
  ]);
});

test("an object that is being deleted gets no new finalizers", () => {
  const deleting = { deletionTimestamp: "2026-01-03T00:00:00Z" };
  const old = { ...deleting, finalizers: ["a.b/c"] };
  expect(updateProblems({ ...deleting, finalizers: [] }, old)).toEqual([]);
  const found = updateProblems({ ...deleting, finalizers: ["z/y", "a.b/c", "b/b"] }, old);
  expect(found[0]).toBe(
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"b/b", "z/y"}',
  );
});

test("a stored name that new objects could not have is no obstacle to updates", () => {
  expect(updateProblems({ name: "Old_Name" }, { name: "Old_Name" })).toEqual([]);
  expect(updateProblems({ name: "a/b" }, { name: "a/b" })).toEqual([
    `metadata.name: Invalid value: "a/b": may not contain '/'`,
  ]);
});

test("each kind of name check masks the dash a prefix ends with", () => {
  const prefix = { prefix: true };
  for (const check of [nameIsDnsSubdomain, nameIsDnsLabel]) {
    expect(check("web-", prefix)).toEqual([]);
    expect(check("web-", { prefix: false })).toHaveLength(1);
  }
  expect(nameIsPathSegment("..", prefix)).toEqual([]);
  expect(nameIsPathSegment("..", { prefix: false })).toEqual(["may not be '..'"]);
});

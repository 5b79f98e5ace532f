import { expect, test } from "vitest";
import {
  findSchema,
  findSchemaOfKind,
  listSchemaNames,
  schemaOf,
  UnknownSchemaError,
} from "./object-schema.ts";

const all = listSchemaNames().map((name) => schemaOf(name));

test("the table holds every message of Kubernetes 1.36", () => {
  expect(all).toHaveLength(655);
  expect(all.filter((schema) => schema.isKind)).toHaveLength(163);
  expect(all.reduce((count, schema) => count + schema.wireFields.size, 0)).toBe(2395);
  expect(new Set(all.map((schema) => schema.openApiName)).size).toBe(655);
});

test("a container's ports merge by containerPort and are keyed by port and protocol", () => {
  expect(schemaOf("core.v1.Container").fields.get("ports")).toEqual({
    name: "ports",
    shape: "list",
    scalar: undefined,
    schema: "core.v1.ContainerPort",
    required: false,
    default: undefined,
    listType: "map",
    listMapKeys: ["containerPort", "protocol"],
    mapType: undefined,
    patchMergeKey: "containerPort",
    patchStrategies: ["merge"],
    pointer: false,
    printedWhenEmpty: false,
  });
  const port = schemaOf("core.v1.ContainerPort");
  expect(port.fields.get("protocol")).toMatchObject({ scalar: "string", default: "TCP" });
  expect(port.fields.get("containerPort")).toMatchObject({ required: true, default: 0 });
});

test("wire fields carry the protobuf numbers of Pod and ObjectMeta", () => {
  const numbers = (name: string) =>
    Object.fromEntries(
      Array.from(schemaOf(name).wireFields, ([number, field]) => [field.name, number]),
    );
  expect(numbers("core.v1.Pod")).toEqual({ metadata: 1, spec: 2, status: 3 });
  expect(numbers("meta.v1.ObjectMeta")).toEqual({
    name: 1,
    generateName: 2,
    namespace: 3,
    selfLink: 4,
    uid: 5,
    resourceVersion: 6,
    generation: 7,
    creationTimestamp: 8,
    deletionTimestamp: 9,
    deletionGracePeriodSeconds: 10,
    labels: 11,
    annotations: 12,
    ownerReferences: 13,
    finalizers: 14,
    managedFields: 17,
  });
});

test("wire types follow from the scalar, and maps and messages are length-delimited", () => {
  const wire = (schema: string, number: number) => schemaOf(schema).wireFields.get(number);
  expect(wire("meta.v1.ObjectMeta", 1)).toMatchObject({ scalar: "string", wireType: 2 });
  expect(wire("meta.v1.ObjectMeta", 7)).toMatchObject({ scalar: "int64", wireType: 0 });
  expect(wire("meta.v1.ObjectMeta", 11)).toMatchObject({
    shape: "map",
    scalar: "string",
    wireType: 2,
  });
  expect(wire("core.v1.Secret", 2)).toMatchObject({ shape: "map", scalar: "bytes", wireType: 2 });
  expect(wire("apiextensions.v1.JSONSchemaProps", 9)).toMatchObject({
    scalar: "double",
    wireType: 1,
  });
  expect(wire("core.v1.PodSpec", 11)).toMatchObject({ name: "hostNetwork", wireType: 0 });
  expect(wire("discovery.v1.ForZone", 1)).toMatchObject({ name: "name", wireType: 2 });
});

test("fields stand in Go struct order, kind and apiVersion first", () => {
  const names = (schema: string) => [...schemaOf(schema).fields.keys()];
  expect(names("core.v1.ConfigMap")).toEqual([
    "kind",
    "apiVersion",
    "metadata",
    "immutable",
    "data",
    "binaryData",
  ]);
  expect(names("core.v1.PodSpec").slice(0, 5)).toEqual([
    "volumes",
    "initContainers",
    "containers",
    "ephemeralContainers",
    "restartPolicy",
  ]);
  expect(names("meta.v1.OwnerReference")).toEqual([
    "apiVersion",
    "kind",
    "name",
    "uid",
    "controller",
    "blockOwnerDeletion",
  ]);
});

test("an embedded struct is a message on the wire and in place in JSON", () => {
  const volume = schemaOf("core.v1.Volume");
  expect([...volume.fields.keys()].slice(0, 3)).toEqual(["name", "hostPath", "emptyDir"]);
  expect(volume.wireFields.get(2)).toMatchObject({
    name: undefined,
    schema: "core.v1.VolumeSource",
  });
  const rule = schemaOf("admissionregistration.v1.NamedRuleWithOperations");
  expect([...rule.fields.keys()]).toEqual([
    "resourceNames",
    "operations",
    "apiGroups",
    "apiVersions",
    "resources",
    "scope",
  ]);
});

test("pointers and what is printed when empty are told as Go has them", () => {
  const field = (schema: string, name: string) => schemaOf(schema).fields.get(name);
  expect(field("apps.v1.DeploymentSpec", "replicas")).toMatchObject({ pointer: true });
  expect(field("apps.v1.DeploymentSpec", "minReadySeconds")).toMatchObject({ pointer: false });
  expect(field("apps.v1.DeploymentSpec", "strategy")).toMatchObject({
    pointer: false,
    printedWhenEmpty: true,
    patchStrategies: ["retainKeys"],
  });
  expect(field("apps.v1.DeploymentSpec", "selector")).toMatchObject({
    pointer: true,
    printedWhenEmpty: true,
  });
  expect(field("core.v1.Container", "livenessProbe")).toMatchObject({
    pointer: true,
    printedWhenEmpty: false,
  });
  expect(field("meta.v1.ObjectMeta", "creationTimestamp")).toMatchObject({
    pointer: false,
    printedWhenEmpty: false,
  });
  expect(field("apps.v1.DeploymentCondition", "lastUpdateTime")).toMatchObject({
    pointer: false,
    printedWhenEmpty: true,
  });
  expect(field("core.v1.ContainerImage", "names")).toMatchObject({ printedWhenEmpty: true });
});

test("defaults have the type of their field", () => {
  const default_ = (schema: string, name: string) => schemaOf(schema).fields.get(name)?.default;
  expect(default_("core.v1.RBDVolumeSource", "keyring")).toBe("/etc/ceph/keyring");
  expect(default_("core.v1.ReplicationControllerSpec", "replicas")).toBe(1);
  expect(default_("core.v1.AzureDiskVolumeSource", "readOnly")).toBe(false);
  expect(default_("core.v1.Pod", "spec")).toEqual({});
  expect(default_("core.v1.EnvVar", "name")).toBe("");
  expect(default_("core.v1.EnvVar", "value")).toBeUndefined();
});

test("map types stand at messages and at fields", () => {
  expect(schemaOf("meta.v1.LabelSelector").mapType).toBe("atomic");
  expect(schemaOf("core.v1.ObjectReference").mapType).toBe("atomic");
  expect(schemaOf("core.v1.PersistentVolumeSpec").fields.get("claimRef")?.mapType).toBe("granular");
  expect(schemaOf("core.v1.ServiceSpec").fields.get("selector")?.mapType).toBe("atomic");
});

test("unions name their discriminator and fields", () => {
  expect(schemaOf("flowcontrol.v1.Subject").unions).toEqual([
    {
      discriminator: "kind",
      fields: new Map([
        ["group", "Group"],
        ["serviceAccount", "ServiceAccount"],
        ["user", "User"],
      ]),
    },
  ]);
  expect(schemaOf("core.v1.PodSchedulingGroup").unions).toEqual([
    { discriminator: undefined, fields: new Map([["podGroupName", "PodGroupName"]]) },
  ]);
});

test("types with a JSON encoding of their own say which", () => {
  const forms = all
    .filter(({ form }) => form !== "object")
    .map(({ name, form }) => `${name} ${form}`);
  expect(forms).toEqual([
    "apiextensions.v1.JSON any",
    "apiextensions.v1.JSONSchemaPropsOrArray schema-or-list",
    "apiextensions.v1.JSONSchemaPropsOrBool schema-or-bool",
    "apiextensions.v1.JSONSchemaPropsOrStringArray schema-or-strings",
    "authentication.v1.ExtraValue string-list",
    "authorization.v1.ExtraValue string-list",
    "certificates.v1.ExtraValue string-list",
    "intstr.IntOrString int-or-string",
    "meta.v1.Duration duration",
    "meta.v1.FieldsV1 any-object",
    "meta.v1.MicroTime micro-time",
    "meta.v1.Time time",
    "meta.v1.Verbs string-list",
    "resource.Quantity quantity",
    "runtime.RawExtension any-object",
  ]);
});

test.each([
  ["", "v1", "PodList", "core.v1.PodList"],
  ["", "v1", "Binding", "core.v1.Binding"],
  ["", "v1", "List", "core.v1.List"],
  ["", "v1", "Status", "meta.v1.Status"],
  ["", "v1", "DeleteOptions", "meta.v1.DeleteOptions"],
  ["apps", "v1", "DeleteOptions", "meta.v1.DeleteOptions"],
  ["example.com", "v1alpha1", "DeleteOptions", "meta.v1.DeleteOptions"],
  ["autoscaling", "v1", "Scale", "autoscaling.v1.Scale"],
  ["policy", "v1", "Eviction", "policy.v1.Eviction"],
  ["authentication.k8s.io", "v1", "TokenRequest", "authentication.v1.TokenRequest"],
  ["admission.k8s.io", "v1", "AdmissionReview", "admission.v1.AdmissionReview"],
  ["meta.k8s.io", "v1", "PartialObjectMetadata", "meta.v1.PartialObjectMetadata"],
])("the kind %s/%s %s has the schema %s", (...row) => {
  const [group, version, kind, name] = row;
  expect(findSchemaOfKind({ group, version, kind })?.name).toBe(name);
});

test.each([
  ["apps", "v1", "Status"],
  ["", "v1", "PodSpec"],
  ["", "v1", "Deployment"],
  ["", "v2", "Pod"],
  ["", "v1", ""],
  ["", "v1", "Pod\nmetadata"],
  ["", "v1", "Pod kind"],
  ["", "v1", "constructor"],
  ["", "v1", "v1.Pod"],
])("%j/%s has no kind %j", (group, version, kind) => {
  expect(findSchemaOfKind({ group, version, kind })).toBeUndefined();
});

test("an unknown schema is an error that names it", () => {
  expect(findSchema("core.v1.Ghost")).toBeUndefined();
  expect(findSchema("Pod")).toBeUndefined();
  expect(findSchema("")).toBeUndefined();
  expect(() => schemaOf("core.v1.Ghost")).toThrow(UnknownSchemaError);
  expect(() => schemaOf("core.v1.Ghost")).toThrow('no built-in schema "core.v1.Ghost"');
});

test("a schema is decoded once", () => {
  expect(schemaOf("core.v1.Pod")).toBe(schemaOf("core.v1.Pod"));
});

test("every reference leads to a schema, and every merge and map key to a field", () => {
  for (const schema of all) {
    for (const field of schema.wireFields.values()) {
      expect(field.scalar ?? findSchema(field.schema ?? "")?.name).toBe(
        field.scalar ?? field.schema,
      );
      expect(field.scalar === undefined).toBe(field.schema !== undefined);
    }
    for (const field of schema.fields.values()) {
      const keys = [
        ...(field.listMapKeys ?? []),
        ...(field.patchMergeKey ? [field.patchMergeKey] : []),
      ];
      if (keys.length === 0) continue;
      const element = schemaOf(field.schema ?? "");
      for (const key of keys) expect(element.fields.get(key)?.scalar).toBeDefined();
    }
  }
});

test("every field in JSON is on the wire, directly or through an embedded struct", () => {
  for (const schema of all) {
    const names = new Set<string>(schema.isKind ? ["kind", "apiVersion"] : []);
    const visit = (name: string) => {
      for (const field of schemaOf(name).wireFields.values()) {
        if (field.name === undefined) visit(field.schema ?? "");
        else names.add(field.name);
      }
    };
    visit(schema.name);
    expect([...schema.fields.keys()].sort()).toEqual([...names].sort());
  }
});

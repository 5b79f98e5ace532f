/** Server-side apply and managed fields (semantics 32 to 37). */
import type { JsonObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { define, version, WIDGETS, widget } from "../definition.ts";
import { type OpenPlane, openFor } from "../open-for.ts";
import type { Shown } from "../plane-under-test.ts";
import { patchType, type Requests, refusalIn } from "../requests.ts";

const by = (fieldManager: string, more: Readonly<Record<string, string>> = {}) => ({
  fieldManager,
  ...more,
});

function map(data: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", ...metadata }, data };
}

const template = (containers: JsonObject[]): JsonObject => ({
  metadata: { labels: { app: "a" } },
  spec: { containers },
});

function deployment(spec: JsonObject): JsonObject {
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" }, spec };
}

/** `manager operation subresource`, in order. */
function entriesOf({ metadata }: Shown): readonly string[] {
  return (metadata.managedFields ?? []).map(({ manager, operation, subresource = "" }) =>
    `${manager} ${operation} ${subresource}`.trimEnd(),
  );
}

const refused = async (requests: Requests, body: JsonObject, query: Record<string, string>) =>
  refusalIn(
    await requests.call("PATCH", "configmaps/a", { body, query, headers: patchType("apply") }),
  );

export function applySuite(open: OpenPlane): void {
  test("32: an apply names its manager, force belongs to applies, and managed fields are not applied", async () => {
    const { requests } = await openFor(open);
    expect(await refused(requests, map({}), {})).toMatchObject({
      code: 422,
      message:
        'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    });
    await requests.map("a");
    const forced = await requests.call("PATCH", "configmaps/a", {
      body: {},
      query: { force: "true" },
      headers: patchType("merge"),
    });
    expect(refusalIn(forced)).toMatchObject({
      code: 422,
      message:
        'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    });
    const own = map({}, { managedFields: [{ manager: "x" }] });
    expect(await refused(requests, own, by("one"))).toMatchObject({
      code: 400,
      message: "metadata.managedFields must be nil",
    });
  });

  test("33: an apply creates what is absent, and the same again changes nothing", async () => {
    const { requests } = await openFor(open);
    const answer = await requests.call("PATCH", "configmaps/a", {
      body: map({ k: "1" }),
      query: by("one"),
      headers: patchType("apply"),
    });
    expect(answer.status).toBe(201);
    const again = await requests.apply("configmaps/a", map({ k: "1" }), by("one"));
    expect(again).toEqual(answer.object);
    const changed = await requests.apply("configmaps/a", map({ k: "2" }), by("one"));
    expect(changed.data).toEqual({ k: "2" });
    expect(changed.metadata.resourceVersion).not.toBe(again.metadata.resourceVersion);
  });

  test("34: one entry per manager, operation, version and subresource", async () => {
    const { requests } = await openFor(open);
    const containers = [{ name: "c", image: "i" }];
    const selector = { matchLabels: { app: "a" } };
    await requests.apply(
      "deployments/a",
      deployment({ selector, template: template(containers) }),
      by("one"),
    );
    await requests.merge("deployments/a", { spec: { paused: true } }, by("one"));
    await requests.merge("deployments/a", { metadata: { labels: { l: "1" } } }, by("two"));
    await requests.merge("deployments/a/status", { status: { replicas: 1 } }, by("two"));
    await requests.merge("deployments/a", { metadata: { labels: { m: "1" } } }, by("two"));
    const seen = await requests.get("deployments/a");
    expect(entriesOf(seen).toSorted()).toEqual([
      "one Apply",
      "one Update",
      "two Update",
      "two Update status",
    ]);
    const two = seen.metadata.managedFields.find(
      ({ manager, subresource }) => manager === "two" && subresource === undefined,
    );
    expect(two).toMatchObject({
      apiVersion: "apps/v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:metadata": { "f:labels": { ".": {}, "f:l": {}, "f:m": {} } } },
    });
  });

  test("34: creates, updates and patches are tracked, by the name before the slash of the agent", async () => {
    const { requests } = await openFor(open);
    const headers = { "user-agent": "my-controller/v1.2 (linux)" };
    const body = { metadata: { name: "a" }, data: { k: "1" } };
    await requests.call("POST", "configmaps", { body, headers });
    const [entry] = (await requests.get("configmaps/a")).metadata.managedFields;
    expect(entry).toMatchObject({
      manager: "my-controller",
      operation: "Update",
      fieldsV1: { "f:data": { ".": {}, "f:k": {} } },
    });
    await requests.update("configmaps/a", { ...body, data: { l: "2" } }, by("second"));
    const after = await requests.get("configmaps/a");
    expect(after.metadata.managedFields).toMatchObject([
      { manager: "my-controller", fieldsV1: { "f:data": {} } },
      { manager: "second", fieldsV1: { "f:data": { "f:l": {} } } },
    ]);
  });

  test("35: what a manager no longer applies goes, unless somebody else owns it", async () => {
    const { requests } = await openFor(open);
    await requests.apply("configmaps/a", map({ mine: "1", shared: "1" }), by("one"));
    await requests.apply("configmaps/a", map({ shared: "1" }), by("two"));
    const left = await requests.apply("configmaps/a", map({}), by("one"));
    expect(left.data).toEqual({ shared: "1" });
    const gone = await requests.apply("configmaps/a", map({}), by("two"));
    expect(gone.data).toBeUndefined();
  });

  test("35: another value of a field that others own is a conflict, the same value is not", async () => {
    const { requests } = await openFor(open);
    await requests.apply("configmaps/a", map({ k: "1", l: "1" }), by("one"));
    const conflict = await refused(requests, map({ k: "2", l: "2" }), by("two"));
    expect(conflict).toEqual({
      code: 409,
      reason: "Conflict",
      message: 'Apply failed with 2 conflicts: conflicts with "one":\n- .data.k\n- .data.l',
      details: {
        causes: [
          { reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".data.k" },
          { reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".data.l" },
        ],
      },
    });
    const shared = await requests.apply("configmaps/a", map({ k: "1" }), by("two"));
    expect(entriesOf(shared).toSorted()).toEqual(["one Apply", "two Apply"]);
    const taken = await requests.apply(
      "configmaps/a",
      map({ k: "2" }),
      by("two", { force: "true" }),
    );
    expect(taken.data).toEqual({ k: "2", l: "1" });
    const one = taken.metadata.managedFields.find(({ manager }) => manager === "one");
    expect(one!.fieldsV1).toEqual({ "f:data": { "f:l": {} } });
  });

  test("35: an update takes fields without asking", async () => {
    const { requests } = await openFor(open);
    await requests.apply("configmaps/a", map({ k: "1" }), by("one"));
    await requests.merge("configmaps/a", { data: { k: "2" } }, by("two"));
    const conflict = await refused(requests, map({ k: "1" }), by("one"));
    expect(conflict.message).toBe(
      'Apply failed with 1 conflict: conflict with "two" using v1: .data.k',
    );
  });

  test("36: lists with keys are shared by element, and a default is part of a key", async () => {
    const { requests } = await openFor(open);
    const selector = { matchLabels: { app: "a" } };
    const one = { name: "one", image: "i", ports: [{ containerPort: 80, name: "http" }] };
    await requests.apply(
      "deployments/a",
      deployment({ selector, template: template([one]) }),
      by("one"),
    );
    const udp = { name: "one", ports: [{ containerPort: 80, protocol: "UDP" }] };
    const second = { name: "two", image: "j" };
    const both = await requests.apply(
      "deployments/a",
      deployment({ template: { spec: { containers: [udp, second] } } }),
      by("two"),
    );
    const { spec } = both as unknown as {
      spec: { template: { spec: { containers: JsonObject[] } } };
    };
    const { containers } = spec.template.spec;
    expect(containers.map(({ name }) => name)).toEqual(["one", "two"]);
    expect(containers[0]!["ports"]).toEqual([
      { name: "http", containerPort: 80, protocol: "TCP" },
      { containerPort: 80, protocol: "UDP" },
    ]);
    const owned = JSON.stringify(
      both.metadata.managedFields.find(({ manager }) => manager === "one"),
    );
    expect(owned).toContain('k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}');
  });

  test("36: sets are shared by value, atomic lists and maps belong to one", async () => {
    const { requests } = await openFor(open);
    const list = (type: string): JsonObject => ({
      type: "array",
      items: { type: "string" },
      "x-kubernetes-list-type": type,
    });
    const free = { type: "object", additionalProperties: { type: "string" } };
    await define(requests, [
      version({
        properties: {
          set: list("set"),
          atomic: list("atomic"),
          whole: { ...free, "x-kubernetes-map-type": "atomic" },
          parts: free,
        },
      }),
    ]);
    const place = `${WIDGETS}/a`;
    await requests.apply(place, widget("a", { set: ["x"], parts: { x: "1" } }), by("one"));
    const both = await requests.apply(
      place,
      widget("a", { set: ["y"], parts: { y: "2" } }),
      by("two"),
    );
    expect(both).toMatchObject({ set: ["x", "y"], parts: { x: "1", y: "2" } });
    await requests.apply(place, widget("a", { atomic: ["x"], whole: { x: "1" } }), by("three"));
    const answer = await requests.call("PATCH", place, {
      body: widget("a", { atomic: ["y"], whole: { y: "1" } }),
      query: by("four"),
      headers: patchType("apply"),
    });
    expect(refusalIn(answer).message).toBe(
      'Apply failed with 2 conflicts: conflicts with "three":\n- .atomic\n- .whole',
    );
  });

  test("36: an object without managers gets one for what it has, and [{}] takes them all away", async () => {
    const { requests } = await openFor(open);
    await requests.map("a", { data: { k: "1" } });
    const cleared = await requests.merge("configmaps/a", { metadata: { managedFields: [{}] } });
    expect(cleared.metadata.managedFields).toBeUndefined();
    const conflict = await refused(requests, map({ k: "2" }), by("one"));
    expect(conflict.message).toMatch(
      /^Apply failed with 1 conflict: conflict with "before-first-apply" using v1.*: \.data\.k$/,
    );
    const applied = await requests.apply(
      "configmaps/a",
      map({ k: "2" }),
      by("one", { force: "true" }),
    );
    expect(entriesOf(applied)).toContain("one Apply");
  });

  test("36: what kubectl applied on the client is its own when it applies on the server", async () => {
    const { requests } = await openFor(open);
    const last = JSON.stringify(map({ k: "1", gone: "1" }));
    const annotations = { "kubectl.kubernetes.io/last-applied-configuration": last };
    await requests.create(
      "configmaps",
      map({ k: "1", gone: "1" }, { annotations }),
      by("kubectl-client-side-apply"),
    );
    const applied = await requests.apply("configmaps/a", map({ k: "2" }), by("kubectl"));
    expect(applied.data).toEqual({ gone: "1", k: "2" });
    const conflict = await refused(requests, map({ k: "3" }), by("other"));
    expect(conflict.message).toBe('Apply failed with 1 conflict: conflict with "kubectl": .data.k');
  });

  test("37: what a place resets is in nobody's entry", async () => {
    const { requests } = await openFor(open);
    const selector = { matchLabels: { app: "a" } };
    const containers = [{ name: "c", image: "i" }];
    const body = {
      ...deployment({ selector, template: template(containers) }),
      status: { replicas: 5 },
    };
    const made = await requests.apply("deployments/a", body, by("one"));
    expect(JSON.stringify(made.metadata.managedFields)).not.toContain("f:status");
    const through = await requests.apply(
      "deployments/a/status",
      { ...deployment({ replicas: 9 }), status: { replicas: 2 } },
      by("two"),
    );
    const status = through.metadata.managedFields.find(({ manager }) => manager === "two");
    expect(status).toMatchObject({
      subresource: "status",
      fieldsV1: { "f:status": { "f:replicas": {} } },
    });
  });

  test("37: ten entries of updates are kept, the oldest of them as one", async () => {
    const { requests, plane } = await openFor(open);
    await requests.map("a", { data: { first: "1" } });
    for (let index = 0; index < 15; index++) {
      plane.clock.step(1000);
      await requests.merge("configmaps/a", { data: { [`k${index}`]: "1" } }, by(`m${index}`));
    }
    const names = entriesOf(await requests.get("configmaps/a"));
    expect(names).toHaveLength(10);
    expect(names).toContain("ancient-changes Update");
    expect(names).toContain("m14 Update");
    expect(names).not.toContain("m0 Update");
  });
}

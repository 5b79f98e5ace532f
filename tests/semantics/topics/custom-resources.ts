/** Custom resources: definitions, schemas and versions (semantics 51 to 57, without rules). */
import type { JsonObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import {
  causesIn,
  conditionIn,
  DEFINITION,
  DEFINITIONS,
  define,
  definition,
  redefine,
  version,
  WIDGETS,
  widget,
  widgetsIn,
} from "../definition.ts";
import { type OpenPlane, openFor } from "../open-for.ts";
import { refusalIn } from "../requests.ts";

const SPEC: JsonObject = {
  properties: {
    spec: {
      type: "object",
      properties: { size: { type: "integer", maximum: 10 }, color: { type: "string" } },
    },
  },
};

export function customResourcesSuite(open: OpenPlane): void {
  test("51: a resource is served when its names are accepted, and not before", async () => {
    const { requests } = await openFor(open);
    const before = await requests.call("GET", WIDGETS);
    expect([before.status, before.text]).toEqual([404, "404 page not found\n"]);
    const made = await requests.create(DEFINITIONS, definition([version(SPEC)]));
    expect(conditionIn(made, "Established")).toBe("");
    const { resourceVersion } = made.metadata;
    const watch = await requests.watch(DEFINITIONS, { resourceVersion });
    const [accepted, established] = await watch.take(2);
    expect(conditionIn(accepted!.object, "NamesAccepted")).toBe("True");
    expect(conditionIn(accepted!.object, "Established")).toBe("False");
    expect(conditionIn(established!.object, "Established")).toBe("True");
    expect(established!.object).toMatchObject({
      status: {
        acceptedNames: { plural: "widgets", kind: "Widget" },
        storedVersions: ["v1"],
        conditions: [
          { type: "NamesAccepted", reason: "NoConflicts", message: "no conflicts found" },
          {
            type: "Established",
            reason: "InitialNamesAccepted",
            message: "the initial names have been accepted",
          },
        ],
      },
    });
    await requests.create(WIDGETS, widget("a"));
    expect(await requests.names(WIDGETS)).toEqual(["a"]);
    const group = await requests.get("/apis/sem.example.com/v1");
    expect(group).toMatchObject({ resources: [{ name: "widgets", kind: "Widget" }] });
  });

  test("51: names that another definition of the group has are not accepted until it goes", async () => {
    const { requests } = await openFor(open);
    await define(requests, [version(SPEC)]);
    const names = { plural: "gadgets", singular: "gadget", kind: "Widget", listKind: "GadgetList" };
    const other = definition([version(SPEC)], { names });
    const made = await requests.create(DEFINITIONS, {
      ...other,
      metadata: { name: "gadgets.sem.example.com" },
    });
    const watch = await requests.watch(DEFINITIONS, {
      resourceVersion: made.metadata.resourceVersion,
      fieldSelector: "metadata.name=gadgets.sem.example.com",
    });
    const refused = await watch.next();
    expect(refused!.object).toMatchObject({
      status: {
        conditions: [
          {
            type: "NamesAccepted",
            status: "False",
            reason: "KindConflict",
            message: '"Widget" is already in use',
          },
          { type: "Established", status: "False", reason: "NotAccepted" },
        ],
      },
    });
    const there = "/apis/sem.example.com/v1/namespaces/default/gadgets";
    expect((await requests.call("GET", there)).status).toBe(404);
    await requests.delete(DEFINITION);
    const [accepted] = await watch.take(1);
    expect(conditionIn(accepted!.object, "NamesAccepted")).toBe("True");
  });

  test("51: deleting a definition deletes its objects first, and nothing is created meanwhile", async () => {
    const { requests } = await openFor(open);
    await define(requests, [version(SPEC)]);
    await requests.create(WIDGETS, widget("plain"));
    const held = { name: "held", finalizers: ["example.com/hold"] };
    await requests.create(WIDGETS, { ...widget("held"), metadata: held });
    const watch = await requests.watch(WIDGETS, { resourceVersion: "0" });
    expect((await watch.changes(2)).toSorted()).toEqual(["ADDED held", "ADDED plain"]);
    const going = await requests.delete(DEFINITION);
    expect(going.metadata.finalizers).toEqual(["customresourcecleanup.apiextensions.k8s.io"]);
    expect(conditionIn(going, "Terminating")).toBe("True");
    expect((await watch.changes(2)).toSorted()).toEqual(["DELETED plain", "MODIFIED held"]);
    const refused = await requests.call("POST", WIDGETS, { body: widget("late") });
    expect(refusalIn(refused)).toMatchObject({
      code: 403,
      message:
        'widgets.sem.example.com "late" is forbidden: create not allowed while custom resource definition is terminating',
    });
    await requests.merge(`${WIDGETS}/held`, { metadata: { finalizers: null } });
    // The watch ends with what it watched.
    expect((await watch.rest()).map(({ type }) => type)).toEqual(["DELETED"]);
    expect((await requests.call("GET", WIDGETS)).status).toBe(404);
    expect((await requests.call("GET", DEFINITION)).status).toBe(404);
  });

  test("52: what the schema does not know is dropped, unless it is to be kept", async () => {
    const { requests } = await openFor(open);
    const kept = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    const embedded = { type: "object", "x-kubernetes-embedded-resource": true };
    await define(requests, [
      version({
        properties: {
          spec: { type: "object", properties: { size: { type: "integer" }, free: kept } },
          inner: { ...embedded, ...kept },
        },
      }),
    ]);
    const inner = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "in", labels: { a: "b" }, nonsense: 1 },
      data: { k: "v" },
    };
    const spec = { size: 1, gone: 1, free: { stays: { deep: [1] } } };
    const answer = await requests.call("POST", WIDGETS, {
      body: widget("a", { spec, extra: true, inner }),
    });
    expect(answer.status).toBe(201);
    expect(answer.warnings).toEqual([
      'unknown field "extra"',
      'unknown field "spec.gone"',
      'unknown field "inner.metadata.nonsense"',
    ]);
    expect(answer.object).toMatchObject({ spec: { size: 1, free: { stays: { deep: [1] } } } });
    expect(answer.object).toMatchObject({ inner: { metadata: { name: "in" }, data: { k: "v" } } });
    expect(answer.text).not.toMatch(/gone|extra|nonsense/);
    const strict = await requests.call("POST", WIDGETS, {
      body: widget("b", { extra: 1 }),
      query: { fieldValidation: "Strict" },
    });
    expect(refusalIn(strict).message).toBe(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "extra"',
    );
  });

  test("53: defaults come in when writing, and when reading what was written before them", async () => {
    const { requests } = await openFor(open);
    const properties = (size: JsonObject): JsonObject => ({
      properties: { spec: { type: "object", default: {}, properties: { size } } },
    });
    await define(requests, [version(properties({ type: "integer" }))]);
    const bare = await requests.create(WIDGETS, widget("old", { spec: {} }));
    expect(bare.spec).toEqual({});
    await redefine(requests, [version(properties({ type: "integer", default: 3 }))]);
    const seen = await requests.get(`${WIDGETS}/old`);
    expect(seen.spec).toEqual({ size: 3 });
    expect(seen.metadata.resourceVersion).toBe(bare.metadata.resourceVersion);
    expect((await requests.get(WIDGETS)).items[0]!.spec).toEqual({ size: 3 });
    const watch = await requests.watch(WIDGETS, { resourceVersion: "0" });
    expect((await watch.next())!.object).toMatchObject({ spec: { size: 3 } });
    const made = await requests.create(WIDGETS, widget("new"));
    expect(made.spec).toEqual({ size: 3 });
    const withNull = await requests.create(WIDGETS, widget("null", { spec: { size: null } }));
    expect(withNull.spec).toEqual({ size: 3 });
  });

  test("55: what was invalid before does not hold up an update that leaves it alone", async () => {
    const { requests } = await openFor(open);
    await define(requests, [
      version({
        properties: {
          spec: {
            type: "object",
            properties: {
              size: { type: "integer" },
              color: { type: "string" },
            },
          },
        },
      }),
    ]);
    await requests.create(WIDGETS, widget("a", { spec: { size: 20 } }));
    await redefine(requests, [version(SPEC)]);
    const changed = await requests.merge(`${WIDGETS}/a`, { spec: { color: "red" } });
    expect(changed.spec).toEqual({ size: 20, color: "red" });
    const worse = await requests.call("PATCH", `${WIDGETS}/a`, {
      body: { spec: { size: 21 } },
      headers: { "content-type": "application/merge-patch+json" },
    });
    expect(causesIn(worse)).toEqual([
      "spec.size: Invalid value: 21: spec.size in body should be less than or equal to 10",
    ]);
    const fresh = await requests.call("POST", WIDGETS, {
      body: widget("b", { spec: { size: 20 } }),
    });
    expect(fresh.status).toBe(422);
  });

  test("56: keys and elements of lists are told apart, whoever writes them", async () => {
    const { requests } = await openFor(open);
    await define(requests, [
      version({
        properties: {
          tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
          ports: {
            type: "array",
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            items: {
              type: "object",
              required: ["name"],
              properties: { name: { type: "string" }, port: { type: "integer" } },
            },
          },
        },
      }),
    ]);
    const ports = [
      { name: "a", port: 1 },
      { name: "a", port: 2 },
    ];
    const body = widget("a", { tags: ["x", "y", "x"], ports });
    const refused = await requests.call("POST", WIDGETS, { body });
    expect(causesIn(refused).toSorted()).toEqual([
      'ports[1]: Duplicate value: {"name":"a"}',
      'tags[2]: Duplicate value: "x"',
    ]);
  });

  test("57: one object in every served version, the same by uid and resource version", async () => {
    const { requests } = await openFor(open);
    const both = (storage: "v1" | "v2") => [
      version(SPEC, { storage: storage === "v1" }),
      version(SPEC, { name: "v2", storage: storage === "v2" }),
    ];
    await define(requests, both("v1"));
    const made = await requests.create(WIDGETS, widget("a", { spec: { size: 1 } }));
    const other = await requests.get(`${widgetsIn("v2")}/a`);
    expect(other).toEqual({ ...made, apiVersion: "sem.example.com/v2" });
    const watch = await requests.watch(widgetsIn("v2"), { resourceVersion: "0" });
    expect((await watch.next())!.object.apiVersion).toBe("sem.example.com/v2");
    await requests.merge(`${WIDGETS}/a`, { spec: { size: 2 } });
    const heard = await watch.next();
    expect(heard!.object).toMatchObject({ apiVersion: "sem.example.com/v2", spec: { size: 2 } });
    await redefine(requests, both("v2"));
    expect((await requests.get(DEFINITION)).status).toMatchObject({ storedVersions: ["v1", "v2"] });
    expect((await requests.get(`${WIDGETS}/a`)).apiVersion).toBe("sem.example.com/v1");
    const gone = await requests.call("PATCH", DEFINITION, {
      body: { spec: { versions: [version(SPEC, { name: "v2" })] } },
      headers: { "content-type": "application/merge-patch+json" },
    });
    expect(causesIn(gone)).toEqual([
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    ]);
  });
}

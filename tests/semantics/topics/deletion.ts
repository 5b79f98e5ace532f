/** Deletion: finalizers, policies, owners, collections, pods (semantics 38-40, 44-47, 49, E14). */
import type { JsonObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { type OpenPlane, openFor } from "../open-for.ts";
import { patchType, type Requests, refusalIn, versionOf } from "../requests.ts";
import { pod, sample } from "./samples.ts";

const HOLD = "example.com/hold";
const held = (requests: Requests, name = "a") =>
  requests.map(name, { metadata: { finalizers: [HOLD] } });
const release = (requests: Requests, place = "configmaps/a") =>
  requests.merge(place, { metadata: { finalizers: null } });

async function expectGone(requests: Requests, place: string): Promise<void> {
  const answer = await requests.call("GET", place);
  expect([place, answer.status]).toEqual([place, 404]);
}

export function deletionSuite(open: OpenPlane): void {
  test("38: with finalizers a deletion marks, without them it removes", async () => {
    const { requests } = await openFor(open);
    const made = await held(requests);
    const { resourceVersion } = made.metadata;
    const watch = await requests.watch("configmaps", { resourceVersion });
    const going = await requests.delete("configmaps/a");
    expect(going.kind).toBe("ConfigMap");
    expect(going.metadata).toMatchObject({ finalizers: [HOLD], deletionGracePeriodSeconds: 0 });
    expect(going.metadata.deletionTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(versionOf(going)).toBe(versionOf(made) + 1);
    // A second deletion changes nothing; other writes still go through.
    expect(await requests.delete("configmaps/a")).toEqual(going);
    await requests.merge("configmaps/a", { data: { still: "writable" } });
    const last = await release(requests);
    expect(last.metadata.finalizers).toBeUndefined();
    await expectGone(requests, "configmaps/a");
    expect(await watch.changes(3)).toEqual(["MODIFIED a", "MODIFIED a", "DELETED a"]);
  });

  test("38: only the last finalizer lets go", async () => {
    const { requests } = await openFor(open);
    const finalizers = ["example.com/x", "example.com/y"];
    await requests.map("a", { metadata: { finalizers } });
    const going = await requests.delete("configmaps/a");
    const one = await requests.merge("configmaps/a", {
      metadata: { finalizers: ["example.com/y"] },
    });
    expect(one.metadata.deletionTimestamp).toBe(going.metadata.deletionTimestamp);
    await requests.update("configmaps/a", {
      ...one,
      metadata: { ...one.metadata, finalizers: [] },
    });
    await expectGone(requests, "configmaps/a");
  });

  test("38: a pod with grace left is not removed by its last finalizer", async () => {
    const { requests } = await openFor(open);
    await requests.create("pods", pod("a", { nodeName: "n1" }, { finalizers: [HOLD] }));
    const going = await requests.delete("pods/a");
    expect(going.metadata).toMatchObject({ deletionGracePeriodSeconds: 30 });
    await release(requests, "pods/a");
    expect((await requests.get("pods/a")).metadata.deletionTimestamp).toBe(
      going.metadata.deletionTimestamp,
    );
    await requests.delete("pods/a", { gracePeriodSeconds: 0 });
    await expectGone(requests, "pods/a");
  });

  test("39: once deletion has begun nothing may be added or taken back", async () => {
    const { requests } = await openFor(open);
    await held(requests);
    const going = await requests.delete("configmaps/a");
    const headers = patchType("merge");
    const patch = (metadata: JsonObject) =>
      requests.call("PATCH", "configmaps/a", { headers, body: { metadata } });
    const problem =
      'Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/more"}';
    const cause = { reason: "FieldValueForbidden", message: problem, field: "metadata.finalizers" };
    expect(refusalIn(await patch({ finalizers: [HOLD, "example.com/more"] }))).toEqual({
      code: 422,
      reason: "Invalid",
      message: `ConfigMap "a" is invalid: metadata.finalizers: ${problem}`,
      // It is checked twice; the message shows it once.
      details: { name: "a", kind: "ConfigMap", causes: [cause, cause] },
    });
    expect((await patch({ deletionTimestamp: null })).object).toEqual(going);
    expect(refusalIn(await patch({ deletionGracePeriodSeconds: 10 }))).toMatchObject({
      code: 422,
      reason: "Invalid",
      message:
        'ConfigMap "a" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: 10: field is immutable',
    });
  });

  test("39: grace may only shrink", async () => {
    const { requests } = await openFor(open);
    await requests.create("pods", pod("a", { nodeName: "n1" }));
    const grace = async (options?: JsonObject) =>
      (await requests.delete("pods/a", options)).metadata;
    const first = await grace({ gracePeriodSeconds: 20 });
    expect(first).toMatchObject({ deletionGracePeriodSeconds: 20 });
    expect(await grace({ gracePeriodSeconds: 60 })).toEqual(first);
    expect(await grace()).toEqual(first);
    const less = await grace({ gracePeriodSeconds: 5 });
    expect(less).toMatchObject({ deletionGracePeriodSeconds: 5 });
    expect(less.deletionTimestamp < first.deletionTimestamp).toBe(true);
  });

  test("40: policies become finalizers, and one replaces another", async () => {
    const { requests } = await openFor(open);
    await requests.map("a");
    const finalizers = async (options?: JsonObject) =>
      (await requests.delete("configmaps/a", options)).metadata.finalizers;
    expect(await finalizers({ propagationPolicy: "Foreground" })).toEqual(["foregroundDeletion"]);
    expect(await finalizers({ propagationPolicy: "Orphan" })).toEqual(["orphan"]);
    // Without a policy what is there decides.
    expect(await finalizers()).toEqual(["orphan"]);
    await requests.delete("configmaps/a", { propagationPolicy: "Background" });
    await expectGone(requests, "configmaps/a");
    await requests.map("b", { metadata: { finalizers: ["foregroundDeletion", HOLD] } });
    const going = await requests.delete("configmaps/b", { propagationPolicy: "Background" });
    expect(going.metadata.finalizers).toEqual([HOLD]);
    await requests.map("c");
    const orphaned = await requests.delete("configmaps/c", { orphanDependents: true });
    expect(orphaned.metadata.finalizers).toEqual(["orphan"]);
    await requests.map("d");
    const query = { propagationPolicy: "Foreground" };
    const asked = await requests.delete("configmaps/d", undefined, query);
    expect(asked.metadata.finalizers).toEqual(["foregroundDeletion"]);
  });

  test("40: jobs and replication controllers are orphaned unless told otherwise", async () => {
    const { requests } = await openFor(open);
    await requests.create("jobs", sample("jobs", "a"));
    const answer = await requests.call("DELETE", "jobs/a");
    expect(answer.object.metadata.finalizers).toEqual(["orphan"]);
    expect(answer.warnings).toEqual([
      "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
    ]);
    await requests.create("replicationcontrollers", sample("replicationcontrollers", "a"));
    const controller = await requests.delete("replicationcontrollers/a");
    expect(controller.metadata.finalizers).toEqual(["orphan"]);
    for (const resource of ["replicasets", "cronjobs"]) {
      await requests.create(resource, sample(resource, "a"));
      expect((await requests.delete(`${resource}/a`)).status).toBe("Success");
    }
    await requests.create("jobs", sample("jobs", "b"));
    await requests.delete("jobs/b", { propagationPolicy: "Background" });
    await expectGone(requests, "jobs/b");
  });

  test("40: a policy that is none, or two at once, are refused", async () => {
    const { requests } = await openFor(open);
    await requests.map("a");
    const refused = async (body: JsonObject, problem: string): Promise<void> => {
      const message = `DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: ${problem}`;
      const answer = await requests.call("DELETE", "configmaps/a", { body });
      expect(refusalIn(answer)).toMatchObject({ code: 422, reason: "Invalid", message });
    };
    await refused(
      { propagationPolicy: "Sideways" },
      'Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
    );
    await refused(
      { orphanDependents: false, propagationPolicy: "Background" },
      'Invalid value: "Background": orphanDependents and deletionPropagation cannot be both set',
    );
  });

  test("44: an owner reference needs all four parts and one controller", async () => {
    const { requests } = await openFor(open);
    const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u1" };
    const refused = async (ownerReferences: JsonObject[], problem: string): Promise<void> => {
      const body = { metadata: { name: "a", ownerReferences } };
      const message = `ConfigMap "a" is invalid: ${problem}`;
      const answer = await requests.call("POST", "configmaps", { body });
      expect(refusalIn(answer)).toMatchObject({ code: 422, reason: "Invalid", message });
    };
    await refused(
      [{ apiVersion: "", kind: "", name: "", uid: "" }],
      '[metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty, metadata.ownerReferences.kind: Invalid value: "": must not be empty, metadata.ownerReferences.name: Invalid value: "": must not be empty, metadata.ownerReferences.uid: Invalid value: "": must not be empty]',
    );
    await refused(
      [
        { ...owner, controller: true },
        { ...owner, name: "q", uid: "u2", controller: true },
      ],
      'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u1","controller":true},{"apiVersion":"v1","kind":"Pod","name":"q","uid":"u2","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for Pod/p and Pod/q',
    );
    await refused(
      [{ ...owner, kind: "Event" }],
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"p","uid":"u1"}: /v1, Kind=Event is disallowed from being an owner',
    );
    const ownerReferences = [
      { ...owner, controller: true },
      { ...owner, uid: "u2" },
    ];
    const made = await requests.map("a", { metadata: { ownerReferences } });
    expect(made.metadata).toMatchObject({ ownerReferences });
  });

  test("45: a deletion answers a Status when done, the object when pending", async () => {
    const { requests } = await openFor(open);
    const made = await requests.map("a");
    expect(await requests.delete("configmaps/a")).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Success",
      details: { name: "a", kind: "configmaps", uid: made.metadata.uid },
    });
    await held(requests, "b");
    const going = await requests.delete("configmaps/b");
    expect(going).toEqual(await requests.get("configmaps/b"));
  });

  test("45: the body of a deletion may be empty, JSON or YAML, and is checked", async () => {
    const { requests } = await openFor(open);
    const remove = (body: string, type = "application/json") =>
      requests.call("DELETE", "configmaps/a", { body, headers: { "content-type": type } });
    await requests.map("a");
    const dry = '{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"]}';
    expect((await remove(dry)).status).toBe(200);
    expect((await remove('{"dryRun":["All"]}')).status).toBe(200);
    const yaml = "kind: DeleteOptions\napiVersion: v1\ndryRun: [All]\n";
    expect((await remove(yaml, "application/yaml")).status).toBe(200);
    expect(refusalIn(await remove("{"))).toEqual({
      code: 400,
      reason: "BadRequest",
      message: "couldn't get version/kind; json parse error: unexpected end of JSON input",
    });
    expect(refusalIn(await remove('{"kind":"ConfigMap","apiVersion":"v1"}'))).toEqual({
      code: 400,
      reason: "BadRequest",
      message:
        'no kind "ConfigMap" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    });
    expect(refusalIn(await remove("{}", "text/plain"))).toMatchObject({
      code: 415,
      reason: "UnsupportedMediaType",
      message:
        "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf",
    });
    expect((await remove("", "text/plain")).status).toBe(200);
    await expectGone(requests, "configmaps/a");
  });

  test("46: a collection is deleted one by one, finalizers honoured", async () => {
    const { requests } = await openFor(open);
    for (const name of ["a", "b", "c", "d"]) {
      const metadata: JsonObject = { labels: { l: name === "d" ? "2" : "1" } };
      if (name === "b") metadata["finalizers"] = [HOLD];
      await requests.map(name, { metadata });
    }
    const { resourceVersion } = (await requests.get("configmaps")).metadata;
    const watch = await requests.watch("configmaps", { resourceVersion });
    const answer = await requests.delete("configmaps", undefined, { labelSelector: "l=1" });
    expect(answer.kind).toBe("ConfigMapList");
    expect(answer.items.map(({ metadata }) => metadata.name)).toEqual(["a", "b", "c"]);
    expect(await requests.names("configmaps")).toEqual(["b", "d"]);
    const frames = await watch.take(3);
    const told = frames.map(({ type, object }) => `${type} ${object.metadata?.name}`);
    expect(told.toSorted()).toEqual(["DELETED a", "DELETED c", "MODIFIED b"]);
    const own = frames.map(({ object }) => object.metadata?.resourceVersion);
    expect(new Set(own).size).toBe(3);
  });

  test("46: namespaces and all namespaces at once do not offer it", async () => {
    const { requests } = await openFor(open);
    for (const path of ["/api/v1/namespaces", "/api/v1/configmaps"]) {
      expect(refusalIn(await requests.call("DELETE", path))).toEqual({
        code: 405,
        reason: "MethodNotAllowed",
        message: "the server does not allow this method on the requested resource",
        details: {},
      });
    }
  });

  test("47: a pod that nobody runs, or that has finished, goes at once", async () => {
    const { requests } = await openFor(open);
    const { resourceVersion } = (await requests.create("pods", pod("free"))).metadata;
    const watch = await requests.watch("pods", { resourceVersion });
    const deleted = await requests.delete("pods/free", { gracePeriodSeconds: 100 });
    expect(deleted.metadata).toMatchObject({ name: "free", deletionGracePeriodSeconds: 0 });
    await expectGone(requests, "pods/free");
    // Grace is a change of its own, even where it is none.
    expect(await watch.changes(2)).toEqual(["MODIFIED free", "DELETED free"]);
    await requests.create("pods", pod("done", { nodeName: "n1" }));
    await requests.merge("pods/done/status", { status: { phase: "Succeeded" } });
    await requests.delete("pods/done");
    await expectGone(requests, "pods/done");
    await requests.create("pods", pod("now", { nodeName: "n1", terminationGracePeriodSeconds: 0 }));
    await requests.delete("pods/now");
    await expectGone(requests, "pods/now");
  });

  test("47: a pod on a node goes when its agent says so", async () => {
    const { requests } = await openFor(open);
    const made = await requests.create("pods", pod("a", { nodeName: "n1" }));
    const going = await requests.delete("pods/a");
    expect(going.metadata).toMatchObject({ deletionGracePeriodSeconds: 30 });
    const wrong = { gracePeriodSeconds: 0, preconditions: { uid: "wrong" } };
    const refused = await requests.call("DELETE", "pods/a", { body: wrong });
    expect([refused.status, refused.object.reason]).toEqual([409, "Conflict"]);
    const preconditions = { uid: made.metadata.uid };
    await requests.delete("pods/a", { gracePeriodSeconds: 0, preconditions });
    await expectGone(requests, "pods/a");
  });

  test("49: creating over what is being deleted says so", async () => {
    const { requests } = await openFor(open);
    await held(requests);
    await requests.delete("configmaps/a");
    const body = { metadata: { name: "a" } };
    for (const query of [{}, { dryRun: "All" }]) {
      expect(refusalIn(await requests.call("POST", "configmaps", { body, query }))).toEqual({
        code: 409,
        reason: "AlreadyExists",
        message: 'object is being deleted: configmaps "a" already exists',
        details: { name: "a", kind: "configmaps" },
      });
    }
  });

  test("E14: a deletion is stamped with the plane's own time", async () => {
    const { requests, plane } = await openFor(open);
    await plane.clock.advance("26h");
    await held(requests);
    await plane.clock.advance("90s");
    const going = await requests.delete("configmaps/a");
    expect(going.metadata.creationTimestamp).toBe("2026-01-02T02:00:00Z");
    expect(going.metadata.deletionTimestamp).toBe("2026-01-02T02:01:30Z");
    await requests.create("pods", pod("p", { nodeName: "n1" }));
    const graceful = await requests.delete("pods/p");
    expect(graceful.metadata.deletionTimestamp).toBe("2026-01-02T02:02:00Z");
  });
}

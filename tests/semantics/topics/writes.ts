/** Writes: locking, preconditions, what the server owns, names, generations (semantics 18-25). */
import type { JsonObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { type OpenPlane, openFor } from "../open-for.ts";
import { patchType, refusalIn, versionOf } from "../requests.ts";
import { pod, sample } from "./samples.ts";

const MODIFIED =
  "the object has been modified; please apply your changes to the latest version and try again";
const OTHER_UID = "11111111-2222-3333-4444-555555555555";

export function writesSuite(open: OpenPlane): void {
  test("18: a stale update and a second create are different conflicts", async () => {
    const { requests } = await openFor(open);
    const old = await requests.map("a");
    await requests.merge("configmaps/a", { data: { k: "1" } });
    expect(refusalIn(await requests.call("PUT", "configmaps/a", { body: old }))).toEqual({
      code: 409,
      reason: "Conflict",
      message: `Operation cannot be fulfilled on configmaps "a": ${MODIFIED}`,
      details: { name: "a", kind: "configmaps" },
    });
    const body = { metadata: { name: "a" } };
    expect(refusalIn(await requests.call("POST", "configmaps", { body }))).toEqual({
      code: 409,
      reason: "AlreadyExists",
      message: 'configmaps "a" already exists',
      details: { name: "a", kind: "configmaps" },
    });
    expect((await requests.get("configmaps/a")).data).toEqual({ k: "1" });
  });

  test("19: an update without a version goes through for most kinds", async () => {
    const { requests } = await openFor(open);
    await requests.map("a");
    await requests.merge("configmaps/a", { data: { k: "1" } });
    const body = { metadata: { name: "a" }, data: { k: "2" } };
    expect((await requests.update("configmaps/a", body)).data).toEqual({ k: "2" });
  });

  test("19: an update without a version is refused for kinds that need one", async () => {
    const { requests } = await openFor(open);
    const kinds: readonly (readonly [string, string])[] = [
      ["leases", "leases.coordination.k8s.io"],
      ["poddisruptionbudgets", "poddisruptionbudgets.policy"],
      ["runtimeclasses", "runtimeclasses.node.k8s.io"],
      ["csidrivers", "csidrivers.storage.k8s.io"],
      [
        "validatingwebhookconfigurations",
        "validatingwebhookconfigurations.admissionregistration.k8s.io",
      ],
    ];
    for (const [resource, kind] of kinds) {
      const body = sample(resource, "sem-a");
      await requests.create(resource, body);
      expect(refusalIn(await requests.call("PUT", `${resource}/sem-a`, { body }))).toMatchObject({
        code: 422,
        reason: "Invalid",
        message: `${kind} "sem-a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
      });
      await requests.delete(`${resource}/sem-a`);
    }
  });

  test("20: an update of what is not there is 404", async () => {
    const { requests } = await openFor(open);
    const body = { metadata: { name: "a" } };
    expect(refusalIn(await requests.call("PUT", "configmaps/a", { body }))).toEqual({
      code: 404,
      reason: "NotFound",
      message: 'configmaps "a" not found',
      details: { name: "a", kind: "configmaps" },
    });
  });

  test("20: some kinds are created by an update", async () => {
    const { requests } = await openFor(open);
    const kinds = ["leases", "roles", "endpoints", "events", "services", "limitranges"];
    const involvedObject = { kind: "Pod", namespace: "default", name: "a" };
    for (const resource of kinds) {
      const more = resource === "events" ? { involvedObject } : {};
      const body = sample(resource, "sem-made", more);
      const answer = await requests.call("PUT", `${resource}/sem-made`, { body });
      expect([resource, answer.status]).toEqual([resource, 201]);
      expect(answer.object.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    }
    const role = sample("clusterroles", "sem-made");
    const answer = await requests.call("PUT", "clusterroles/sem-made", { body: role });
    expect(answer.status).toBe(201);
    await requests.delete("clusterroles/sem-made");
  });

  test("21: patches without a version all go through, however they race", async () => {
    const { requests } = await openFor(open);
    await requests.map("a", { data: {} });
    const names = Array.from({ length: 20 }, (_each, at) => `k${at}`);
    await Promise.all(
      names.map((name) => requests.merge("configmaps/a", { data: { [name]: "1" } })),
    );
    const { data } = await requests.get("configmaps/a");
    expect(Object.keys(data).toSorted()).toEqual(names.toSorted());
  });

  test("21: a version in a patch is a condition", async () => {
    const { requests } = await openFor(open);
    const { resourceVersion } = (await requests.map("a")).metadata;
    const now = await requests.merge("configmaps/a", { data: { k: "1" } });
    const body = { metadata: { resourceVersion }, data: { k: "2" } };
    for (const kind of ["merge", "strategic-merge"] as const) {
      const headers = patchType(kind);
      expect(
        refusalIn(await requests.call("PATCH", "configmaps/a", { body, headers })),
      ).toMatchObject({
        code: 409,
        reason: "Conflict",
        message: `Operation cannot be fulfilled on configmaps "a": ${MODIFIED}`,
      });
    }
    const right = { metadata: { resourceVersion: now.metadata.resourceVersion }, data: { k: "2" } };
    expect((await requests.merge("configmaps/a", right)).data).toEqual({ k: "2" });
  });

  test("22: another uid in an update or patch is a conflict", async () => {
    const { requests } = await openFor(open);
    const made = await requests.map("a");
    const metadata = { name: "a", uid: OTHER_UID };
    const put = await requests.call("PUT", "configmaps/a", { body: { metadata } });
    expect([put.status, put.object.reason]).toEqual([409, "Conflict"]);
    expect(put.object.message).toContain(
      `Precondition failed: UID in precondition: ${OTHER_UID}, UID in object meta: ${made.metadata.uid}`,
    );
    const headers = patchType("merge");
    const patched = await requests.call("PATCH", "configmaps/a", { body: { metadata }, headers });
    expect([patched.status, patched.object.reason]).toEqual([422, "Invalid"]);
    expect(await requests.get("configmaps/a")).toEqual(made);
    const same = { metadata: { name: "a", uid: made.metadata.uid }, data: { k: "1" } };
    expect((await requests.update("configmaps/a", same)).data).toEqual({ k: "1" });
  });

  test("22: preconditions of a deletion must hold", async () => {
    const { requests } = await openFor(open);
    const made = await requests.map("a");
    const now = await requests.merge("configmaps/a", { data: { k: "1" } });
    const { uid, resourceVersion } = made.metadata;
    const refused = async (preconditions: JsonObject, why: string): Promise<void> => {
      const answer = await requests.call("DELETE", "configmaps/a", { body: { preconditions } });
      expect(refusalIn(answer)).toEqual({
        code: 409,
        reason: "Conflict",
        message: `Operation cannot be fulfilled on ConfigMap "a": ${why}`,
        details: { name: "a", kind: "ConfigMap" },
      });
    };
    await refused(
      { uid: "wrong" },
      `the UID in the precondition (wrong) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
    await refused(
      { uid, resourceVersion },
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${now.metadata.resourceVersion}). The object might have been modified`,
    );
    const preconditions = { uid, resourceVersion: now.metadata.resourceVersion };
    await requests.delete("configmaps/a", { preconditions });
    expect((await requests.call("GET", "configmaps/a")).status).toBe(404);
  });

  test("23: what the server owns is not taken from a new object", async () => {
    const { requests } = await openFor(open);
    const made = await requests.create("deployments", {
      ...sample("deployments", "a"),
      metadata: {
        name: "a",
        uid: OTHER_UID,
        generation: 9,
        creationTimestamp: "2001-02-03T04:05:06Z",
        deletionTimestamp: "2001-02-03T04:05:06Z",
        deletionGracePeriodSeconds: 5,
        selfLink: "/mine",
      },
    });
    const { metadata } = made;
    expect(metadata).not.toHaveProperty("deletionTimestamp");
    expect(metadata).not.toHaveProperty("deletionGracePeriodSeconds");
    expect(metadata).not.toHaveProperty("selfLink");
    expect(metadata.uid).not.toBe(OTHER_UID);
    expect(metadata.generation).toBe(1);
    expect(metadata.creationTimestamp > "2025").toBe(true);
    const body = { metadata: { name: "b", resourceVersion: "1" } };
    expect(refusalIn(await requests.call("POST", "configmaps", { body }))).toEqual({
      code: 500,
      message: "resourceVersion should not be set on objects to be created",
    });
  });

  test("23: what the server owns cannot be changed", async () => {
    const { requests } = await openFor(open);
    const made = await requests.create("deployments", sample("deployments", "a"));
    const kept = await requests.merge("deployments/a", {
      metadata: { generation: 50, creationTimestamp: "2001-02-03T04:05:06Z", selfLink: "/mine" },
    });
    expect(kept).toEqual(made);
    const refused = async (metadata: JsonObject, problem: string): Promise<void> => {
      const options = { body: { metadata }, headers: patchType("merge") };
      const answer = await requests.call("PATCH", "deployments/a", options);
      const message = `Deployment.apps "a" is invalid: metadata.${problem}`;
      expect(refusalIn(answer)).toMatchObject({ code: 422, reason: "Invalid", message });
    };
    await refused(
      { deletionTimestamp: "2001-02-03T04:05:06Z" },
      'deletionTimestamp: Invalid value: "2001-02-03T04:05:06Z": field is immutable',
    );
    await refused(
      { deletionGracePeriodSeconds: 5 },
      "deletionGracePeriodSeconds: Invalid value: 5: field is immutable",
    );
  });

  test("23: name, namespace and kind must be those of the address", async () => {
    const { requests } = await openFor(open);
    await requests.map("a");
    const refused = async (
      [method, place]: readonly ["POST" | "PUT", string],
      body: JsonObject,
      message: string,
    ): Promise<void> => {
      const answer = await requests.call(method, place, { body });
      expect(refusalIn(answer)).toEqual({ code: 400, reason: "BadRequest", message });
    };
    await refused(
      ["POST", "configmaps"],
      { metadata: { name: "b", namespace: "other" } },
      "the namespace of the provided object does not match the namespace sent on the request",
    );
    await refused(
      ["PUT", "configmaps/a"],
      { metadata: { name: "b" } },
      "the name of the object (b) does not match the name on the URL (a)",
    );
    await refused(
      ["PUT", "configmaps/a"],
      { metadata: {} },
      "the name of the object (a based on URL) was undeterminable: name must be provided",
    );
    await refused(
      ["POST", "configmaps"],
      { apiVersion: "v1", kind: "Secret", metadata: { name: "b" } },
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    );
  });

  test("24: a generated name is the base, cut, and five characters", async () => {
    const { requests } = await openFor(open);
    const made = await requests.create("configmaps", { metadata: { generateName: "base-" } });
    expect(made.metadata.name).toMatch(/^base-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(made.metadata).toMatchObject({ generateName: "base-" });
    const long = await requests.create("configmaps", {
      metadata: { generateName: "x".repeat(70) },
    });
    expect(long.metadata.name).toMatch(/^x{58}[a-z0-9]{5}$/);
    const both = { metadata: { name: "given", generateName: "base-" } };
    expect((await requests.create("configmaps", both)).metadata.name).toBe("given");
    expect(
      refusalIn(await requests.call("POST", "configmaps", { body: { metadata: {} } })),
    ).toMatchObject({
      code: 422,
      reason: "Invalid",
      message:
        'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
    });
  });

  test("24: hundreds of generated names of one base are all different", async () => {
    const { requests } = await openFor(open);
    const names: string[] = [];
    const make = async (): Promise<void> => {
      for (let at = 0; at < 30; at++) {
        const made = await requests.create("configmaps", { metadata: { generateName: "n-" } });
        names.push(made.metadata.name);
      }
    };
    await Promise.all(Array.from({ length: 10 }, make));
    expect(new Set(names).size).toBe(300);
  });

  test("25: a generation counts changes of what is wanted only", async () => {
    const { requests } = await openFor(open);
    const generation = async (patch: JsonObject, place = "deployments/a") =>
      (await requests.merge(place, patch)).metadata.generation;
    const body = sample("deployments", "a", { status: { replicas: 7 } });
    const made = await requests.create("deployments", body);
    expect(made.metadata.generation).toBe(1);
    expect(await generation({ spec: { replicas: 3 } })).toBe(2);
    expect(await generation({ metadata: { labels: { l: "1" } } })).toBe(2);
    expect(await generation({ status: { replicas: 3 } }, "deployments/a/status")).toBe(2);
    expect(await generation({ status: { replicas: 4 } })).toBe(2);
    expect(await generation({ metadata: { generation: 1 }, spec: { replicas: 3 } })).toBe(2);
    // Of a Deployment, and only of it, annotations count too.
    expect(await generation({ metadata: { annotations: { a: "1" } } })).toBe(3);
    await requests.create("replicasets", sample("replicasets", "a"));
    expect(await generation({ metadata: { annotations: { a: "1" } } }, "replicasets/a")).toBe(1);
    await requests.merge("deployments/a", { metadata: { finalizers: ["example.com/hold"] } });
    const going = await requests.delete("deployments/a");
    expect(going.metadata.generation).toBe(4);
    expect((await requests.delete("deployments/a")).metadata.generation).toBe(4);
  });

  test("25: maps, secrets and services have no generation", async () => {
    const { requests } = await openFor(open);
    for (const resource of ["configmaps", "secrets", "services"]) {
      const made = await requests.create(resource, sample(resource, "a"));
      expect([resource, made.metadata.generation]).toEqual([resource, undefined]);
    }
    // Pods count theirs since 1.34 or so: once for each change of the spec.
    const made = await requests.create("pods", pod("p"));
    expect(made.metadata.generation).toBe(1);
    const labelled = await requests.merge("pods/p", { metadata: { labels: { l: "1" } } });
    expect(labelled.metadata.generation).toBe(1);
    const changed = await requests.strategic("pods/p", {
      spec: { containers: [{ name: "c", image: "other" }] },
    });
    expect(changed.metadata.generation).toBe(2);
    expect(versionOf(changed)).toBeGreaterThan(versionOf(labelled));
  });
}

/** The life of a namespace, where no namespace controller runs (semantic 48). */
import { expect, test } from "vitest";
import { type OpenPlane, openFor } from "../open-for.ts";
import { type Requests, refusalIn } from "../requests.ts";
import { sample } from "./samples.ts";

const make = (requests: Requests) => requests.create("namespaces", { metadata: { name: "sem-x" } });
const INSIDE = "/api/v1/namespaces/sem-x/configmaps";

export function namespacesSuite(open: OpenPlane): void {
  test("48: a namespace is made active, labelled and with its finalizer", async () => {
    const { requests } = await openFor(open);
    const made = await make(requests);
    expect(made).toMatchObject({
      kind: "Namespace",
      metadata: { name: "sem-x", labels: { "kubernetes.io/metadata.name": "sem-x" } },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    });
    const kept = await requests.merge("namespaces/sem-x", { spec: { finalizers: [] } });
    expect(kept.spec).toEqual({ finalizers: ["kubernetes"] });
  });

  test("48: deletion makes it Terminating until it is finalized", async () => {
    const { requests } = await openFor(open);
    const { resourceVersion } = (await make(requests)).metadata;
    const watch = await requests.watch("namespaces", {
      resourceVersion,
      fieldSelector: "metadata.name=sem-x",
    });
    await requests.create(INSIDE, { metadata: { name: "before" } });
    const going = await requests.delete("namespaces/sem-x");
    expect(going.status).toEqual({ phase: "Terminating" });
    expect(going.metadata.deletionTimestamp).toBeDefined();
    const body = { metadata: { name: "after" } };
    expect(refusalIn(await requests.call("POST", INSIDE, { body }))).toEqual({
      code: 403,
      reason: "Forbidden",
      message:
        'configmaps "after" is forbidden: unable to create new content in namespace sem-x because it is being terminated',
      details: {
        name: "after",
        kind: "configmaps",
        causes: [
          {
            reason: "NamespaceTerminating",
            message: "namespace sem-x is being terminated",
            field: "metadata.namespace",
          },
        ],
      },
    });
    // What is there can still be read, changed and deleted.
    await requests.update(`${INSIDE}/before`, { metadata: { name: "before" }, data: { k: "1" } });
    await requests.delete(`${INSIDE}/before`);
    const again = await requests.call("POST", "namespaces", {
      body: { metadata: { name: "sem-x" } },
    });
    expect(refusalIn(again)).toMatchObject({
      code: 409,
      reason: "AlreadyExists",
      message: 'object is being deleted: namespaces "sem-x" already exists',
    });
    await requests.update("namespaces/sem-x/finalize", { ...going, spec: {} });
    expect((await requests.call("GET", "namespaces/sem-x")).status).toBe(404);
    expect(await watch.changes(2)).toEqual(["MODIFIED sem-x", "DELETED sem-x"]);
  });

  test("48: finalizers of metadata hold it too", async () => {
    const { requests } = await openFor(open);
    const metadata = { name: "sem-x", finalizers: ["example.com/hold"] };
    await requests.create("namespaces", { metadata });
    const going = await requests.delete("namespaces/sem-x");
    await requests.update("namespaces/sem-x/finalize", { ...going, spec: {} });
    expect((await requests.get("namespaces/sem-x")).spec).toEqual({});
    await requests.merge("namespaces/sem-x", { metadata: { finalizers: null } });
    expect((await requests.call("GET", "namespaces/sem-x")).status).toBe(404);
  });

  test("48: conditions of what is left are kept in its status", async () => {
    const { requests } = await openFor(open);
    await make(requests);
    await requests.delete("namespaces/sem-x");
    const conditions = [
      {
        type: "NamespaceContentRemaining",
        status: "True",
        reason: "SomeResourcesRemain",
        message: "m",
      },
    ];
    const changed = await requests.merge("namespaces/sem-x/status", { status: { conditions } });
    expect(changed.status).toMatchObject({ phase: "Terminating", conditions });
  });

  test("48: nothing is created in a namespace that is not there", async () => {
    const { requests } = await openFor(open);
    const places: readonly (readonly [string, string])[] = [
      ["configmaps", "/api/v1/namespaces/sem-none/configmaps"],
      ["pods", "/api/v1/namespaces/sem-none/pods"],
      ["deployments", "/apis/apps/v1/namespaces/sem-none/deployments"],
    ];
    for (const [resource, path] of places) {
      expect(refusalIn(await requests.call("POST", path, { body: sample(resource, "a") }))).toEqual(
        {
          code: 404,
          reason: "NotFound",
          message: 'namespaces "sem-none" not found',
          details: { name: "sem-none", kind: "namespaces" },
        },
      );
    }
    expect((await requests.get("/api/v1/namespaces/sem-none/configmaps")).items).toEqual([]);
  });

  test("48: default, kube-system and kube-public cannot be deleted", async () => {
    const { requests } = await openFor(open);
    for (const name of ["default", "kube-system", "kube-public"]) {
      expect(refusalIn(await requests.call("DELETE", `/api/v1/namespaces/${name}/`))).toEqual({
        code: 403,
        reason: "Forbidden",
        message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
        details: { name, kind: "namespaces" },
      });
      expect((await requests.get(`namespaces/${name}`)).status).toEqual({ phase: "Active" });
    }
  });
}

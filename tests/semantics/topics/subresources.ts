/** status, scale, eviction (semantics 26, 27, 50). */
import type { JsonObject } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { type OpenPlane, openFor } from "../open-for.ts";
import { patchType, type Requests, refusalIn } from "../requests.ts";
import { pod, sample } from "./samples.ts";

const MODIFIED =
  "the object has been modified; please apply your changes to the latest version and try again";

const budget = (name: string): JsonObject => ({
  metadata: { name },
  spec: { minAvailable: 1, selector: { matchLabels: { app: "a" } } },
});

async function runningPod(requests: Requests): Promise<void> {
  await requests.create("pods", pod("a", {}, { labels: { app: "a" } }));
  const conditions = [{ type: "Ready", status: "True" }];
  await requests.merge("pods/a/status", { status: { phase: "Running", conditions } });
}

function evict(requests: Requests, name: string, more: JsonObject = {}) {
  return requests.call("POST", `pods/${name}/eviction`, { body: { metadata: { name }, ...more } });
}

export function subresourcesSuite(open: OpenPlane): void {
  test("26: main and status are written apart", async () => {
    const { requests } = await openFor(open);
    const body = sample("deployments", "a", { status: { replicas: 7 } });
    const made = await requests.create("deployments", body);
    expect(made.status).toEqual({});
    const observed = await requests.merge("deployments/a/status", {
      metadata: { labels: { l: "1" } },
      spec: { replicas: 9 },
      status: { replicas: 2 },
    });
    expect(observed.status).toEqual({ replicas: 2 });
    expect(observed.spec).toEqual(made.spec);
    expect(observed.metadata.labels).toBeUndefined();
    const wanted = await requests.merge("deployments/a", {
      spec: { replicas: 3 },
      status: { replicas: 5 },
    });
    expect(wanted.status).toEqual({ replicas: 2 });
    expect(wanted.spec["replicas"]).toBe(3);
    const put = await requests.update("deployments/a/status", {
      ...sample("deployments", "a"),
      status: { replicas: 4 },
    });
    expect(put.status).toEqual({ replicas: 4 });
    expect(put.spec["replicas"]).toBe(3);
    expect(await requests.get("deployments/a/status")).toEqual(await requests.get("deployments/a"));
  });

  test("26: labels and annotations pass through a pod's status", async () => {
    const { requests } = await openFor(open);
    await requests.create("pods", pod("a"));
    const changed = await requests.merge("pods/a/status", {
      metadata: { labels: { l: "1" }, annotations: { by: "me" } },
      spec: { nodeName: "n1" },
      status: { phase: "Running" },
    });
    expect(changed.metadata).toMatchObject({ labels: { l: "1" }, annotations: { by: "me" } });
    expect(changed.spec["nodeName"]).toBeUndefined();
    expect(changed.status["phase"]).toBe("Running");
  });

  test("26: a kind without the subresource has no such address", async () => {
    const { requests } = await openFor(open);
    await requests.map("a");
    expect(refusalIn(await requests.call("GET", "configmaps/a/status"))).toEqual({
      code: 404,
      reason: "NotFound",
      message: "the server could not find the requested resource",
      details: {},
    });
  });

  test("27: scale is a view of replicas with the version of its owner", async () => {
    const { requests } = await openFor(open);
    for (const resource of [
      "deployments",
      "replicasets",
      "statefulsets",
      "replicationcontrollers",
    ]) {
      const made = await requests.create(resource, sample(resource, "a"));
      const scale = await requests.get(`${resource}/a/scale`);
      const { name, namespace, uid, resourceVersion, creationTimestamp } = made.metadata;
      expect(scale).toEqual({
        kind: "Scale",
        apiVersion: "autoscaling/v1",
        metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
        spec: { replicas: 1 },
        status: { replicas: 0, selector: "app=a" },
      });
      const more = await requests.update(`${resource}/a/scale`, {
        ...scale,
        spec: { replicas: 4 },
      });
      expect(more.spec).toEqual({ replicas: 4 });
      const owner = await requests.get(`${resource}/a`);
      expect(owner.spec["replicas"]).toBe(4);
      expect(owner.metadata.resourceVersion).toBe(more.metadata.resourceVersion);
      expect(owner.metadata.generation).toBe(2);
      const stale = await requests.call("PUT", `${resource}/a/scale`, { body: scale });
      expect([stale.status, stale.object.reason]).toEqual([409, "Conflict"]);
      expect(stale.object.message.endsWith(MODIFIED)).toBe(true);
    }
  });

  test("27: scale follows status and can be patched", async () => {
    const { requests } = await openFor(open);
    await requests.create("deployments", sample("deployments", "a"));
    await requests.merge("deployments/a/status", { status: { replicas: 3 } });
    expect((await requests.get("deployments/a/scale")).status["replicas"]).toBe(3);
    expect((await requests.merge("deployments/a/scale", { spec: { replicas: 2 } })).spec).toEqual({
      replicas: 2,
    });
    expect((await requests.merge("deployments/a/scale", { spec: { replicas: 0 } })).spec).toEqual(
      {},
    );
    const options = { body: { spec: { replicas: -1 } }, headers: patchType("merge") };
    expect(refusalIn(await requests.call("PATCH", "deployments/a/scale", options))).toMatchObject({
      code: 422,
      reason: "Invalid",
      message:
        'Scale.autoscaling "a" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    });
    expect(refusalIn(await requests.call("GET", "deployments/none/scale"))).toMatchObject({
      code: 404,
      reason: "NotFound",
      message: 'deployments.apps "none" not found',
    });
    expect((await requests.call("GET", "jobs/a/scale")).status).toBe(404);
  });

  test("50: an eviction is 201 and deletes the pod", async () => {
    const { requests } = await openFor(open);
    await requests.create("pods", pod("a"));
    const shown = await evict(requests, "a", { deleteOptions: { dryRun: ["All"] } });
    expect(shown.status).toBe(201);
    expect((await requests.call("GET", "pods/a")).status).toBe(200);
    const answer = await evict(requests, "a");
    expect([answer.status, answer.object.status]).toEqual([201, "Success"]);
    expect((await requests.call("GET", "pods/a")).status).toBe(404);
    expect((await evict(requests, "a")).status).toBe(404);
  });

  test("50: a budget blocks an eviction with 429", async () => {
    const { requests } = await openFor(open);
    await runningPod(requests);
    await requests.create("poddisruptionbudgets", budget("one"));
    const message = "Cannot evict pod as it would violate the pod's disruption budget.";
    const unseen = await evict(requests, "a");
    expect(refusalIn(unseen)).toEqual({
      code: 429,
      reason: "TooManyRequests",
      message,
      details: {
        causes: [
          {
            reason: "DisruptionBudget",
            message: "The disruption budget one is still being processed by the server.",
          },
        ],
        retryAfterSeconds: 10,
      },
    });
    expect(unseen.headers["retry-after"]).toBe("10");
    const status = {
      observedGeneration: 1,
      disruptionsAllowed: 0,
      currentHealthy: 1,
      desiredHealthy: 1,
      expectedPods: 1,
    };
    await requests.merge("poddisruptionbudgets/one/status", { status });
    expect(refusalIn(await evict(requests, "a"))).toEqual({
      code: 429,
      reason: "TooManyRequests",
      message,
      details: {
        causes: [
          {
            reason: "DisruptionBudget",
            message: "The disruption budget one needs 1 healthy pods and has 1 currently",
          },
        ],
      },
    });
    await requests.merge("poddisruptionbudgets/one/status", { status: { disruptionsAllowed: 1 } });
    expect((await evict(requests, "a")).status).toBe(201);
    const used = await requests.get("poddisruptionbudgets/one");
    expect(used.status["disruptionsAllowed"]).toBe(0);
    expect(Object.keys(used.status["disruptedPods"] as object)).toEqual(["a"]);
  });

  test("50: two budgets for one pod are an error", async () => {
    const { requests } = await openFor(open);
    await runningPod(requests);
    await requests.create("poddisruptionbudgets", budget("one"));
    await requests.create("poddisruptionbudgets", budget("two"));
    expect(refusalIn(await evict(requests, "a"))).toEqual({
      code: 500,
      message:
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    });
  });
}

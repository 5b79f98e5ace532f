import type { KubernetesObject } from "@homeostat/object-model";
import type { Scale } from "@homeostat/object-model/autoscaling-v1";
import { expect, test } from "vitest";
import type { ObjectStore } from "./object-store.ts";
import { applyScale, Scales, scaleOf } from "./scale.ts";

const metadata = {
  name: "web",
  namespace: "default",
  uid: "u",
  resourceVersion: "9",
  creationTimestamp: "2026-01-01T00:00:00Z",
  labels: { not: "shown" },
};

function deployment(): KubernetesObject & { spec: { replicas: number; selector: object } } {
  const selector = {
    matchLabels: { b: "1", a: "2" },
    matchExpressions: [{ key: "c", operator: "In", values: ["y", "x"] }],
  };
  return { metadata: { ...metadata }, spec: { replicas: 3, selector } };
}

/** One object, written as it comes. */
function storeOf(object: KubernetesObject, written: unknown[]): ObjectStore {
  return {
    get: () => object,
    list: () => [object],
    update: async ({ name, namespace }, change, options) => {
      const after = await change(structuredClone(object));
      written.push([name, namespace, after, options]);
      return after;
    },
    delete: async () => object,
  };
}

test("a Scale shows the identity, the replicas and the selector of its object", () => {
  expect(scaleOf({ ...deployment(), status: { replicas: 2 } })).toEqual({
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: {
      name: "web",
      namespace: "default",
      uid: "u",
      resourceVersion: "9",
      creationTimestamp: "2026-01-01T00:00:00Z",
    },
    spec: { replicas: 3 },
    status: { replicas: 2, selector: "a=2,b=1,c in (x,y)" },
  });
});

test("a ReplicationController's selector is a plain map, even of unlucky keys", () => {
  const selector = { matchLabels: "b", app: "x" };
  expect(scaleOf({ metadata, spec: { selector } }).status?.selector).toBe("app=x,matchLabels=b");
});

test("no replicas are not printed", () => {
  expect(scaleOf({ metadata, spec: { replicas: 0 } })).toMatchObject({
    spec: {},
    status: { replicas: 0 },
  });
  expect(scaleOf({ metadata }).spec).not.toHaveProperty("replicas");
  expect(scaleOf({ metadata }).status).not.toHaveProperty("selector");
});

test("a Scale changes nothing but the replicas, and carries the preconditions", () => {
  const scale: Scale = {
    metadata: { name: "web", namespace: "default", uid: "v", labels: { a: "b" } },
    spec: { replicas: 5 },
    status: { replicas: 99 },
  };
  const { resourceVersion: _, ...rest } = metadata;
  expect(applyScale(deployment(), scale)).toEqual({
    metadata: { ...rest, uid: "v" },
    spec: { ...deployment().spec, replicas: 5 },
  });
});

test("a Scale without replicas asks for none, and a negative number is refused", () => {
  const place = { name: "web", namespace: "default" };
  expect(applyScale(deployment(), { metadata: place }).spec?.replicas).toBe(0);
  expect(() => applyScale(deployment(), { metadata: place, spec: { replicas: -1 } })).toThrow(
    'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  );
});

test("an update gives the present Scale and writes the object through the scale subresource", async () => {
  const written: unknown[] = [];
  const scales = new Scales(storeOf(deployment(), written), {
    apiVersion: "apps/v1",
    pathIn: new Map(),
  });
  expect(scales.get("web", "default").spec).toEqual({ replicas: 3 });
  const place = { name: "web", namespace: "default", dryRun: true };
  const answer = await scales.update(place, (current) => ({
    ...current,
    spec: { replicas: (current.spec?.replicas ?? 0) + 1 },
  }));
  expect(answer.spec).toEqual({ replicas: 4 });
  expect(written).toEqual([
    [
      "web",
      "default",
      { metadata, spec: { ...deployment().spec, replicas: 4 } },
      { subresource: "scale", dryRun: true },
    ],
  ]);
});

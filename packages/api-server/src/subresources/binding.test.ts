import type { Binding, Pod } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import { Bindings, bindPod, checkBinding } from "./binding.ts";
import type { ObjectStore } from "./object-store.ts";

const NOW = 1_767_225_600_000;

function pod(changed: Partial<Pod> = {}): Pod {
  return {
    metadata: { name: "p", namespace: "default", uid: "u", resourceVersion: "9" },
    spec: { containers: [{ name: "c" }] },
    status: { phase: "Pending", nominatedNodeName: "n0" },
    ...changed,
  };
}

function binding(changed: Partial<Binding> = {}): Binding {
  return { metadata: { name: "p" }, target: { kind: "Node", name: "n1" }, ...changed };
}

test("a bound pod has its node, the labels and annotations given with it, and PodScheduled", () => {
  const metadata = JSON.parse('{"name":"p","labels":{"app":"y"},"annotations":{"__proto__":"1"}}');
  const given = pod();
  given.metadata.labels = { app: "x", old: "1" };
  const bound = bindPod(given, binding({ metadata }), NOW);
  expect(bound.spec?.nodeName).toBe("n1");
  expect(bound.metadata.labels).toEqual({ app: "y", old: "1" });
  expect(Object.entries(bound.metadata.annotations ?? {})).toEqual([["__proto__", "1"]]);
  expect(bound.status).toEqual({
    phase: "Pending",
    conditions: [
      { type: "PodScheduled", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" },
    ],
  });
});

test("the condition takes the place of the one that said otherwise", () => {
  const gated = { type: "PodScheduled", status: "False", reason: "SchedulingGated" };
  const others = { type: "Ready", status: "False" };
  const bound = bindPod(pod({ status: { conditions: [gated, others] } }), binding(), NOW);
  expect(bound.status?.conditions).toEqual([
    { type: "PodScheduled", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" },
    others,
  ]);
});

test("a pod is bound once, ungated and alive", () => {
  const refused = (changed: Partial<Pod>): (() => Pod) => {
    return () => bindPod(pod(changed), binding(), NOW);
  };
  const conflict = 'Operation cannot be fulfilled on pods/binding "p": ';
  const spec = { containers: [] };
  expect(refused({ spec: { ...spec, nodeName: "n2" } })).toThrow(
    `${conflict}pod p is already assigned to node "n2"`,
  );
  expect(refused({ spec: { ...spec, schedulingGates: [{ name: "g" }] } })).toThrow(
    `${conflict}pod p has non-empty .spec.schedulingGates`,
  );
  expect(refused({ metadata: { name: "p", deletionTimestamp: "2026-01-01T00:00:00Z" } })).toThrow(
    `${conflict}pod p is being deleted, cannot be assigned to a host`,
  );
});

test("the uid and the version of a Binding are preconditions", () => {
  const because =
    'Operation cannot be fulfilled on pods "p": StorageError: invalid object, Code: 4, Key: /registry/pods/default/p, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ';
  expect(() => bindPod(pod(), binding({ metadata: { name: "p", uid: "v" } }), NOW)).toThrow(
    `${because}UID in precondition: v, UID in object meta: u`,
  );
  const stale = binding({ metadata: { name: "p", resourceVersion: "1" } });
  expect(() => bindPod(pod(), stale, NOW)).toThrow(
    `${because}ResourceVersion in precondition: 1, ResourceVersion in object meta: 9`,
  );
});

test("a Binding names its pod and a node", () => {
  expect(() => checkBinding(binding(), "q")).toThrow(
    "name in URL does not match name in Binding object",
  );
  expect(() => checkBinding(binding({ target: { kind: "Pod" } }), "p")).toThrow(
    '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
  );
  expect(() => checkBinding(binding({ target: { name: "n1" } }), "p")).not.toThrow();
});

test("binding stores the pod and answers success", async () => {
  const stored: unknown[] = [];
  const pods: ObjectStore = {
    get: () => pod(),
    list: () => [],
    update: async (_place, change, options) => {
      const after = change(pod());
      stored.push((after as Pod).spec?.nodeName, options);
      return after;
    },
    delete: async () => pod(),
  };
  const place = { name: "p", namespace: "default", dryRun: false };
  expect(await new Bindings(pods, () => NOW).create(binding(), place)).toEqual({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    code: 201,
  });
  expect(stored).toEqual(["n1", { subresource: "binding", dryRun: false }]);
});

import type { Pod } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import { openPlane, PODS, pod } from "./fixtures/asked-plane.ts";

const CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";

test("a pod has the priority of its class, or of the default one, or none", async () => {
  await using plane = await openPlane();
  const none = (await plane.ask("POST", PODS, pod("a"))) as Pod;
  expect(none.spec).toMatchObject({ priority: 0, preemptionPolicy: "PreemptLowerPriority" });
  const never = { metadata: { name: "c" }, value: 7, preemptionPolicy: "Never" };
  await plane.ask("POST", CLASSES, never);
  const named = (await plane.ask("POST", PODS, pod("b", { priorityClassName: "c" }))) as Pod;
  expect(named.spec).toMatchObject({ priority: 7, preemptionPolicy: "Never" });
  await plane.ask("POST", CLASSES, { metadata: { name: "d" }, value: 3, globalDefault: true });
  const byDefault = (await plane.ask("POST", PODS, pod("c"))) as Pod;
  expect(byDefault.spec).toMatchObject({ priority: 3, priorityClassName: "d" });
});

test("a priority that is not that of the class, and a class that is not there, are refused", async () => {
  await using plane = await openPlane();
  expect(await plane.ask("POST", PODS, pod("a", { priority: 5 }))).toMatchObject({
    code: 403,
    message:
      'pods "a" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  });
  expect(await plane.ask("POST", PODS, pod("a", { priorityClassName: "x" }))).toMatchObject({
    code: 403,
    message: 'pods "a" is forbidden: no PriorityClass with name x was found',
  });
});

test("an update that leaves the priority out keeps it", async () => {
  await using plane = await openPlane();
  const made = (await plane.ask("POST", PODS, pod("a"))) as Pod;
  const { priority: _, preemptionPolicy: __, ...spec } = made.spec!;
  const changed = { ...made, metadata: { ...made.metadata, labels: { a: "b" } }, spec };
  const updated = (await plane.ask("PUT", `${PODS}/a`, changed)) as Pod;
  expect(updated.metadata?.labels).toEqual({ a: "b" });
  expect(updated.spec).toMatchObject({ priority: 0, preemptionPolicy: "PreemptLowerPriority" });
});

test("there is one default class; it may change and stay it", async () => {
  await using plane = await openPlane();
  const one = { metadata: { name: "one" }, value: 1, globalDefault: true };
  await plane.ask("POST", CLASSES, one);
  const two = { metadata: { name: "two" }, value: 2, globalDefault: true };
  expect(await plane.ask("POST", CLASSES, two)).toMatchObject({
    code: 403,
    message:
      'priorityclasses.scheduling.k8s.io "two" is forbidden: PriorityClass one is already marked as default. Only one default can exist',
  });
  const described = { ...one, description: "d" };
  expect((await plane.ask("PUT", `${CLASSES}/one`, described)).code).toBeUndefined();
});

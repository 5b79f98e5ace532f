import { expect, test } from "vitest";
import { openPlane, PODS, pod } from "./fixtures/asked-plane.ts";

const GHOST = { priorityClassName: "ghost" };

test("a plugin that is switched off is not asked", async () => {
  await using plane = await openPlane();
  expect((await plane.ask("POST", PODS, pod("a", GHOST))).code).toBe(403);
  await using without = await openPlane({ admission: { disabled: ["Priority"] } });
  expect((await without.ask("POST", PODS, pod("a", GHOST))).code).toBeUndefined();
});

test("without NamespaceLifecycle things are made in namespaces that do not exist", async () => {
  await using plane = await openPlane({ admission: { disabled: ["NamespaceLifecycle"] } });
  const path = "/api/v1/namespaces/nowhere/configmaps";
  expect((await plane.ask("POST", path, { metadata: { name: "a" } })).code).toBeUndefined();
  expect((await plane.ask("DELETE", "/api/v1/namespaces/kube-public")).code).toBeUndefined();
});

test("a name that kube-apiserver does not know is no option", async () => {
  await expect(openPlane({ admission: { disabled: ["priority"] } })).rejects.toThrow(
    "admission.disabled",
  );
});

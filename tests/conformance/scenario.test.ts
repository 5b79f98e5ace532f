import { expect, test } from "vitest";
import { findResource, patch, pathOf, post } from "./scenario.ts";

test("places become paths", () => {
  expect(pathOf("configmaps")).toBe("/api/v1/namespaces/${ns}/configmaps");
  expect(pathOf("deployments/a/status")).toBe(
    "/apis/apps/v1/namespaces/${ns}/deployments/a/status",
  );
  expect(pathOf("nodes/n")).toBe("/api/v1/nodes/n");
  expect(pathOf("events.events.k8s.io")).toBe("/apis/events.k8s.io/v1/namespaces/${ns}/events");
  expect(pathOf("horizontalpodautoscalers.v1.autoscaling/a")).toBe(
    "/apis/autoscaling/v1/namespaces/${ns}/horizontalpodautoscalers/a",
  );
  expect(pathOf("/version")).toBe("/version");
  expect(() => findResource("nothings")).toThrow('There is no resource "nothings"');
});

test("objects get the kind of their place unless they say one", () => {
  expect(post("pods/a/eviction", { metadata: {} }).body).toEqual({
    json: { apiVersion: "policy/v1", kind: "Eviction", metadata: {} },
  });
  expect(post("pods", { kind: "X" }).body).toEqual({ json: { kind: "X" } });
  expect(post("pods", { text: "{" }).body).toEqual({ text: "{" });
  expect(patch("pods/a", ["merge", "{"]).body).toEqual({ text: "{" });
});

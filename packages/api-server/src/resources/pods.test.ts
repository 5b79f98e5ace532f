import type { Pod, PodSpec } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import { qualityOfService } from "./pod-quality.ts";
import { pods } from "./pods.ts";

function pod(spec: Partial<PodSpec>, phase?: string): Pod {
  return {
    metadata: { name: "p" },
    spec: { containers: [{ name: "c", image: "x" }], ...spec },
    ...(phase === undefined ? {} : { status: { phase } }),
  };
}

test("a pod that no node has is deleted at once, whatever was asked for", () => {
  expect(pods.deletionGrace!(pod({ terminationGracePeriodSeconds: 30 }), 60)).toBe(0);
});

test("a pod that has ended is deleted at once", () => {
  for (const phase of ["Succeeded", "Failed"]) {
    expect(pods.deletionGrace!(pod({ nodeName: "n" }, phase), 60)).toBe(0);
  }
});

test("a running pod gets the time asked for, or its own", () => {
  const running = pod({ nodeName: "n", terminationGracePeriodSeconds: 30 }, "Running");
  expect(pods.deletionGrace!(running, undefined)).toBe(30);
  expect(pods.deletionGrace!(running, 5)).toBe(5);
  expect(pods.deletionGrace!(running, 0)).toBe(0);
  expect(pods.deletionGrace!(running, -3)).toBe(1);
});

test("selectable fields read as text, absent ones as nothing", () => {
  const read = (object: Pod) =>
    Object.fromEntries(
      Object.entries(pods.selectableFields!).map(([name, value]) => [name, value(object)]),
    );
  expect(read(pod({}))).toMatchObject({ "spec.hostNetwork": "false", "spec.nodeName": "" });
  const full = pod({ hostNetwork: true, nodeName: "n", restartPolicy: "Always" });
  full.status = { phase: "Running", podIP: "10.0.0.1", podIPs: [{ ip: "10.0.0.1" }] };
  expect(read(full)).toEqual({
    "spec.nodeName": "n",
    "spec.restartPolicy": "Always",
    "spec.schedulerName": "",
    "spec.serviceAccountName": "",
    "spec.hostNetwork": "true",
    "status.phase": "Running",
    "status.podIP": "10.0.0.1",
    "status.podIPs": "",
    "status.nominatedNodeName": "",
  });
});

test("resources of the pod itself decide its quality of service alone", () => {
  const limits = { cpu: "1", memory: "1Gi" };
  const containers = [{ name: "c", image: "x" }];
  expect(qualityOfService({ containers, resources: { limits, requests: limits } })).toBe(
    "Guaranteed",
  );
  expect(qualityOfService({ containers, resources: { requests: limits } })).toBe("Burstable");
  expect(qualityOfService({ containers })).toBe("BestEffort");
  expect(qualityOfService(undefined)).toBe("BestEffort");
});

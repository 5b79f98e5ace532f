import type { Container, Pod } from "@homeostat/object-model/core-v1";
import { expect, test } from "vitest";
import { PodOutcomes } from "./pod-outcomes.ts";

const pod = (container: Omit<Container, "name">, index?: number): Pod => ({
  metadata: {
    ...(index !== undefined && {
      annotations: { "batch.kubernetes.io/job-completion-index": String(index) },
    }),
  },
  spec: {
    containers: [{ name: "c", ...container }],
    volumes: [{ name: "data", hostPath: { path: "/tmp/x" } }],
  },
});

const sh = (script: string, index?: number): Pod =>
  pod({ image: "busybox", command: ["/bin/sh", "-c", script] }, index);

test.each([
  ["exit 1", 1],
  ["exit 0", 0],
  ["echo done", 0],
  ["sleep 1000000", undefined],
  ["trap exit TERM; while true; do sleep 1; done", undefined],
])("A script %j ends with %s", (script, code) => {
  expect(new PodOutcomes().exitCodeOf(sh(script))).toBe(code);
});

test("An image that serves runs on, a shell without a script ends", () => {
  const outcomes = new PodOutcomes();
  expect(outcomes.exitCodeOf(pod({ image: "registry/pause:3" }))).toBe(undefined);
  expect(outcomes.exitCodeOf(pod({ image: "registry/busybox:1" }))).toBe(0);
});

test("A script that fails for odd indexes does", () => {
  const script = "if [ $(expr ${JOB_COMPLETION_INDEX} % 2) -ne 0 ]; then exit 1 else exit 0 fi";
  const outcomes = new PodOutcomes();
  expect([0, 1, 2, 3].map((index) => outcomes.exitCodeOf(sh(script, index)))).toEqual([0, 1, 0, 1]);
});

test("A script that leaves a marker ends otherwise the second time, for each index", () => {
  const outcomes = new PodOutcomes();
  const fails = sh("if [[ -r /data/foo-$I ]] then exit 0 else touch /data/foo-$I; exit 42 fi", 1);
  const sleeps = sh(
    "if [[ -r /data/foo-$I ]] then exit 0 else touch /data/foo-$I; sleep 1000 fi",
    2,
  );
  expect([outcomes.exitCodeOf(fails), outcomes.exitCodeOf(fails)]).toEqual([42, 0]);
  expect([outcomes.exitCodeOf(sleeps), outcomes.exitCodeOf(sleeps)]).toEqual([undefined, 0]);
});

test("Where the marker goes with the pod, its container restarts and ends well", () => {
  const local = sh("if [[ -r /data/foo ]] then exit 0 else touch /data/foo; exit 1 fi");
  local.spec!.volumes = [{ name: "data", emptyDir: {} }];
  expect(new PodOutcomes().exitCodeOf(local)).toBe(0);
});

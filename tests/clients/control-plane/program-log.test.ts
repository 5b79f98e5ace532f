import { expect, test } from "vitest";
import { compareErrors, errorShape, logErrors } from "./program-log.ts";

const line = (message: string, place = "controller.go:12"): string =>
  `E1116 06:44:53.419491   15675 ${place}] ${message}`;

test("the same error of another run, time, object and version has the same shape", () => {
  const one = line(
    '"Unhandled Error" err="sync \\"deployments-0/web-7677b65f49\\" failed with read version: 582 is not as new as written version: 589 for group resource replicasets.apps"',
  );
  const other = line(
    '"Unhandled Error" err="sync \\"taints-21/mover-788c4f9f8b\\" failed with read version: 1619 is not as new as written version: 1623 for group resource replicasets.apps"',
  );
  expect(errorShape(one)).toBe(errorShape(other));
  const lost = line(
    'err="pods \\"a-7677b65f49-zl5rc\\" not found" uid="b5be3ce1-8db5-4b2a-8506-cd789a559f4b"',
  );
  const lostToo = line(
    'err="pods \\"a-85677f4f57-x9x2d\\" not found" uid="99308e67-ddbc-416b-bcbf-3d0cf18fe35b"',
  );
  expect(errorShape(lost)).toBe(errorShape(lostToo));
});

test("errors of other places, words or kinds have other shapes", () => {
  const shapes = [
    line("it failed"),
    line("it failed", "controller.go:13"),
    line("it broke"),
    line('configmap "a" not found'),
    line('configmap "b" not found'),
  ].map(errorShape);
  expect(new Set(shapes).size).toBe(shapes.length);
});

test("information and warnings are no errors, a crash is one", () => {
  const log = [
    "I1116 06:44:53.419491   15675 controller.go:12] started",
    "W1116 06:44:53.419491   15675 controller.go:12] careful",
    line("it failed"),
    line("it failed"),
    "F1116 06:44:53.419491   15675 main.go:1] leaderelection lost",
    "panic: runtime error: index out of range",
  ].join("\n");
  expect(logErrors(log).map(({ shape, count }) => [shape, count])).toEqual([
    ["controller.go:12 it failed", 2],
    ["main.go:1 leaderelection lost", 1],
    ["panic: runtime error: index out of range", 1],
  ]);
});

test("what only one of two logs has is found, and told apart from clients that met", () => {
  const conflict =
    'err="Operation cannot be fulfilled on jobs.batch \\"a\\": the object has been modified; please apply your changes"';
  const ours = logErrors([line("known"), line("new"), line(conflict)].join("\n"));
  const { unknown, meetings } = compareErrors(ours, logErrors(line("known")));
  expect(unknown.map(({ shape }) => shape)).toEqual(["controller.go:12 new"]);
  expect(meetings).toHaveLength(1);
});

import { expect, test } from "vitest";
import { podSummary } from "./pod-summary.ts";

const running = { name: "c", image: "", imageID: "", restartCount: 0, ready: true };

test("sidecars count as containers, and their restarts with those of the others", () => {
  const summary = podSummary({
    spec: {
      initContainers: [{ name: "s", restartPolicy: "Always" }, { name: "i" }],
      containers: [{ name: "c" }],
    },
    status: {
      phase: "Running",
      initContainerStatuses: [
        {
          ...running,
          name: "s",
          started: true,
          restartCount: 2,
          lastState: { terminated: { exitCode: 1, finishedAt: "2020-01-01T00:00:00Z" } },
        },
        { ...running, name: "i", restartCount: 5, state: { terminated: { exitCode: 0 } } },
      ],
      containerStatuses: [{ ...running, restartCount: 1, state: { running: {} } }],
    },
  });
  expect(summary).toEqual({
    ready: 2,
    total: 2,
    status: "Running",
    restarts: 3,
    lastRestart: 1_577_836_800_000,
  });
});

test("a pod that is being deleted is Terminating unless it is over or its node is lost", () => {
  const metadata = { deletionTimestamp: "2020-01-01T00:00:00Z" };
  expect(podSummary({ metadata, status: { phase: "Running" } }).status).toBe("Terminating");
  expect(podSummary({ metadata, status: { phase: "Failed" } }).status).toBe("Failed");
  expect(podSummary({ metadata, status: { reason: "NodeLost" } }).status).toBe("Unknown");
});

test("a pod of which one container completed is judged by the others", () => {
  const done = {
    ...running,
    ready: false,
    state: { terminated: { exitCode: 0, reason: "Completed" } },
  };
  const up = { ...running, state: { running: {} } };
  const broken = {
    ...running,
    ready: false,
    state: { terminated: { exitCode: 3, reason: "Error" } },
  };
  const of = (...containerStatuses: object[]) =>
    podSummary({ status: { phase: "Running", containerStatuses: containerStatuses } }).status;
  expect(of(done)).toBe("Completed");
  expect(of(done, up)).toBe("NotReady");
  expect(of(done, broken)).toBe("Error");
  expect(
    podSummary({
      status: {
        containerStatuses: [done, up],
        conditions: [{ type: "Ready", status: "True" }],
      },
    }).status,
  ).toBe("Running");
});

test("a pod of nothing is shown as nothing", () => {
  expect(podSummary({})).toEqual({
    ready: 0,
    total: 0,
    status: "",
    restarts: 0,
    lastRestart: undefined,
  });
});

import { finishNow } from "@homeostat/cel";
import { schemaOf } from "@homeostat/object-model";
import { expect, test } from "vitest";
import {
  validateChange,
  validateChangeInSteps,
  validateNew,
  validateNewInSteps,
} from "./validate-object.ts";

const context = { operation: "create", subresource: "", now: 0 } as const;
const schema = schemaOf("core.v1.Pod");

/** Every list of containers is long, and in each some are wrong in several ways. */
function podOf(count: number): object {
  const listOf = (prefix: string): object[] =>
    Array.from({ length: count }, (_, at) => ({
      name: at % 7 === 0 ? "twice" : `${prefix}-${at}`,
      ...(at % 5 === 0 ? {} : { image: at % 3 === 0 ? " i" : "i" }),
      ports: [{ containerPort: 80, hostPort: at % 11 === 0 ? 8080 : 0, protocol: "TCP" }],
      ...(at === 1 && {
        env: Array.from({ length: count }, (_unused, number) => ({ name: number % 2 ? "A" : "" })),
      }),
      terminationMessagePolicy: "File",
      imagePullPolicy: "Always",
    }));
  return {
    metadata: { name: "p" },
    spec: {
      containers: listOf("c"),
      initContainers: listOf("i"),
      ephemeralContainers: listOf("e"),
      restartPolicy: "Wrong",
      dnsPolicy: "ClusterFirst",
    },
  };
}

test("a pod of long lists is refused in steps for the same, in the same order, as at once", () => {
  const pod = podOf(300);
  const errors = validateNew(schema, pod, context).map(String);
  expect(errors.length).toBeGreaterThan(300);
  let steps = 1;
  const walk = validateNewInSteps(schema, pod, context);
  let step = walk.next();
  for (; step.done !== true; step = walk.next()) steps++;
  expect(step.value.map(String)).toEqual(errors);
  expect(steps).toBeGreaterThan(5);
});

test("an update is checked the same way", () => {
  const change = { value: podOf(300), old: podOf(250) };
  const errors = validateChange(schema, change, context).map(String);
  expect(finishNow(validateChangeInSteps(schema, change, context)).map(String)).toEqual(errors);
  expect(errors.length).toBeGreaterThan(300);
});

test("a pod of short lists is one step, and a kind without rules has nothing wrong", () => {
  expect(validateNewInSteps(schema, podOf(3), context).next().done).toBe(true);
  expect(finishNow(validateNewInSteps(undefined, {}, context))).toEqual([]);
});

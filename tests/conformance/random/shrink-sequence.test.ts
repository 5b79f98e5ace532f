import { expect, test } from "vitest";
import { get, type Scenario } from "../scenario.ts";
import { shrinkSequence } from "./shrink-sequence.ts";

const sequence: Scenario = {
  name: "s",
  steps: Array.from({ length: 33 }, (_, i) => get("/version", { id: String(i) })),
};
const idsOf = ({ steps }: Scenario): (string | undefined)[] =>
  steps.map((step) => (step.action === "pause" ? undefined : step.id));

test("only the steps that matter are left, in their order", async () => {
  let asked = 0;
  const smallest = await shrinkSequence(sequence, async (candidate) => {
    asked++;
    return ["3", "17", "32"].every((id) => idsOf(candidate).includes(id));
  });
  expect(idsOf(smallest)).toEqual(["3", "17", "32"]);
  expect(asked).toBeLessThan(120);
});

test("what does not show again stays as it was", async () => {
  expect(await shrinkSequence(sequence, async () => false)).toEqual(sequence);
});

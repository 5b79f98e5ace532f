import { expect, test } from "vitest";
import { finishNow, inSlices, inTurns, type WorkSteps } from "./work-steps.ts";

function* counting(notes: string[], steps: number): WorkSteps<number> {
  for (let step = 1; step <= steps; step++) {
    notes.push(`step ${step}`);
    if (step < steps) yield;
  }
  return steps;
}

function breathing(notes: string[]): () => Promise<void> {
  return async () => {
    notes.push("others");
  };
}

test("steps done at once give what they come to", () => {
  const notes: string[] = [];
  expect(finishNow(counting(notes, 3))).toBe(3);
  expect(notes).toEqual(["step 1", "step 2", "step 3"]);
});

test("in slices, others have a turn between two steps", async () => {
  const notes: string[] = [];
  expect(await inSlices(counting(notes, 3), breathing(notes))).toBe(3);
  expect(notes).toEqual(["step 1", "others", "step 2", "others", "step 3"]);
});

test("what is one step is not waited for", async () => {
  const notes: string[] = [];
  expect(inTurns(counting(notes, 1), breathing(notes))).toBe(1);
  expect(notes).toEqual(["step 1"]);
  expect(await inTurns(counting(notes, 2), breathing(notes))).toBe(2);
  expect(notes).toEqual(["step 1", "step 1", "others", "step 2"]);
});

test("what a step throws is thrown", async () => {
  function* failing(): WorkSteps<void> {
    yield;
    throw new RangeError("no");
  }
  expect(() => finishNow(failing())).toThrow("no");
  await expect(inSlices(failing(), async () => undefined)).rejects.toThrow("no");
});

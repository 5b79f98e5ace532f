import { expect, test } from "vitest";
import { BodyBudget } from "./body-budget.ts";

test("bodies are taken in until the budget is used up, and again when some are done", () => {
  const budget = new BodyBudget(100);
  budget.take(60);
  budget.take(40);
  expect(() => budget.take(1)).toThrow("Too many large requests at once");
  budget.release(60);
  budget.take(1);
  expect(budget.held).toBe(41);
});

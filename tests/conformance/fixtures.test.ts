import { expect, test } from "vitest";
import { printFixture, readFixture } from "./fixtures.ts";
import { topics } from "./topics.ts";

test("a fixture is printed with one line for each step", () => {
  const steps = [
    { id: "1", answer: { status: 200 } },
    { id: "made", answer: { status: 201, body: { a: 1 } } },
  ];
  expect(printFixture(new Map([["one", steps]]))).toBe(
    '{\n  "one": [\n    {"step":"1","status":200},\n    {"step":"made","status":201,"body":{"a":1}}\n  ]\n}\n',
  );
});

test("there are at least 150 recorded scenarios", async () => {
  const fixtures = await Promise.all(topics.map(({ name }) => readFixture(name)));
  const count = fixtures.reduce((sum, fixture) => sum + fixture.size, 0);
  expect(count).toBeGreaterThanOrEqual(150);
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Answer, comparable, Replay, type Subject } from "./fixtures/replay.ts";

interface Fixture {
  readonly subject?: Subject;
  readonly answers: readonly Answer[];
}

function read(name: string): Fixture {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8")) as Fixture;
}

function answersOfOurs({ subject, answers }: Fixture): readonly Answer[] {
  const replay = new Replay(subject);
  return answers.map(({ expr }) => comparable(replay.ask(expr)));
}

test("expressions without variables have kube-apiserver's verdicts, values and costs", () => {
  const fixture = read("expressions.json");
  expect(answersOfOurs(fixture)).toEqual(fixture.answers.map(comparable));
});

test("expressions about an object have kube-apiserver's verdicts, values and costs", () => {
  const fixture = read("object-expressions.json");
  expect(answersOfOurs(fixture)).toEqual(fixture.answers.map(comparable));
});

test("texts that are no expressions are refused in kube-apiserver's words", () => {
  const fixture = read("broken-expressions.json");
  expect(answersOfOurs(fixture)).toEqual(fixture.answers.map(comparable));
});

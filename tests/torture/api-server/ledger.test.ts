import { expect, test } from "vitest";
import { Ledger } from "./ledger.ts";

function state(version: number, mark: string) {
  return { version, uid: "u", mark };
}

/** An object that was created at version 5 with mark "a". */
function withObject(): Ledger {
  const ledger = new Ledger();
  ledger.issue("x", { type: "create", mark: "a" });
  expect(ledger.answered("x", state(5, "a"))).toEqual([]);
  return ledger;
}

test("what was acknowledged and is there is fine", () => {
  expect(withObject().compare(new Map([["x", state(5, "a")]]), 9)).toEqual([]);
});

test("an acknowledged write that is gone, or older, is a violation", () => {
  expect(withObject().compare(new Map(), 9)).toMatchObject([{ kind: "acknowledged-write-lost" }]);
  const ledger = withObject();
  ledger.issue("x", { type: "update", mark: "b" });
  ledger.answered("x", state(6, "b"));
  expect(ledger.compare(new Map([["x", state(5, "a")]]), 9)).toMatchObject([
    { kind: "acknowledged-write-lost" },
  ]);
});

test("a write without an answer may have happened or not, and nothing else", () => {
  const unanswered = (): Ledger => {
    const ledger = withObject();
    ledger.issue("x", { type: "update", mark: "b" });
    return ledger;
  };
  expect(unanswered().compare(new Map([["x", state(5, "a")]]), 9)).toEqual([]);
  const happened = unanswered();
  expect(happened.compare(new Map([["x", state(7, "b")]]), 9)).toEqual([]);
  expect(happened.historyOf("x").at(-1)).toEqual({ type: "MODIFIED", mark: "b", version: 7 });
  expect(unanswered().compare(new Map([["x", state(7, "c")]]), 9)).toHaveLength(1);
  expect(unanswered().compare(new Map(), 9)).toHaveLength(1);
});

test("a deletion without an answer is settled by absence", () => {
  const ledger = withObject();
  ledger.issue("x", { type: "delete" });
  expect(ledger.compare(new Map(), 9)).toEqual([]);
  expect(ledger.historyOf("x").map(({ type }) => type)).toEqual(["ADDED", "DELETED"]);
});

test("a refused write must not be there", () => {
  const ledger = withObject();
  ledger.issue("x", { type: "update", mark: "b" });
  ledger.refused("x");
  expect(ledger.compare(new Map([["x", state(6, "b")]]), 9)).toHaveLength(1);
});

test("a list older than an answer, and an object that nobody created, are violations", () => {
  const found = new Map([["x", state(5, "a")]]);
  expect(withObject().compare(found, 4)).toMatchObject([{ kind: "revision-went-back" }]);
  expect(withObject().compare(found.set("y", state(6, "z")), 9)).toMatchObject([
    { kind: "write-never-issued" },
  ]);
});

test("an answer with a version that is not newer, or with another's content, is a violation", () => {
  const ledger = withObject();
  ledger.issue("x", { type: "update", mark: "b" });
  expect(ledger.answered("x", state(5, "b"))).toMatchObject([{ kind: "revision-went-back" }]);
  ledger.issue("x", { type: "update", mark: "c" });
  expect(ledger.answered("x", state(8, "d"))).toMatchObject([{ kind: "wrong-answer" }]);
});

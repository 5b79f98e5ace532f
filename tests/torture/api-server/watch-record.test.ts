import { expect, test } from "vitest";
import { Ledger } from "./ledger.ts";
import { type HeardEvent, WatchRecord } from "./watch-record.ts";

/** x was created at 5, updated at 6, deleted (at 7) and created at 8. */
function happened(): Ledger {
  const ledger = new Ledger();
  const write = (type: "create" | "update", mark: string, version: number): void => {
    ledger.issue("x", { type, mark });
    ledger.answered("x", { version, uid: "u", mark });
  };
  write("create", "a", 5);
  write("update", "b", 6);
  ledger.issue("x", { type: "delete" });
  ledger.answered("x", undefined);
  write("create", "c", 8);
  return ledger;
}

const events: readonly HeardEvent[] = [
  { type: "ADDED", name: "x", mark: "a", version: 5 },
  { type: "MODIFIED", name: "x", mark: "b", version: 6 },
  { type: "DELETED", name: "x", mark: "b", version: 7 },
  { type: "ADDED", name: "x", mark: "c", version: 8 },
];

function heard(list: readonly HeardEvent[], concerns?: (name: string) => boolean): WatchRecord {
  const record = new WatchRecord({ name: "w", from: 4, ...(concerns && { concerns }) });
  for (const event of list) expect(record.hear(event)).toEqual([]);
  return record;
}

test("every change once and in order is fine", () => {
  expect(heard(events).compare(happened())).toEqual([]);
});

test.each([0, 1, 2, 3])("missing change %i is found", (missing) => {
  const record = heard(events.filter((_, index) => index !== missing));
  expect(record.compare(happened())).toMatchObject([{ kind: "watch-gap" }]);
});

test("an event with another's content, or of an object not asked for, is found", () => {
  const changed = events.map((event) => (event.version === 6 ? { ...event, mark: "z" } : event));
  expect(heard(changed).compare(happened())).toHaveLength(1);
  expect(heard(events, () => false).compare(happened())).toHaveLength(1);
  expect(heard([], () => false).compare(happened())).toEqual([]);
});

test("an event that was heard before, or is older, is found at once", () => {
  const record = heard(events);
  expect(record.hear(events[3]!)).toMatchObject([{ kind: "watch-gap" }]);
  expect(record.hear(events[0]!)).toMatchObject([{ kind: "watch-gap" }]);
});

test("a bookmark moves the place to resume from, and never back", () => {
  const record = heard(events);
  expect(record.advance(8)).toEqual([]);
  expect(record.advance(20)).toEqual([]);
  expect(record.reached).toBe(20);
  expect(record.advance(19)).toMatchObject([{ kind: "watch-gap" }]);
});

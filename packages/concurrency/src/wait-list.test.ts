import * as fc from "fast-check";
import { expect, test } from "vitest";
import { WaitList } from "./wait-list.ts";

test("the longest waiting is served first, and who gives up leaves from any place", async () => {
  const moves = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant("wait" as const) },
      { weight: 1, arbitrary: fc.constant("shift" as const) },
      { weight: 2, arbitrary: fc.nat(20) },
    ),
    { maxLength: 60, size: "max" },
  );
  await fc.assert(
    fc.asyncProperty(moves, async (plan) => {
      const list = new WaitList<number, string>();
      const outcomes: Promise<string>[] = [];
      const expected: string[] = [];
      const served: (readonly [got: number | undefined, longest: number | undefined])[] = [];
      let waiting: { readonly name: number; readonly controller: AbortController }[] = [];
      for (const move of plan) {
        if (move === "wait") {
          const name = outcomes.length;
          const controller = new AbortController();
          const outcome = list.wait(name, controller.signal);
          outcomes.push(outcome.catch((reason: unknown) => `refused ${String(reason)}`));
          expected.push("still waiting");
          waiting.push({ name, controller });
        } else if (move === "shift") {
          const first = list.shift();
          served.push([first?.brought, waiting[0]?.name]);
          first?.give("served");
          if (first !== undefined) expected[first.brought] = "served";
          waiting = waiting.slice(1);
        } else {
          const leaving = waiting[move % (waiting.length + 1)];
          leaving?.controller.abort("bored");
          if (leaving !== undefined) expected[leaving.name] = "refused bored";
          waiting = waiting.filter((other) => other !== leaving);
        }
      }
      for (let last = list.shift(); last; last = list.shift()) last.give("still waiting");
      expect(served.filter(([got, longest]) => got !== longest)).toEqual([]);
      expect(await Promise.all(outcomes)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

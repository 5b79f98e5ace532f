import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dealHand } from "./shuffle-sharding.ts";

test("a hand has different queues that exist, and is always the same", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.integer({ min: 1, max: 512 }),
      fc.integer({ min: 1, max: 8 }),
      (flow, queues, handSize) => {
        const hand = dealHand(flow, { queues, handSize });
        expect(hand.length).toBe(Math.min(queues, handSize));
        expect(new Set(hand).size).toBe(hand.length);
        for (const queue of hand) expect(queue >= 0 && queue < queues).toBe(true);
        expect(dealHand(flow, { queues, handSize })).toEqual(hand);
      },
    ),
  );
});

test("of a thousand flows none has the whole hand of another", () => {
  const deck = { queues: 128, handSize: 6 };
  const own = new Set(dealHand("global-default\0eve", deck));
  for (let at = 0; at < 1000; at++) {
    const other = dealHand(`global-default\0user-${at}`, deck);
    expect(other.some((queue) => !own.has(queue))).toBe(true);
  }
});

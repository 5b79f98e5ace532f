import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Broadcaster, SubscriberOverflowError, type Subscription } from "./broadcaster.ts";
import { ManualClock } from "./manual-clock.ts";

function takeAll<T>(subscription: Subscription<T>): T[] {
  const taken: T[] = [];
  for (let next = subscription.tryReceive(); next; next = subscription.tryReceive()) {
    taken.push(next.value);
  }
  return taken;
}

async function receiveAll<T>(subscription: AsyncIterable<T>): Promise<T[]> {
  const received: T[] = [];
  for await (const item of subscription) received.push(item);
  return received;
}

test("every subscriber gets everything since it subscribed, in order", async () => {
  const broadcaster = new Broadcaster<number>();
  const early = broadcaster.subscribe();
  broadcaster.publish(1);
  broadcaster.publish(2);
  const late = broadcaster.subscribe();
  broadcaster.publish(3);
  expect([early.size, late.size, broadcaster.subscribers]).toEqual([3, 1, 2]);
  broadcaster.close();
  expect(await receiveAll(early)).toEqual([1, 2, 3]);
  expect(await receiveAll(late)).toEqual([3]);
});

test("a waiting subscriber is handed the item", async () => {
  const broadcaster = new Broadcaster<string>();
  const subscription = broadcaster.subscribe();
  const waiting = subscription.receive();
  broadcaster.publish("now");
  expect(await waiting).toEqual({ done: false, value: "now" });
});

test("a slow subscriber is cut after what it has, told what it missed, and slows nobody", async () => {
  const broadcaster = new Broadcaster<number>({ capacity: 100 });
  const slow = broadcaster.subscribe({ capacity: 3 });
  const steady = broadcaster.subscribe();
  for (let item = 1; item <= 10; item++) broadcaster.publish(item);
  expect(broadcaster.subscribers).toBe(1);
  expect(takeAll(slow)).toEqual([1, 2, 3]);
  broadcaster.publish(11);
  const cut = await slow.receive().catch((error: unknown) => error);
  expect(cut).toBeInstanceOf(SubscriberOverflowError);
  expect(cut).toMatchObject({ code: "SUBSCRIBER_OVERFLOW", missed: 8, last: 3 });
  expect((cut as Error).message).toBe(
    "expected the subscriber to keep at most 3 items waiting, got more: cut off, 8 missed",
  );
  broadcaster.publish(12);
  await expect(slow.receive()).rejects.toBe(cut);
  expect(takeAll(steady)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
});

test("a subscriber sees no gap: what it got and what it missed is all there was", async () => {
  const moves = fc.array(fc.constantFrom("publish", "publish", "take"), { maxLength: 100 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 8 }), moves, async (capacity, plan) => {
      const broadcaster = new Broadcaster<number>({ capacity });
      const subscription = broadcaster.subscribe();
      const got: number[] = [];
      let published = 0;
      for (const move of plan) {
        if (move === "publish") {
          broadcaster.publish(published++);
        } else {
          const next = subscription.tryReceive();
          if (next !== undefined) got.push(next.value);
        }
        expect(subscription.size).toBeLessThanOrEqual(capacity);
      }
      got.push(...takeAll(subscription));
      expect(got).toEqual(Array.from({ length: got.length }, (_, index) => index));
      broadcaster.close();
      const end: unknown = await subscription.receive().catch((error: unknown) => error);
      expect(end).toMatchObject(
        got.length === published
          ? { done: true }
          : { missed: published - got.length, last: got.at(-1) },
      );
    }),
  );
});

test("a failure reaches every subscriber after its items, later ones at once", async () => {
  const broadcaster = new Broadcaster<number>();
  const subscription = broadcaster.subscribe();
  broadcaster.publish(1);
  const error = new Error("source broke");
  broadcaster.fail(error);
  broadcaster.close();
  expect(broadcaster.subscribers).toBe(0);
  expect(await subscription.receive()).toEqual({ done: false, value: 1 });
  await expect(subscription.receive()).rejects.toBe(error);
  await expect(broadcaster.subscribe().receive()).rejects.toBe(error);
  expect(() => broadcaster.publish(2)).toThrow(expect.objectContaining({ code: "CHANNEL_CLOSED" }));
});

test("subscribing after the close ends at once", async () => {
  const broadcaster = new Broadcaster<number>();
  broadcaster[Symbol.dispose]();
  expect(await broadcaster.subscribe().receive()).toEqual({ done: true, value: undefined });
  expect(broadcaster.subscribers).toBe(0);
});

test("leaving the loop or the scope ends the subscription and forgets its items", async () => {
  const broadcaster = new Broadcaster<number>();
  const looped = broadcaster.subscribe();
  broadcaster.publish(1);
  broadcaster.publish(2);
  for await (const item of looped) {
    expect(item).toBe(1);
    break;
  }
  expect([broadcaster.subscribers, looped.size]).toEqual([0, 0]);
  {
    using scoped = broadcaster.subscribe();
    broadcaster.publish(3);
    expect([broadcaster.subscribers, scoped.size]).toEqual([1, 1]);
  }
  expect(broadcaster.subscribers).toBe(0);
  expect(await looped.receive()).toEqual({ done: true, value: undefined });
});

test("a loop that is aborted ends the subscription too", async () => {
  const broadcaster = new Broadcaster<number>();
  const controller = new AbortController();
  const looping = receiveAll(broadcaster.subscribe().values({ signal: controller.signal }));
  expect(broadcaster.subscribers).toBe(1);
  controller.abort(new Error("stop"));
  await expect(looping).rejects.toThrow("stop");
  expect(broadcaster.subscribers).toBe(0);
});

test("a loop ends with the overflow error", async () => {
  const clock = new ManualClock();
  const broadcaster = new Broadcaster<number>({ capacity: 2 });
  const got: number[] = [];
  const looping = (async () => {
    for await (const item of broadcaster.subscribe()) got.push(item);
  })();
  await clock.settle();
  for (let item = 0; item < 5; item++) broadcaster.publish(item);
  await expect(looping).rejects.toMatchObject({ code: "SUBSCRIBER_OVERFLOW", last: 2 });
  expect(got).toEqual([0, 1, 2]);
});

test("a capacity that makes no sense is refused", () => {
  expect(() => new Broadcaster({ capacity: 0 })).toThrow("capacity: expected a whole number");
  expect(() => new Broadcaster().subscribe({ capacity: 0.5 })).toThrow("capacity: expected");
});

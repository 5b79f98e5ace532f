import { getEventListeners } from "node:events";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { AsyncChannel, ChannelClosedError } from "./async-channel.ts";
import { ManualClock } from "./manual-clock.ts";

async function receiveAll<T>(channel: AsyncIterable<T>): Promise<T[]> {
  const received: T[] = [];
  for await (const item of channel) received.push(item);
  return received;
}

test("items come out once and in the order they went in", async () => {
  const channel = new AsyncChannel<number>({ capacity: 2 });
  const sending = (async () => {
    for (let item = 0; item < 100; item++) await channel.send(item);
    channel.close();
  })();
  expect(await receiveAll(channel)).toEqual(Array.from({ length: 100 }, (_, item) => item));
  await sending;
});

test("a sender waits while the channel is full", async () => {
  const clock = new ManualClock();
  const channel = new AsyncChannel<string>({ capacity: 1 });
  const log: string[] = [];
  void channel.send("a").then(() => log.push("a taken"));
  void channel.send("b").then(() => log.push("b taken"));
  await clock.settle();
  expect([log, channel.size, channel.trySend("c")]).toEqual([["a taken"], 1, false]);
  expect(channel.tryReceive()).toEqual({ value: "a" });
  await clock.settle();
  expect([log, channel.size]).toEqual([["a taken", "b taken"], 1]);
  expect(await channel.receive()).toEqual({ done: false, value: "b" });
  expect(channel.tryReceive()).toBeUndefined();
});

test("undefined is an item like any other", async () => {
  const channel = new AsyncChannel<undefined>({ capacity: 1 });
  expect(channel.trySend(undefined)).toBe(true);
  expect(channel.tryReceive()).toEqual({ value: undefined });
  const waiting = channel.receive();
  channel.trySend(undefined);
  expect(await waiting).toEqual({ done: false, value: undefined });
});

test("closing lets out what is inside, refuses waiting and later senders, ends receivers", async () => {
  const channel = new AsyncChannel<string>({ capacity: 1 });
  await channel.send("inside");
  const waiting = channel.send("waiting");
  channel.close();
  channel.fail(new Error("too late to fail"));
  await expect(waiting).rejects.toBeInstanceOf(ChannelClosedError);
  await expect(channel.send("later")).rejects.toMatchObject({ code: "CHANNEL_CLOSED" });
  expect(() => channel.trySend("later")).toThrow(ChannelClosedError);
  expect([channel.isClosed, channel.size]).toEqual([true, 1]);
  expect(await receiveAll(channel)).toEqual(["inside"]);
  expect(await channel.receive()).toEqual({ done: true, value: undefined });
});

test("closing ends every receiver that waits", async () => {
  const channel = new AsyncChannel<string>({ capacity: 1 });
  const waiting = [channel.receive(), channel.receive()];
  channel[Symbol.dispose]();
  expect(await Promise.all(waiting)).toEqual([
    { done: true, value: undefined },
    { done: true, value: undefined },
  ]);
});

test("a failure comes after what is inside, to every receiver, and is the sender's cause", async () => {
  const error = new Error("source broke");
  const channel = new AsyncChannel<string>({ capacity: 1 });
  await channel.send("inside");
  const waiting = channel.send("waiting");
  channel.fail(error);
  await expect(waiting).rejects.toMatchObject({ code: "CHANNEL_CLOSED", cause: error });
  expect(await channel.receive()).toEqual({ done: false, value: "inside" });
  await expect(channel.receive()).rejects.toBe(error);
  await expect(receiveAll(channel)).rejects.toBe(error);
});

test("a failure reaches receivers that wait", async () => {
  const channel = new AsyncChannel<string>({ capacity: 1 });
  const waiting = channel.receive();
  channel.fail(new Error("source broke"));
  await expect(waiting).rejects.toThrow("source broke");
});

test("an error made on demand is made once, at first need", async () => {
  const channel = new AsyncChannel<string>({ capacity: 1 });
  await channel.send("inside");
  let made = 0;
  channel.failWith(() => new Error(`made ${++made}`));
  await channel.receive();
  expect(made).toBe(0);
  await expect(channel.receive()).rejects.toThrow("made 1");
  await expect(channel.receive()).rejects.toThrow("made 1");
});

test("an aborted send or receive moves nothing and leaves no listener", async () => {
  const channel = new AsyncChannel<string>({ capacity: 1 });
  const controller = new AbortController();
  const { signal } = controller;
  const receiving = channel.receive({ signal });
  controller.abort(new Error("stop"));
  await expect(receiving).rejects.toThrow("stop");
  await expect(channel.receive({ signal })).rejects.toThrow("stop");
  await expect(channel.send("never", { signal })).rejects.toThrow("stop");
  await channel.send("first");
  expect(channel.size).toBe(1);

  const second = new AbortController();
  const sending = channel.send("aborted", { signal: second.signal });
  const behind = channel.send("behind", { signal: second.signal });
  const last = channel.send("last");
  second.abort(new Error("stop"));
  await expect(sending).rejects.toThrow("stop");
  await expect(behind).rejects.toThrow("stop");
  expect(await channel.receive()).toEqual({ done: false, value: "first" });
  expect(await channel.receive()).toEqual({ done: false, value: "last" });
  await last;

  const long = new AbortController();
  for (let round = 0; round < 20; round++) {
    const next = channel.receive({ signal: long.signal });
    await channel.send("item", { signal: long.signal });
    await next;
  }
  expect(getEventListeners(long.signal, "abort")).toEqual([]);
});

test("leaving a loop leaves the channel open", async () => {
  const channel = new AsyncChannel<number>({ capacity: 3 });
  for (const item of [1, 2, 3]) channel.trySend(item);
  for await (const item of channel) {
    expect(item).toBe(1);
    break;
  }
  expect(channel.trySend(4)).toBe(true);
  channel.close();
  expect(await receiveAll(channel)).toEqual([2, 3, 4]);
});

test("a loop with a signal ends with its reason", async () => {
  const channel = new AsyncChannel<number>({ capacity: 1 });
  const controller = new AbortController();
  const looping = receiveAll(channel.values({ signal: controller.signal }));
  controller.abort(new Error("stop"));
  await expect(looping).rejects.toThrow("stop");
});

test.each([0, -1, 1.5, Number.POSITIVE_INFINITY])("a capacity of %d is refused", (capacity) => {
  expect(() => new AsyncChannel({ capacity })).toThrow(
    `capacity: expected a whole number of at least 1, got ${capacity}`,
  );
});

type Move = "send" | "trySend" | "receive" | "tryReceive" | "abortSend" | "abortReceive" | "settle";

const moves = fc.array(
  fc.constantFrom<Move>(
    "send",
    "send",
    "trySend",
    "receive",
    "receive",
    "tryReceive",
    "abortSend",
    "abortReceive",
    "settle",
  ),
  { maxLength: 120 },
);

interface Wait {
  readonly controller: AbortController;
  readonly outcome: Promise<number | "aborted" | "ended">;
}

function watch(wait: (signal: AbortSignal) => Promise<number | "ended">): Wait {
  const controller = new AbortController();
  const outcome = wait(controller.signal).catch((error: unknown) => {
    if (error !== controller.signal.reason) throw error;
    return "aborted" as const;
  });
  return { controller, outcome };
}

test("nothing is lost, doubled, reordered or beyond the bound, whoever waits and gives up", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      moves,
      fc.nat(),
      async (capacity, plan, pick) => {
        const clock = new ManualClock();
        const channel = new AsyncChannel<number>({ capacity });
        const sends: Wait[] = [];
        const receives: Wait[] = [];
        let item = 0;
        const perform = async (move: Move): Promise<void> => {
          const sent = item++;
          switch (move) {
            case "send":
              sends.push(watch((signal) => channel.send(sent, { signal }).then(() => sent)));
              break;
            case "trySend":
              if (channel.trySend(sent)) sends.push(watch(async () => sent));
              break;
            case "receive":
              receives.push(
                watch(async (signal) => {
                  const next = await channel.receive({ signal });
                  return next.done === true ? "ended" : next.value;
                }),
              );
              break;
            case "tryReceive": {
              const next = channel.tryReceive();
              if (next !== undefined) receives.push(watch(async () => next.value));
              break;
            }
            case "abortSend":
              sends[(pick + sent) % (sends.length + 1)]?.controller.abort();
              break;
            case "abortReceive":
              receives[(pick + sent) % (receives.length + 1)]?.controller.abort();
              break;
            case "settle":
              await clock.settle();
              break;
          }
        };
        for (const move of plan) {
          await perform(move);
          expect(channel.size).toBeLessThanOrEqual(capacity);
        }
        while (sends.length > 0 && channel.size > 0) await perform("receive");
        channel.close();
        const accepted = await Promise.all(sends.map(({ outcome }) => outcome));
        const received = await Promise.all(receives.map(({ outcome }) => outcome));
        // Both sides are served in the order they asked, so the two sequences agree call by call.
        expect(received.filter((outcome) => typeof outcome === "number")).toEqual(
          accepted.filter((outcome) => typeof outcome === "number"),
        );
      },
    ),
    { numRuns: 500 },
  );
});

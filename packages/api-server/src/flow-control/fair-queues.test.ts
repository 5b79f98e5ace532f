import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FairQueues, Occupant } from "./fair-queues.ts";

const QUEUING = { queues: 8, handSize: 2, queueLengthLimit: 50 };

function queuesOf(limit: number, queuing = QUEUING): FairQueues {
  const queues = new FairQueues(0);
  queues.configure(queuing);
  queues.setLimit(limit, 0);
  return queues;
}

test("there is a seat for whoever comes while any is free, and then a place in the queue", () => {
  const queues = queuesOf(2);
  const [a, b, c] = [new Occupant(1), new Occupant(1), new Occupant(1)];
  for (const each of [a, b, c]) expect(queues.enter(each, [0, 1], 0)).toBe(each);
  expect([a.state, b.state, c.state]).toEqual(["seated", "seated", "waiting"]);
  let seated = 0;
  c.onSeated = () => seated++;
  queues.leave(a, 5);
  queues.leave(a, 6);
  expect([c.state, seated, queues.seatsInUse, queues.requestsWaiting]).toEqual(["seated", 1, 2, 0]);
});

test("a queue that is full takes nobody, and others are as free as before", () => {
  const queues = queuesOf(1, { ...QUEUING, queueLengthLimit: 3 });
  const taken = Array.from({ length: 20 }, () => queues.enter(new Occupant(1), [0, 1], 0));
  // One sits, and three wait in each of the two queues.
  expect(taken.filter((each) => each !== undefined)).toHaveLength(7);
  expect(queues.enter(new Occupant(1), [2, 3], 0)).toBeDefined();
});

test("without queues whoever finds no seat is refused", () => {
  const queues = new FairQueues(0);
  queues.setLimit(2, 0);
  const enter = (seats: number): boolean => queues.enter(new Occupant(seats), [], 0) !== undefined;
  expect([enter(1), enter(2), enter(1), enter(1)]).toEqual([true, false, true, false]);
});

test("who waits little does not wait behind who waits much", () => {
  const queues = queuesOf(1);
  const order: string[] = [];
  const enter = (who: string, hand: readonly number[]): Occupant => {
    const occupant = new Occupant(1);
    occupant.onSeated = () => order.push(who);
    return queues.enter(occupant, hand, 0)!;
  };
  const waiting = [enter("greedy", [0, 1])];
  for (let at = 0; at < 40; at++) waiting.push(enter("greedy", [0, 1]));
  for (let at = 0; at < 4; at++) waiting.push(enter("modest", [2, 3]));
  for (let now = 10; now <= 100; now += 10) {
    queues.leave(waiting.find(({ state }) => state === "seated")!, now);
  }
  // Two queues each: turn by turn.
  expect(order.slice(0, 8).filter((who) => who === "modest")).toHaveLength(4);
});

test("a request wider than the level runs alone", () => {
  const queues = queuesOf(2);
  const [small, wide] = [new Occupant(1), new Occupant(5)];
  queues.enter(small, [0], 0);
  queues.enter(wide, [1], 0);
  expect(wide.state).toBe("waiting");
  queues.leave(small, 1);
  expect([wide.state, queues.seatsInUse]).toEqual(["seated", 5]);
});

test("whatever comes and goes, seats are never over the limit and everybody is served in the end", () => {
  const step = fc.record({
    flow: fc.nat(3),
    seats: fc.integer({ min: 1, max: 3 }),
    leaves: fc.boolean(),
    after: fc.nat(20),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queues = queuesOf(4);
      const all: Occupant[] = [];
      let now = 0;
      const leave = (): void => {
        const seated = all.find(({ state }) => state === "seated");
        if (seated !== undefined) queues.leave(seated, now);
      };
      for (const { flow, seats, leaves, after } of steps) {
        now += after;
        if (leaves) leave();
        const occupant = queues.enter(new Occupant(seats), [flow * 2, flow * 2 + 1], now);
        if (occupant !== undefined) all.push(occupant);
        expect(queues.seatsInUse).toBeLessThanOrEqual(4);
      }
      for (let left = all.length; left > 0; left--) {
        now += 1;
        leave();
      }
      expect(all.every(({ state }) => state === "gone")).toBe(true);
      expect([queues.seatsInUse, queues.seatsWaiting, queues.requestsWaiting]).toEqual([0, 0, 0]);
    }),
  );
});

import { expect, test } from "vitest";
import { alternate } from "./alternate.ts";

test("the sides take turns and each keeps its results in order", async () => {
  const order: string[] = [];
  const results = await alternate(
    { ours: (round) => round * 10, peer: async (round) => `round ${round}` },
    { rounds: 3, onRound: (side, round) => order.push(`${side}${round}`) },
  );
  expect(order).toEqual(["ours0", "peer0", "ours1", "peer1", "ours2", "peer2"]);
  expect(results).toEqual({ ours: [0, 10, 20], peer: ["round 0", "round 1", "round 2"] });
});

test("rounds that warm up are run and do not count", async () => {
  const order: string[] = [];
  const results = await alternate(
    { ours: (round) => round, peer: (round) => -round },
    { rounds: 2, warmUpRounds: 1, onRound: (side, round) => order.push(`${side}${round}`) },
  );
  expect(order).toEqual(["ours0", "peer0", "ours1", "peer1", "ours2", "peer2"]);
  expect(results).toEqual({ ours: [1, 2], peer: [-1, -2] });
});

test("no round begins once the signal is aborted", async () => {
  const stopping = new AbortController();
  const ran: number[] = [];
  const results = alternate(
    {
      ours: (round) => {
        ran.push(round);
        stopping.abort();
      },
    },
    { rounds: 3, signal: stopping.signal },
  );
  await expect(results).rejects.toThrow(/abort/i);
  expect(ran).toEqual([0]);
});

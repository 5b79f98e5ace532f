import { expect, test } from "vitest";
import { LargeBodies } from "./large-bodies.ts";

const never = new AbortController().signal;

test("only what is above the threshold is large", () => {
  const bodies = new LargeBodies(2);
  expect([1, 2, 3].map((length) => bodies.isLarge(new Uint8Array(length)))).toEqual([
    false,
    false,
    true,
  ]);
});

test("bodies get their turns one at a time and in the order they came", async () => {
  const bodies = new LargeBodies();
  const told: string[] = [];
  const work = async (name: string): Promise<void> => {
    await using _turn = await bodies.enter(never);
    told.push(`${name} begins`);
    await Promise.resolve();
    told.push(`${name} ends`);
  };
  await Promise.all([work("a"), work("b"), work("c")]);
  expect(told).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("whoever left before its turn does not hold up those behind it", async () => {
  const bodies = new LargeBodies();
  const controller = new AbortController();
  const first = await bodies.enter(never);
  const left = bodies.enter(controller.signal);
  const behind = bodies.enter(never);
  controller.abort(new Error("gone"));
  await first[Symbol.asyncDispose]();
  await expect(left).rejects.toThrow("gone");
  await (await behind)[Symbol.asyncDispose]();
});

test("work that fails ends its turn", async () => {
  const bodies = new LargeBodies();
  const failing = async (): Promise<void> => {
    await using _turn = await bodies.enter(never);
    throw new Error("no");
  };
  await expect(failing()).rejects.toThrow("no");
  await using _turn = await bodies.enter(never);
});

import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { AbortError } from "./abort.ts";
import { Deferred } from "./deferred.ts";
import { ManualClock } from "./manual-clock.ts";
import { sleep } from "./sleep.ts";
import { TaskGroup } from "./task-group.ts";

test("join waits for all tasks, those they spawn included", async () => {
  const clock = new ManualClock();
  const ended: string[] = [];
  const group = new TaskGroup();
  const first = group.spawn(async (signal) => {
    await sleep(clock, 5, { signal });
    group.spawn(async () => {
      await sleep(clock, 10, { signal });
      ended.push("grandchild");
    });
    ended.push("child");
    return 42;
  });
  expect(group.size).toBe(1);
  await clock.runUntil(group.join());
  expect(ended).toEqual(["child", "grandchild"]);
  expect([await first.result, group.size, clock.monotonic()]).toEqual([42, 0, 15]);
});

test("the first failure aborts the others, and join throws it when all have ended", async () => {
  const clock = new ManualClock();
  const group = new TaskGroup();
  const log: string[] = [];
  const stopped = group.spawn(async (signal) => {
    try {
      await sleep(clock, "1h", { signal });
    } finally {
      await sleep(clock, 3);
      log.push(`cleaned up at ${clock.monotonic()}`);
    }
  });
  group.spawn(async () => {
    await sleep(clock, 7);
    throw new Error("first");
  });
  group.spawn(async () => {
    await sleep(clock, 8);
    throw new Error("second");
  });
  await expect(clock.runUntil(group.join())).rejects.toThrow("first");
  expect(log).toEqual(["cleaned up at 10"]);
  await expect(stopped.result).rejects.toMatchObject({
    name: "AbortError",
    cause: new Error("first"),
  });
  await expect(group.join()).rejects.toThrow("first");
});

test("a task that throws before its first await fails like any other", async () => {
  const group = new TaskGroup();
  const { result } = group.spawn(() => {
    throw new Error("at once");
  });
  await expect(group.join()).rejects.toThrow("at once");
  await expect(result).rejects.toThrow("at once");
});

test("leaving the scope stops and waits for what still runs", async () => {
  const clock = new ManualClock();
  const log: string[] = [];
  const scope = async (): Promise<void> => {
    await using group = new TaskGroup();
    group.spawn(async (signal) => {
      try {
        await sleep(clock, "1h", { signal });
      } catch {
        await sleep(clock, 2);
        log.push("stopped");
      }
    });
    log.push("leaving");
  };
  await clock.runUntil(scope());
  expect(log).toEqual(["leaving", "stopped"]);
  expect([clock.monotonic(), clock.pending]).toEqual([2, 0]);
});

test("an error nobody joined for is thrown by leaving the scope, and only then", async () => {
  const unseen = async (): Promise<void> => {
    await using group = new TaskGroup();
    group.spawn(async () => {
      throw new Error("nobody looked");
    });
    await new ManualClock().settle();
  };
  await expect(unseen()).rejects.toThrow("nobody looked");

  const seen = async (): Promise<string> => {
    await using group = new TaskGroup();
    group.spawn(async () => {
      throw new Error("joined");
    });
    await group.join().catch(() => {});
    return "left without an error";
  };
  expect(await seen()).toBe("left without an error");
});

test("an error of the scope itself is not hidden by the tasks it stops", async () => {
  const clock = new ManualClock();
  const scope = async (): Promise<void> => {
    await using group = new TaskGroup();
    group.spawn((signal) => sleep(clock, "1h", { signal }));
    throw new RangeError("scope");
  };
  await expect(scope()).rejects.toThrow(new RangeError("scope"));
  expect(clock.pending).toBe(0);
});

test("the parent's abort reaches the tasks, and join throws its reason", async () => {
  const clock = new ManualClock();
  const parent = new AbortController();
  const group = new TaskGroup({ signal: parent.signal });
  group.spawn((signal) => sleep(clock, "1h", { signal }));
  const joined = group.join();
  const reason = new Error("shutdown");
  parent.abort(reason);
  await expect(joined).rejects.toBe(reason);
  expect(clock.pending).toBe(0);
});

test("tasks that end well in spite of the parent's abort make a good join", async () => {
  const parent = new AbortController();
  const group = new TaskGroup({ signal: parent.signal });
  const stop = new Deferred();
  group.spawn(async (signal) => {
    signal.addEventListener("abort", () => stop.resolve());
    await stop.promise;
  });
  parent.abort();
  await group.join();
  expect(group.size).toBe(0);
});

test("the owner's own abort makes a good join, but an error on the way out counts", async () => {
  const clock = new ManualClock();
  const group = new TaskGroup();
  group.spawn((signal) => sleep(clock, "1h", { signal }));
  group.abort();
  expect(group.signal.reason).toBeInstanceOf(AbortError);
  await group.join();

  const broken = new TaskGroup();
  broken.spawn(async (signal) => {
    await sleep(clock, "1h", { signal }).catch(() => {
      throw new Error("clean-up failed");
    });
  });
  broken.abort();
  await expect(broken.join()).rejects.toThrow("clean-up failed");
});

test("join can be given up without stopping the tasks", async () => {
  const clock = new ManualClock();
  const group = new TaskGroup();
  const { result } = group.spawn(() => sleep(clock, 5).then(() => "finished"));
  const controller = new AbortController();
  const joined = group.join({ signal: controller.signal });
  controller.abort(new Error("impatient"));
  await expect(joined).rejects.toThrow("impatient");
  expect(group.signal.aborted).toBe(false);
  expect(await clock.runUntil(result)).toBe("finished");
  await group.join();
});

test("a group that is aborted or closed starts nothing", async () => {
  const aborted = new TaskGroup();
  aborted.abort("over");
  let starts = 0;
  let thrown: unknown;
  try {
    aborted.spawn(() => ++starts);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBe("over");

  const closed = new TaskGroup();
  await closed.join();
  expect(() => closed.spawn(() => ++starts)).toThrow(
    expect.objectContaining({ code: "TASK_GROUP_CLOSED" }),
  );
  expect(starts).toBe(0);
});

test("groups leave no listener on their parent", async () => {
  const parent = new AbortController();
  for (let run = 0; run < 20; run++) {
    await using group = new TaskGroup({ signal: parent.signal });
    group.spawn(() => run);
    if (run % 2 === 0) await group.join();
  }
  expect(getEventListeners(parent.signal, "abort")).toEqual([]);
});

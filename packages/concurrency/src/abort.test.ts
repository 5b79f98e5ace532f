import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import {
  AbortError,
  abortable,
  anySignal,
  isAbortError,
  LinkedAbortController,
  onAbort,
  throwIfAborted,
} from "./abort.ts";
import { Deferred } from "./deferred.ts";

function listeners(...signals: AbortSignal[]): number[] {
  return signals.map((signal) => getEventListeners(signal, "abort").length);
}

test("abort errors are known by their name, the platform's too", () => {
  const controller = new AbortController();
  controller.abort();
  expect(isAbortError(new AbortError())).toBe(true);
  expect(isAbortError(controller.signal.reason)).toBe(true);
  expect(isAbortError(new Error("abort"))).toBe(false);
  expect(isAbortError(undefined)).toBe(false);
  expect(new AbortError()).toMatchObject({ code: "ABORT_ERR", name: "AbortError" });
});

test("throwIfAborted throws the reason as it is", () => {
  const controller = new AbortController();
  throwIfAborted(undefined);
  throwIfAborted(controller.signal);
  const reason = { why: "shutdown" };
  controller.abort(reason);
  let thrown: unknown;
  try {
    throwIfAborted(controller.signal);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBe(reason);
});

test("onAbort calls once: on abort, or at once when that has been", () => {
  const reasons: unknown[] = [];
  const controller = new AbortController();
  onAbort(controller.signal, (reason) => reasons.push(reason));
  onAbort(controller.signal, () => reasons.push("not listening any more"))[Symbol.dispose]();
  onAbort(undefined, () => reasons.push("no signal"))[Symbol.dispose]();
  expect(reasons).toEqual([]);
  controller.abort("stop");
  onAbort(controller.signal, (reason) => reasons.push(`late ${String(reason)}`));
  expect(reasons).toEqual(["stop", "late stop"]);
});

test("abortable gives what the promise gives, and stops listening", async () => {
  const { signal } = new AbortController();
  expect(await abortable(Promise.resolve(5), signal)).toBe(5);
  await expect(abortable(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");
  expect(await abortable(Promise.resolve("without a signal"))).toBe("without a signal");
  expect(listeners(signal)).toEqual([0]);
});

test("abortable rejects with the reason, and the promise's later error goes unheard", async () => {
  const controller = new AbortController();
  const work = new Deferred();
  const waiting = abortable(work.promise, controller.signal);
  const reason = new AbortError("stop");
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(abortable(work.promise, controller.signal)).rejects.toBe(reason);
  work.reject(new Error("unheard"));
  await expect(work.promise).rejects.toThrow("unheard");
});

test("a linked controller follows the first parent that aborts and lets go of the others", () => {
  const parents = [new AbortController(), new AbortController(), new AbortController()];
  const signals = parents.map(({ signal }) => signal);
  const linked = new LinkedAbortController(...signals, undefined);
  expect(listeners(...signals)).toEqual([1, 1, 1]);
  parents[1]?.abort("second");
  expect(linked.signal.reason).toBe("second");
  expect(listeners(...signals)).toEqual([0, 0, 0]);
  parents[0]?.abort("first");
  expect(linked.signal.reason).toBe("second");
});

test("a linked controller's own abort leaves its parents alone", () => {
  const parent = new AbortController();
  const linked = new LinkedAbortController(parent.signal);
  linked.abort();
  expect(linked.signal.reason).toBeInstanceOf(AbortError);
  expect(parent.signal.aborted).toBe(false);
  expect(listeners(parent.signal)).toEqual([0]);
});

test("a parent that has aborted before aborts at once", () => {
  const aborted = new AbortController();
  aborted.abort("before");
  const other = new AbortController();
  const linked = new LinkedAbortController(other.signal, aborted.signal);
  expect(linked.signal.reason).toBe("before");
  expect(listeners(other.signal)).toEqual([0]);
});

test("any number of short-lived signals leave no listener on a long-lived one", () => {
  const process = new AbortController();
  for (let request = 0; request < 1000; request++) {
    using either = anySignal(process.signal, new AbortController().signal);
    expect(either.signal.aborted).toBe(false);
  }
  expect(listeners(process.signal)).toEqual([0]);
});

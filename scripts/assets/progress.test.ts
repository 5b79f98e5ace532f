import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Progress, progressLine } from "./progress.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a terminal has one line that is rewritten each second", () => {
  const written: string[] = [];
  const stream = { isTTY: true, columns: 80, write: (text: string) => written.push(text) };
  const progress = new Progress("etcd 3.6.16", stream);
  progress.detail("7 packages compiled");
  vi.advanceTimersByTime(2000);
  progress.end("built");
  vi.advanceTimersByTime(60_000);
  expect(written).toEqual([
    "\r\u001B[2Ketcd 3.6.16 ... 0 s",
    "\r\u001B[2Ketcd 3.6.16 ... 1 s, 7 packages compiled",
    "\r\u001B[2Ketcd 3.6.16 ... 2 s, 7 packages compiled",
    "\r\u001B[2Ketcd 3.6.16: built (2 s)\n",
  ]);
});

test("elsewhere there are plain lines, few of them", () => {
  const written: string[] = [];
  const progress = new Progress("etcd 3.6.16", { write: (text: string) => written.push(text) });
  vi.advanceTimersByTime(31_000);
  progress.end("built");
  expect(written).toEqual([
    "etcd 3.6.16 ...\n",
    "etcd 3.6.16 ... 15 s\n",
    "etcd 3.6.16 ... 30 s\n",
    "etcd 3.6.16: built (31 s)\n",
  ]);
});

test("a line never fills the terminal's width, since a wrapped line could not be rewritten", () => {
  const state = {
    label: "etcd",
    seconds: 5,
    detail: "downloading a/very/long/module",
    columns: 20,
  };
  expect(progressLine(state)).toBe("etcd ... 5 s, downl");
  expect(progressLine({ ...state, columns: 80 })).toBe(
    "etcd ... 5 s, downloading a/very/long/module",
  );
});

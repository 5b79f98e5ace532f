import { expect, test } from "vitest";
import { DroppedRequests } from "./dropped-requests.ts";

test("who is refused is to come back later the more are refused, and sooner again when few are", () => {
  const dropped = new DroppedRequests();
  const seen: number[] = [];
  for (let second = 100; second < 108; second++) {
    for (let at = 0; at < 50; at++) dropped.note(second);
    seen.push(dropped.retryAfter);
  }
  expect(seen).toEqual([1, 2, 2, 4, 4, 4, 4, 8]);
  dropped.note(200);
  dropped.note(300);
  expect(dropped.retryAfter).toBe(6);
  for (let second = 400; second < 4000; second++)
    for (let at = 0; at < 100; at++) dropped.note(second);
  expect(dropped.retryAfter).toBe(32);
});

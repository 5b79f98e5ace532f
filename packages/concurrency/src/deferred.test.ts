import { expect, test } from "vitest";
import { Deferred } from "./deferred.ts";

test("the first decision holds", async () => {
  const deferred = new Deferred<string>();
  expect(deferred.isSettled).toBe(false);
  deferred.resolve("first");
  deferred.resolve("second");
  deferred.reject(new Error("third"));
  expect(deferred.isSettled).toBe(true);
  expect(await deferred.promise).toBe("first");
});

test("a rejection reaches who waits", async () => {
  const deferred = new Deferred();
  deferred.reject(new Error("broken"));
  expect(deferred.isSettled).toBe(true);
  await expect(deferred.promise).rejects.toThrow("broken");
});

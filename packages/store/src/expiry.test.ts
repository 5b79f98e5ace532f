import { ManualClock } from "@homeostat/concurrency";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Expiry } from "./expiry.ts";
import { KeyVersion } from "./key-version.ts";

function expiring(key: string, expiresAt: number): KeyVersion {
  return new KeyVersion({ key, revision: 1, createRevision: 1, version: 1, expiresAt });
}

function setUp(isCurrent: (version: KeyVersion) => boolean = () => true): {
  clock: ManualClock;
  expired: string[];
  expiry: Expiry;
  sizes: number[];
} {
  const clock = new ManualClock({ startAt: 0 });
  const expired: string[] = [];
  const sizes: number[] = [];
  const expiry = new Expiry({
    clock,
    expire: (versions) => {
      sizes.push(versions.length);
      expired.push(...versions.map(({ key }) => `${key} at ${clock.now()}`));
    },
    isCurrent,
  });
  return { clock, expired, expiry, sizes };
}

test("each version expires at its time, whatever the order they were added in", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ addAt: fc.nat({ max: 300 }), life: fc.integer({ min: 1, max: 300 }) })),
      async (versions) => {
        const { clock, expired, expiry } = setUp();
        for (const [index, { addAt, life }] of versions.entries()) {
          clock.setTimer(addAt, () => expiry.add(expiring(`k${index}`, addAt + life)));
        }
        await clock.advance(1_000);
        expect(expired.toSorted()).toEqual(
          versions.map(({ addAt, life }, index) => `k${index} at ${addAt + life}`).sort(),
        );
        expect(clock.pending).toBe(0);
      },
    ),
    { numRuns: 50 },
  );
});

test("a crowd that expires together goes in parts, one per turn", async () => {
  const { clock, expired, expiry, sizes } = setUp();
  for (let index = 0; index < 2_500; index += 1) expiry.add(expiring(`k${index}`, 10));
  await clock.advance(10);
  expect(sizes).toEqual([1_000, 1_000, 500]);
  expect(new Set(expired).size).toBe(2_500);
});

test("what is overdue already expires at once", async () => {
  const { clock, expired, expiry } = setUp();
  await clock.advance(100);
  expiry.add(expiring("a", 50));
  await clock.settle();
  expect(expired).toEqual(["a at 100"]);
});

test("a wall clock that steps is noticed within a minute", async () => {
  const { clock, expired, expiry } = setUp();
  expiry.add(expiring("a", 3_600_000));
  clock.step(3_600_000);
  await clock.advance(60_000);
  expect(expired).toEqual(["a at 3660000"]);
});

test("a version whose deletion failed is tried again in five seconds", async () => {
  const { clock, expired, expiry } = setUp();
  const version = expiring("a", 10);
  expiry.add(version);
  await clock.advance(10);
  expiry.retry(version);
  await clock.advance(4_999);
  expect(expired).toEqual(["a at 10"]);
  await clock.advance(1);
  expect(expired).toEqual(["a at 10", "a at 5010"]);
});

test("after stopping nothing expires and no timer is left", async () => {
  const { clock, expired, expiry } = setUp();
  expiry.add(expiring("a", 10));
  expiry.stop();
  expiry.add(expiring("b", 20));
  expiry.retry(expiring("c", 20));
  expect(clock.pending).toBe(0);
  await clock.advance(10_000);
  expect(expired).toEqual([]);
});

test("a key that is renewed again and again leaves no crowd of old entries", async () => {
  let newest: KeyVersion | undefined;
  const { clock, expired, expiry } = setUp((version) => version === newest);
  for (let renewal = 0; renewal < 10_000; renewal += 1) {
    const renewed = expiring("lease", 100_000 + renewal);
    newest = renewed;
    expiry.add(renewed);
  }
  await clock.advance(200_000);
  expect(expired.length).toBeLessThan(1_100);
  expect(expired.at(-1)).toBe("lease at 109999");
});

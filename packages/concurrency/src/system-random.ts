import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { Random } from "./random.ts";
import { checkBound } from "./seeded-random.ts";

/** The operating system's randomness, fit for secrets; never repeats itself. */
export const systemRandom: Random = {
  float: (): number => (randomInt(2 ** 26) * 2 ** 27 + randomInt(2 ** 27)) / 2 ** 53,
  below: (bound: number): number => {
    checkBound(bound);
    return randomInt(bound);
  },
  bytes: (length: number): Uint8Array => new Uint8Array(randomBytes(length)),
  uuid: (): string => randomUUID(),
};

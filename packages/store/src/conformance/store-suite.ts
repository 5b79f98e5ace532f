/**
 * The promises of `store.ts`, one test each, for every backend: a backend's test file calls
 * `storeSuite` with a way to open it. What only one backend promises (durability, locking) is
 * tested beside that backend.
 */
import { describe } from "vitest";
import { closingSuite } from "./closing-suite.ts";
import { compactionSuite } from "./compaction-suite.ts";
import { expirySuite } from "./expiry-suite.ts";
import { inputSuite } from "./input-suite.ts";
import { readSuite } from "./read-suite.ts";
import type { StoreBackend } from "./store-backend.ts";
import { transactionSuite } from "./transaction-suite.ts";
import { watchLimitsSuite } from "./watch-limits-suite.ts";
import { watchSuite } from "./watch-suite.ts";
import { writeSuite } from "./write-suite.ts";

export function storeSuite(backend: StoreBackend): void {
  describe(`${backend.name}:`, () => {
    writeSuite(backend);
    transactionSuite(backend);
    readSuite(backend);
    watchSuite(backend);
    watchLimitsSuite(backend);
    compactionSuite(backend);
    expirySuite(backend);
    inputSuite(backend);
    closingSuite(backend);
  });
}

/**
 * Opens data directories that may be damaged and tells what it found: a process of its own, because
 * damage may crash it or hang it. An opened store must also be of use: it is written to, closed and
 * opened once more.
 */
import { openSqliteStore, type Store } from "@homeostat/store";
import { observe } from "./observe.ts";
import type { Observation } from "./report.ts";

export interface CheckRequest {
  readonly id: number;
  readonly directory: string;
}

export type CheckAnswer =
  | {
      readonly id: number;
      readonly type: "opened";
      readonly found: Observation;
      /** After the writes named here were made and the store was opened again. */
      readonly written: readonly string[];
      readonly foundAgain: Observation;
    }
  | {
      readonly id: number;
      readonly type: "failed";
      /** What was tried: the first opening may fail on damage, nothing after it may. */
      readonly at: "opening" | "observing" | "writing" | "reopening";
      readonly name: string;
      readonly code: string;
      readonly message: string;
    };

/** Enough to make SQLite allocate pages, and to reuse free ones. */
const probes = 8;
const probeBytes = 40_000;

async function check(request: CheckRequest): Promise<CheckAnswer> {
  const { id, directory } = request;
  let at: Extract<CheckAnswer, { type: "failed" }>["at"] = "opening";
  let store: Store | undefined;
  try {
    store = openSqliteStore({ directory });
    at = "observing";
    const found = await observe(store);
    at = "writing";
    const written = Array.from({ length: probes }, (_, probe) => `probes/${probe}`);
    for (const key of written) await store.create(key, Buffer.alloc(probeBytes, key));
    await store.close();
    at = "reopening";
    store = openSqliteStore({ directory });
    const foundAgain = await observe(store);
    return { id, type: "opened", found, written, foundAgain };
  } catch (error) {
    const { name, code = "none", message } = error as Error & { code?: string };
    return { id, type: "failed", at, name, code, message };
  } finally {
    await store?.close();
  }
}

process.on("message", (request: CheckRequest) => {
  check(request).then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      throw error;
    },
  );
});

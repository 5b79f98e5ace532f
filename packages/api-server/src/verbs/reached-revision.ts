import { ApiError } from "@homeostat/object-model";
import type { Plane } from "../registry/plane.ts";

/** How long a read waits for a version that does not exist yet. */
const PATIENCE = 3000;

/** Waits until the store has reached a version; refuses with "too large" when it does not. */
export async function reachRevision(
  version: string,
  { store, clock }: Plane,
  signal: AbortSignal | undefined,
): Promise<void> {
  const wanted = Number(version);
  if (store.revision >= wanted) return;
  const reached = await new Promise<boolean>((resolve) => {
    const done = (value: boolean): void => {
      timer.cancel();
      stop();
      signal?.removeEventListener("abort", onAbort);
      resolve(value);
    };
    const onAbort = (): void => done(false);
    const timer = clock.setTimer(PATIENCE, () => done(store.revision >= wanted));
    const stop = store.observe("", () => {
      if (store.revision >= wanted) done(true);
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
  if (reached) return;
  throw ApiError.tooLargeResourceVersion(version, String(store.revision), 1);
}

import type { Store } from "@homeostat/store";

/** What keeps a store from being read. */
export function storeProblem(store: Store): string | undefined {
  try {
    store.get("/health");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

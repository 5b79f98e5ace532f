import { openSqliteStore, type Store } from "@homeostat/store";

/** A file of its own: an ephemeral server does not load SQLite. */
export function openDurableStore(directory: string): Store {
  return openSqliteStore({ directory });
}

import { compareBytewise } from "@homeostat/object-model";
import { union } from "@homeostat/schema";
import { compareTimes, identifierOf, type Managed } from "./managed-entries.ts";

const MAX_UPDATE_MANAGERS = 10;
const BUCKET = "ancient-changes";

/** Merges the oldest of too many updaters, per version, into one entry. In place. */
export function capUpdateManagers({ managers, times }: Managed): void {
  const updaters = [...managers].filter(([, { applied }]) => !applied).map(([name]) => name);
  if (updaters.length <= MAX_UPDATE_MANAGERS) return;
  updaters.sort((a, b) => compareTimes(times.get(a), times.get(b)) || compareBytewise(a, b));
  const firstOf = new Map<string, string>();
  let count = updaters.length;
  for (const updater of updaters) {
    if (count <= MAX_UPDATE_MANAGERS) return;
    const owned = managers.get(updater)!;
    const { apiVersion } = owned;
    const first = firstOf.get(apiVersion);
    if (first === undefined) {
      firstOf.set(apiVersion, updater);
      continue;
    }
    const bucket = identifierOf({ manager: BUCKET, operation: "Update", apiVersion });
    if (!managers.has(bucket)) {
      managers.set(bucket, managers.get(first)!);
      managers.delete(first);
    }
    managers.set(bucket, { ...owned, set: union(owned.set, managers.get(bucket)!.set) });
    managers.delete(updater);
    times.set(bucket, times.get(updater));
    count--;
  }
}

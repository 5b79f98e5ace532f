/**
 * Managers of a Scale are those of its object who own the field of the replicas, seen as if they owned
 * `spec.replicas` of a Scale; what a write of the Scale makes of them is brought back.
 */
import type { KubernetesObject } from "@homeostat/object-model";
import type { ManagedFieldsEntry } from "@homeostat/object-model/meta-v1";
import {
  difference,
  fieldElement,
  fieldSetOfPaths,
  hasPath,
  isEmptySet,
  type Managers,
} from "@homeostat/schema";
import {
  type Managed,
  ManagedEntriesError,
  noManagers,
  printEntries,
  readEntries,
} from "./managed-entries.ts";

const SCALE_VERSION = "autoscaling/v1";
const REPLICAS: readonly string[] = ["spec", "replicas"].map(fieldElement);

export interface ScaleMapping {
  /** Where the replicas are, by version of the object; undefined where a version has no Scale. */
  readonly pathIn: ReadonlyMap<string, readonly string[] | undefined>;
  /** The version of the object through which the Scale is asked for. */
  readonly apiVersion: string;
}

type Entries = readonly ManagedFieldsEntry[];

/** Where a path such as `.spec.replicas` leads. */
export function replicasPath(path: string): readonly string[] {
  return path.replace(/^\./, "").split(".").map(fieldElement);
}

/** Gives a Scale the managers of its object. In place. */
export function takeScaleEntries(
  scale: KubernetesObject,
  parent: Readonly<KubernetesObject>,
  mapping: ScaleMapping,
): void {
  const entries = entriesOfScale(parent.metadata?.managedFields ?? [], mapping);
  if (entries !== undefined) (scale.metadata ??= {}).managedFields = entries;
}

/** Gives an object what became of the managers of its Scale. In place. */
export function takeParentEntries(
  parent: KubernetesObject,
  scale: Readonly<KubernetesObject>,
  mapping: ScaleMapping,
): void {
  const metadata = (parent.metadata ??= {});
  const after = scale.metadata?.managedFields ?? [];
  const entries = entriesOfParent(metadata.managedFields ?? [], after, mapping);
  if (entries === undefined) delete metadata.managedFields;
  else metadata.managedFields = entries;
}

function entriesOfScale(
  parent: Entries,
  { pathIn }: ScaleMapping,
): ManagedFieldsEntry[] | undefined {
  const { managers, times } = readOrRefuse(parent);
  const owners: Managers = new Map();
  for (const [name, { set, apiVersion, applied }] of managers) {
    const path = pathIn.get(apiVersion);
    if (path === undefined || !hasPath(set, path)) continue;
    owners.set(name, { set: fieldSetOfPaths(REPLICAS), apiVersion: SCALE_VERSION, applied });
  }
  return printEntries({ ...noManagers(), managers: owners, times });
}

function entriesOfParent(
  parent: Entries,
  scale: Entries,
  { pathIn, apiVersion }: ScaleMapping,
): ManagedFieldsEntry[] | undefined {
  const before = readOrRefuse(parent);
  const after = readOrRefuse(scale);
  const managers: Managers = new Map();
  for (const [name, owned] of before.managers) {
    if (!pathIn.has(owned.apiVersion)) continue;
    const path = pathIn.get(owned.apiVersion);
    if (path === undefined || !hasPath(owned.set, path) || after.managers.delete(name)) {
      managers.set(name, owned);
      continue;
    }
    const set = difference(owned.set, fieldSetOfPaths(path));
    if (!isEmptySet(set)) managers.set(name, { ...owned, set });
  }
  const here = pathIn.get(apiVersion) ?? [];
  for (const [name, { set, applied }] of after.managers) {
    if (!hasPath(set, REPLICAS)) continue;
    managers.set(name, { set: fieldSetOfPaths(here), apiVersion, applied });
  }
  // A new owner has no time: the object never knew it.
  return printEntries({ ...noManagers(), managers, times: before.times });
}

function readOrRefuse(entries: Entries): Managed {
  try {
    return readEntries(entries);
  } catch (error) {
    if (error instanceof ManagedEntriesError) return readEntries([]);
    throw error;
  }
}

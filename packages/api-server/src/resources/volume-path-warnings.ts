/** Warnings about volumes that put two things at one path, or one thing inside another's. */

import type { Volume, VolumeProjection } from "@homeostat/object-model/core-v1";

interface PlacedPath {
  readonly path: string;
  /** What is put there; "" where the volume says it already. */
  readonly source: string;
}

interface Keyed {
  readonly path?: string;
}

export function volumePathWarnings(volumes: readonly Volume[] = []): readonly string[] {
  return volumes.flatMap((volume) => {
    const { configMap, secret, downwardAPI, projected } = volume;
    const warn = (what: string, items: readonly Keyed[] | undefined): readonly string[] =>
      overlapsOf((items ?? []).map(({ path = "" }) => ({ path, source: "" }))).map((overlap) =>
        overlapWarning(volume, what, overlap),
      );
    return [
      ...warn(`ConfigMap ${JSON.stringify(configMap?.name ?? "")}`, configMap?.items),
      ...warn(`Secret ${JSON.stringify(secret?.secretName ?? "")}`, secret?.items),
      ...warn("DownwardAPI", downwardAPI?.items),
      ...(projected === undefined ? [] : projectedWarnings(volume, projected.sources ?? [])),
    ];
  });
}

function projectedWarnings(
  volume: Volume,
  sources: readonly VolumeProjection[],
): readonly string[] {
  const empty = sources
    .filter((source) => Object.keys(source).length === 0)
    .map(() => `volume ${JSON.stringify(volume.name)} (Projected) has no sources provided`);
  const overlaps = overlapsOf(sources.flatMap(pathsOf));
  return [...empty, ...overlaps.map((overlap) => overlapWarning(volume, "Projected", overlap))];
}

function pathsOf(source: VolumeProjection): readonly PlacedPath[] {
  const all = (items: readonly Keyed[], from: string): readonly PlacedPath[] =>
    items.map(({ path = "" }) => ({ path, source: from }));
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap?.items) return all(configMap.items, `ConfigMap ${JSON.stringify(configMap.name)}`);
  if (secret?.items) return all(secret.items, `Secret ${JSON.stringify(secret.name)}`);
  if (downwardAPI?.items) return all(downwardAPI.items, "DownwardAPI");
  return serviceAccountToken ? all([serviceAccountToken], "ServiceAccountToken") : [];
}

/** Each path with every earlier one that is the same, contains it or lies in it. */
function overlapsOf(paths: readonly PlacedPath[]): readonly string[] {
  const earlier: PlacedPath[] = [];
  const overlaps: string[] = [];
  for (const { path: written, source } of paths) {
    const placed = { path: written.replace(/\/+$/, ""), source };
    for (const other of earlier) {
      if (placed.path === "" || other.path === "") continue;
      const [one, two] = [`${placed.path}/`, `${other.path}/`];
      if (one.startsWith(two) || two.startsWith(one)) {
        overlaps.push(`${printed(placed)} with ${printed(other)}`);
      }
    }
    earlier.push(placed);
  }
  return overlaps;
}

function printed({ path, source }: PlacedPath): string {
  return source === "" ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`;
}

function overlapWarning({ name }: Volume, what: string, overlap: string): string {
  return `volume ${JSON.stringify(name)} (${what}): overlapping paths: ${overlap}`;
}

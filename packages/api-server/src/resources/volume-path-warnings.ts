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

/**
 * So many overlaps of one volume are told. kube-apiserver finds all of them, but the headers that carry
 * warnings are cut at 4 KiB, which hold fewer.
 */
const MOST_OVERLAPS = 256;

/** Each path with every earlier one that is the same, contains it or lies in it. */
function overlapsOf(paths: readonly PlacedPath[]): readonly string[] {
  const root = newPlace();
  const overlaps: string[] = [];
  for (const [order, { path: written, source }] of paths.entries()) {
    const path = written.replace(/\/+$/, "");
    if (path === "") continue;
    const placed = { path, source, order };
    for (const other of put(root, placed)) {
      if (overlaps.length === MOST_OVERLAPS) return overlaps;
      overlaps.push(`${printed(placed)} with ${printed(other)}`);
    }
  }
  return overlaps;
}

interface OrderedPath extends PlacedPath {
  readonly order: number;
}

/** A directory or file with the first paths that are the very one, and the first that lie in it. */
interface Place {
  readonly same: OrderedPath[];
  readonly inside: OrderedPath[];
  readonly children: Map<string, Place>;
}

function newPlace(): Place {
  return { same: [], inside: [], children: new Map() };
}

/** Answers those it overlaps, in their order. Takes time by the path's length, however many there are. */
function put(root: Place, placed: OrderedPath): readonly OrderedPath[] {
  const found: OrderedPath[] = [];
  let place = root;
  for (const segment of placed.path.split("/")) {
    if (place.inside.length < MOST_OVERLAPS) place.inside.push(placed);
    let child = place.children.get(segment);
    if (child === undefined) place.children.set(segment, (child = newPlace()));
    found.push(...child.same);
    place = child;
  }
  found.push(...place.inside);
  if (place.same.length < MOST_OVERLAPS) place.same.push(placed);
  return found.sort((a, b) => a.order - b.order);
}

function printed({ path, source }: PlacedPath): string {
  return source === "" ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`;
}

function overlapWarning({ name }: Volume, what: string, overlap: string): string {
  return `volume ${JSON.stringify(name)} (${what}): overlapping paths: ${overlap}`;
}

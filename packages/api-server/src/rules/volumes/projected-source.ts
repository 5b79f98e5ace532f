/**
 * Several sources in one volume. No two of them may write the same file. Certificates (of trust
 * bundles, of the pod) are sources that are not enabled: they are dropped before rules look.
 */
import type {
  ProjectedVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from "@homeostat/object-model/core-v1";
import { type Place, type Rule, required } from "@homeostat/schema";
import { unreservedPath } from "../checks/paths.ts";
import { downwardApiFile, fileMode, keyToPath } from "./file-sources.ts";

const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

interface TokenPaths {
  /** Tokens may lie anywhere: what is already stored has one that does. */
  readonly anyTokenPath: boolean;
}

export const projected: Rule<ProjectedVolumeSource, TokenPaths> = (volume, place) => {
  fileMode(volume?.defaultMode, place.child("defaultMode"));
  const taken = new Set<string>();
  const take = (path: string | undefined, shown: string | undefined): void => {
    if (!path) return;
    if (taken.has(path)) place.invalid(shown ?? "", "conflicting duplicate paths");
    taken.add(path);
  };
  for (const [index, source] of (volume?.sources ?? []).entries()) {
    const at = place.child("sources").index(index);
    checkFiles(source ?? {}, at, take);
    if (source?.serviceAccountToken) {
      checkToken(source.serviceAccountToken, at.child("serviceAccountToken"), place);
    }
    if (countOf(source) > 1) at.forbidden("may not specify more than 1 volume type per source");
  }
};

/** What is wrong with two of the same path is told at the volume. */
type TakePath = (path: string | undefined, shown: string | undefined) => void;

function checkFiles(source: VolumeProjection, place: Place, take: TakePath): void {
  for (const kind of ["secret", "configMap"] as const) {
    const keyed = source[kind];
    if (!keyed) continue;
    required(keyed.name, place.child(kind).child("name"));
    for (const [index, item] of (keyed.items ?? []).entries()) {
      keyToPath(item, place.child(kind).child("items").index(index));
      take(item?.path, keyed.name);
    }
  }
  for (const file of source.downwardAPI?.items ?? []) {
    downwardApiFile(file, place.child("downwardAPI"));
    take(file?.path, file?.path);
  }
}

/** The path is told of at the volume, not at its source. */
function checkToken(
  { expirationSeconds = 0, path = "" }: Partial<ServiceAccountTokenProjection>,
  place: Place,
  volume: Place<TokenPaths>,
): void {
  const seconds = place.child("expirationSeconds");
  if (expirationSeconds < MIN_TOKEN_SECONDS) {
    seconds.invalid(expirationSeconds, "may not specify a duration less than 10 minutes");
  }
  if (expirationSeconds > MAX_TOKEN_SECONDS) {
    seconds.invalid(expirationSeconds, "may not specify a duration larger than 2^32 seconds");
  }
  const at = volume.child("path");
  if (path === "") at.required();
  else if (!volume.context.anyTokenPath) unreservedPath(path, at);
}

function countOf(source: VolumeProjection | undefined): number {
  const { secret, configMap, downwardAPI, serviceAccountToken } = source ?? {};
  return [secret, configMap, downwardAPI, serviceAccountToken].filter(Boolean).length;
}

/**
 * Resource versions, compared as Kubernetes 1.35 made it official: a resource version is a positive
 * decimal integer of any length, and of two versions of the same resource type the larger is newer.
 * "" and "0" are words of list and watch requests, never the version of an object.
 */

const WELL_FORMED = /^[1-9][0-9]*$/;

export class ResourceVersionError extends Error {
  override readonly name: string = "ResourceVersionError";
  readonly code = "resource-version-malformed";
  readonly resourceVersion: string;

  constructor(resourceVersion: string) {
    super(`resource version is not well formed: ${resourceVersion}`);
    this.resourceVersion = resourceVersion;
  }
}

export function isResourceVersion(text: string): boolean {
  return WELL_FORMED.test(text);
}

/** -1 when `a` is older than `b`, 1 when newer. Meaningful within one resource type only. */
export function compareResourceVersions(a: string, b: string): -1 | 0 | 1 {
  if (!WELL_FORMED.test(a)) throw new ResourceVersionError(a);
  if (!WELL_FORMED.test(b)) throw new ResourceVersionError(b);
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

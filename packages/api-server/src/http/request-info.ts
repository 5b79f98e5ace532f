/** What a path asks for, before anyone knows whether it exists. */
export type RequestInfo =
  | {
      readonly kind: "resource";
      readonly group: string;
      readonly version: string;
      readonly resource: string;
      /** "" for cluster-scoped resources, and for a resource over all namespaces. */
      readonly namespace: string;
      readonly name: string;
      readonly subresource: string;
      /** Something is behind the subresource. Nothing is served there; rights are asked as without. */
      readonly isBeyond: boolean;
      /** `/api/v1/namespaces//pods`: the path has a place for the namespace, with nothing in it. */
      readonly lacksNamespace: boolean;
      /** The old form `/api/v1/watch/...`. */
      readonly legacyWatch: boolean;
    }
  | { readonly kind: "path"; readonly path: string }
  /** An escape that is none. */
  | { readonly kind: "malformed" };

/** Splits `/api/v1/namespaces/a/pods/b/status` and its like. */
export function parsePath(path: string): RequestInfo {
  const segments = splitPath(path);
  if (segments === undefined) return { kind: "malformed" };
  const [root] = segments;
  const depth = root === "api" ? 1 : root === "apis" ? 2 : undefined;
  if (depth === undefined || segments.length <= depth + 1) return { kind: "path", path };
  const group = depth === 2 ? segments[1]! : "";
  let at = depth + 1;
  const lacksNamespace = isNamespaceMissing(segments, at);
  if (segments.includes("")) {
    const end = proxyAt(segments);
    const isGap = (each: string, index: number): boolean =>
      each === "" && index < end && !(lacksNamespace && index === at + 1);
    if (segments.some(isGap)) return { kind: "path", path };
  }
  const legacyWatch = segments[at] === "watch" && segments.length > at + 1;
  if (legacyWatch) at++;
  let namespace = "";
  if (isInNamespace(segments, at, group)) {
    namespace = segments[at + 1]!;
    at += 2;
  }
  const subresource = segments[at + 2] ?? "";
  return {
    kind: "resource",
    group,
    version: segments[depth]!,
    resource: segments[at] ?? "",
    namespace,
    name: segments[at + 1] ?? "",
    subresource,
    isBeyond: segments.length > at + 3 && subresource !== "proxy",
    lacksNamespace,
    legacyWatch,
  };
}

/** Where a proxy subresource is: what follows is somebody else's path. */
function proxyAt(segments: readonly string[]): number {
  const at = segments[2] === "namespaces" ? 6 : 4;
  return segments[0] === "api" && segments[at] === "proxy" ? at : segments.length;
}

function isNamespaceMissing(segments: readonly string[], at: number): boolean {
  return segments[at] === "namespaces" && segments[at + 1] === "" && segments[at + 2] !== undefined;
}

/** Whether a namespace's name stands behind `at`, and something in it: no subresource of its own. */
function isInNamespace(segments: readonly string[], at: number, group: string): boolean {
  const count = segments.length - at;
  if (segments[at] !== "namespaces" || count <= 2) return false;
  const last = segments[at + 2];
  return group !== "" || count > 3 || (last !== "status" && last !== "finalize");
}

/** Unescaped once, then split, so that an escaped slash is a slash; slashes at the end are none. */
function splitPath(path: string): readonly string[] | undefined {
  let decoded = path;
  if (path.includes("%")) {
    try {
      decoded = decodeURIComponent(path);
    } catch {
      return undefined;
    }
  }
  const parts = decoded.slice(1).split("/");
  while (parts.length > 1 && parts.at(-1) === "") parts.pop();
  return parts;
}

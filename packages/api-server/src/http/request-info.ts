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
  const lacksNamespace = depth !== undefined && isNamespaceMissing(segments.slice(depth + 1));
  const end = proxyAt(segments);
  const isGap = (each: string, at: number): boolean =>
    each === "" && at < end && !(lacksNamespace && at === depth + 2);
  if (segments.some(isGap)) {
    return { kind: "path", path };
  }
  if (depth === undefined || segments.length <= depth + 1) return { kind: "path", path };
  const group = depth === 2 ? segments[1]! : "";
  const version = segments[depth]!;
  let rest = segments.slice(depth + 1);
  const legacyWatch = rest[0] === "watch" && rest.length > 1;
  if (legacyWatch) rest = rest.slice(1);
  let namespace = "";
  if (rest[0] === "namespaces" && rest.length > 2 && !isNamespaceSubresource(rest, group)) {
    namespace = rest[1]!;
    rest = rest.slice(2);
  }
  const [resource = "", name = "", subresource = "", ...more] = rest;
  if (more.length > 0 && subresource !== "proxy") return { kind: "path", path };
  return {
    kind: "resource",
    group,
    version,
    resource,
    namespace,
    name,
    subresource,
    lacksNamespace,
    legacyWatch,
  };
}

/** Where a proxy subresource is: what follows is somebody else's path. */
function proxyAt(segments: readonly string[]): number {
  const at = segments[2] === "namespaces" ? 6 : 4;
  return segments[0] === "api" && segments[at] === "proxy" ? at : segments.length;
}

function isNamespaceMissing([first, namespace, resource]: readonly string[]): boolean {
  return first === "namespaces" && namespace === "" && resource !== undefined;
}

function isNamespaceSubresource(rest: readonly string[], group: string): boolean {
  return group === "" && rest.length === 3 && (rest[2] === "status" || rest[2] === "finalize");
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

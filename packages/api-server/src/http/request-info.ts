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
      /** The old form `/api/v1/watch/...`. */
      readonly legacyWatch: boolean;
    }
  | { readonly kind: "path"; readonly path: string };

/** Splits `/api/v1/namespaces/a/pods/b/status` and its like; undefined for a path that is malformed. */
export function parsePath(path: string): RequestInfo | undefined {
  const segments = splitPath(path);
  if (segments === undefined) return undefined;
  const [root] = segments;
  const depth = root === "api" ? 1 : root === "apis" ? 2 : undefined;
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
  return { kind: "resource", group, version, resource, namespace, name, subresource, legacyWatch };
}

function isNamespaceSubresource(rest: readonly string[], group: string): boolean {
  return group === "" && rest.length === 3 && (rest[2] === "status" || rest[2] === "finalize");
}

/** Unescaped once; a segment that is empty, goes up or hides a slash makes the path unknown. */
function splitPath(path: string): readonly string[] | undefined {
  const parts = path.slice(1).split("/");
  if (parts.at(-1) === "") parts.pop();
  if (!path.includes("%")) return parts.every(isPlain) ? parts : undefined;
  try {
    const segments = parts.map(decodeURIComponent);
    return segments.every(isPlain) ? segments : undefined;
  } catch {
    return undefined;
  }
}

function isPlain(segment: string): boolean {
  return segment !== "" && segment !== "." && segment !== ".." && !segment.includes("/");
}

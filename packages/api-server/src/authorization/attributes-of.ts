import { type DoorRequest, FieldSelector, SelectorError } from "@homeostat/object-model";
import type { Query } from "../http/query.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { AccessAttributes } from "./authorizer.ts";

type Method = DoorRequest["method"];
type ResourceInfo = Extract<RequestInfo, { kind: "resource" }>;

const VERBS: Readonly<Partial<Record<Method, string>>> = {
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
  GET: "get",
  HEAD: "get",
};

/** What a request asks for, as authorization names it. */
export function attributesOf(
  info: Exclude<RequestInfo, { kind: "malformed" }>,
  method: Method,
  query: Query,
): AccessAttributes {
  if (info.kind === "path") return { kind: "path", verb: method.toLowerCase(), path: info.path };
  const { group, version, resource, subresource } = info;
  const verb = verbOf(info, method, query);
  return {
    kind: "resource",
    verb,
    group,
    version,
    resource,
    subresource,
    // A namespace is a thing in itself: whoever may read it there may read it.
    namespace: resource === "namespaces" ? info.name : info.namespace,
    name: isNamedBySelector(info, verb) ? namedBy(query) : info.name,
  };
}

function verbOf(info: ResourceInfo, method: Method, query: Query): string {
  if (info.legacyWatch) return "watch";
  const verb = VERBS[method] ?? "";
  if (info.name !== "") return verb;
  if (verb === "get") return query.flag("watch") === true ? "watch" : "list";
  return verb === "delete" ? "deletecollection" : verb;
}

function isNamedBySelector({ name, legacyWatch }: ResourceInfo, verb: string): boolean {
  return name === "" && !legacyWatch && (verb === "list" || verb === "watch");
}

/** A collection of one by its name is as good as that one. */
function namedBy(query: Query): string {
  const selector = query.get("fieldSelector");
  if (!selector.includes("metadata.name")) return "";
  try {
    const found = FieldSelector.parse(selector).requirements.find(
      ({ field, operator }) => field === "metadata.name" && operator !== "!=",
    );
    return found === undefined || !isSegment(found.value) ? "" : found.value;
  } catch (error) {
    if (error instanceof SelectorError) return "";
    throw error;
  }
}

function isSegment(name: string): boolean {
  return name !== "." && name !== ".." && !/[/%]/.test(name);
}

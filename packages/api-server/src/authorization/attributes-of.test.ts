import type { DoorRequest } from "@homeostat/object-model";
import { expect, test } from "vitest";
import { Query } from "../http/query.ts";
import { parsePath } from "../http/request-info.ts";
import { attributesOf } from "./attributes-of.ts";

/** Verb, resource, namespace and name; or verb and path. */
function asked(request: string): readonly string[] {
  const [method, target] = request.split(" ") as [DoorRequest["method"], string];
  const [path = "", query = ""] = target.split("?");
  const info = parsePath(path);
  if (info.kind === "malformed") throw new Error(path);
  const attributes = attributesOf(info, method, Query.parse(query));
  if (attributes.kind === "path") return [attributes.verb, attributes.path];
  const { verb, resource, subresource, namespace, name } = attributes;
  return [verb, subresource === "" ? resource : `${resource}/${subresource}`, namespace, name];
}

test.for([
  ["GET /api/v1/pods", ["list", "pods", "", ""]],
  ["GET /api/v1/namespaces/a/pods?watch=1", ["watch", "pods", "a", ""]],
  ["GET /api/v1/namespaces/a/pods/b?watch=1", ["get", "pods", "a", "b"]],
  ["HEAD /api/v1/namespaces/a/pods/b", ["get", "pods", "a", "b"]],
  ["DELETE /api/v1/namespaces/a/pods", ["deletecollection", "pods", "a", ""]],
  ["DELETE /api/v1/namespaces/a/pods/b", ["delete", "pods", "a", "b"]],
  ["PATCH /api/v1/namespaces/a/pods/b/status", ["patch", "pods/status", "a", "b"]],
  ["PUT /api/v1/namespaces/a", ["update", "namespaces", "a", "a"]],
  ["PUT /api/v1/namespaces/a/finalize", ["update", "namespaces/finalize", "a", "a"]],
  ["POST /api/v1/namespaces", ["create", "namespaces", "", ""]],
  ["OPTIONS /api/v1/pods", ["", "pods", "", ""]],
  ["GET /api/v1/pods?fieldSelector=metadata.name%3Dx", ["list", "pods", "", "x"]],
  ["GET /api/v1/pods?fieldSelector=metadata.name!%3Dx", ["list", "pods", "", ""]],
  ["GET /api/v1/pods?fieldSelector=metadata.name%3Da%2Fb", ["list", "pods", "", ""]],
  ["GET /api/v1/pods?fieldSelector=metadata.name", ["list", "pods", "", ""]],
  ["DELETE /api/v1/pods?fieldSelector=metadata.name%3Dx", ["deletecollection", "pods", "", ""]],
  ["GET /api/v1/watch/pods?fieldSelector=metadata.name%3Dx", ["watch", "pods", "", ""]],
  ["GET /api/v1/watch/namespaces/a/pods/b", ["watch", "pods", "a", "b"]],
  ["GET /healthz", ["get", "/healthz"]],
  ["HEAD /apis/apps/v1", ["head", "/apis/apps/v1"]],
] as const)("%s", ([request, attributes]) => {
  expect(asked(request)).toEqual(attributes);
});

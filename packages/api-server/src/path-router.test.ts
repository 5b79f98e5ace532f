import { ApiError, type DoorRequest } from "@homeostat/object-model";
import { expect, test } from "vitest";
import type { Answer } from "./answers/answer.ts";
import { Query } from "./http/query.ts";
import { PathRouter } from "./path-router.ts";
import type { Plane } from "./registry/plane.ts";
import { ResourceTable } from "./registry/resource-table.ts";

const router = new PathRouter({ table: new ResourceTable() } as Plane);

function get(path: string): Answer {
  return router.answer(path, { method: "GET", path } as DoorRequest, Query.empty);
}

function textOf({ payload }: Answer): string {
  return payload.kind === "text" ? payload.text : "";
}

test("the root lists every path that is no object's, each of which answers", () => {
  const { paths } = JSON.parse(textOf(get("/"))) as { paths: string[] };
  expect(paths).toContain("/apis/apps/v1");
  expect(paths).toContain("/readyz/etcd");
  expect(paths.filter((path) => get(path).status !== 200)).toEqual([]);
});

test("a health endpoint has no slash at its end, discovery may", () => {
  expect(get("/healthz/").status).toBe(404);
  expect(get("/apis/apps/").status).toBe(200);
});

test("below the version there is nothing", () => {
  expect(() => get("/version/x")).toThrow(ApiError);
  expect(get("/version/").status).toBe(200);
});

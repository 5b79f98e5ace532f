/**
 * OpenAPI: what is served, described for machines (paths, operations, types), in version 3 a document
 * for each group-version and in version 2 one of everything. Start here for what is asked; a document
 * is put together from the tables of built-in types and from the definitions of custom resources when
 * it is first asked for, and kept until what it describes changes. Nothing here is loaded before. There
 * is little prose: descriptions are those of metadata and what definitions of custom resources have.
 */
import type { PathRoute } from "../path-route.ts";
import type { Plane } from "../registry/plane.ts";
import type { OpenApiAnswers } from "./openapi-answers.ts";

export function openApiRoutes(plane: Plane): readonly PathRoute[] {
  let loading: Promise<OpenApiAnswers> | undefined;
  const load = (): Promise<OpenApiAnswers> => {
    loading ??= import("./openapi-answers.ts").then((module) => new module.OpenApiAnswers(plane));
    return loading;
  };
  return [
    { path: "/openapi/v2", answer: async (asked) => (await load()).everything(asked) },
    { path: "/openapi/v3", prefix: true, answer: async (asked) => (await load()).version3(asked) },
  ];
}

import { openidRoutes } from "./authentication/openid-metadata.ts";
import { openApiRoutes } from "./openapi/openapi-routes.ts";
import type { PathRoute } from "./path-route.ts";
import type { Plane } from "./registry/plane.ts";

/** Every route of a plane beside version and discovery, which path-router.ts knows itself. */
export function pathRoutes(plane: Plane): readonly PathRoute[] {
  return [...openApiRoutes(plane), ...openidRoutes(plane.authenticator)];
}

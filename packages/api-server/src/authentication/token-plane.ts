import type { Plane } from "../registry/plane.ts";

/** What of a plane its tokens need. */
export type TokenPlane = Pick<Plane, "store" | "clock" | "random" | "table">;

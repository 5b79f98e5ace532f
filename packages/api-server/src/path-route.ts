import type { DoorRequest } from "@homeostat/object-model";
import type { Answer } from "./answers/answer.ts";
import type { Query } from "./http/query.ts";

/** An address that is no object's and no part of discovery. */
export interface PathRoute {
  /** The whole path, `/openapi/v3`. */
  readonly path: string;
  /** Everything below the path is this route's too. */
  readonly prefix?: boolean;
  /** It is there, and the list of all paths does not tell. */
  readonly unlisted?: boolean;
  readonly answer: (asked: PathRequest) => Answer | Promise<Answer>;
}

export interface PathRequest {
  /** Unescaped. */
  readonly path: string;
  readonly request: DoorRequest;
  readonly query: Query;
}

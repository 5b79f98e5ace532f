import type { PlaneUnderTest } from "./plane-under-test.ts";
import { Requests } from "./requests.ts";

/** One promise, and the program that finds out whether a plane keeps it. */
export interface Semantic {
  /** Begins with the promise's number. */
  readonly name: string;
  run(plane: PlaneUnderTest): Promise<void>;
}

export function semantic(
  name: string,
  run: (requests: Requests, plane: PlaneUnderTest) => Promise<void>,
): Semantic {
  return { name, run: (plane) => run(new Requests(plane), plane) };
}

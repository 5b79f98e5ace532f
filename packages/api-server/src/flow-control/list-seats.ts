import type { Query } from "../http/query.ts";
import type { ObjectCount } from "./object-counts.ts";

const BYTES_PER_SEAT = 100_000;
/** Lists are sent as they are made: more than this of one is never held at a time. */
const MOST_BYTES = 1_000_000;

/** How many seats a list takes, or a watch that begins with one: by how much it has to look at. */
export function listSeats(
  query: Query,
  { verb, name, objects }: { verb: string; name: string; objects: () => ObjectCount },
): number {
  if (name !== "") return 1;
  const version = query.get("resourceVersion");
  const begins = query.flag("sendInitialEvents") === true || version === "" || version === "0";
  if (verb === "watch" && !begins) return 1;
  const { count, averageSize } = objects();
  const limit = Number(query.get("limit"));
  const looked = limit > 0 && limit < count ? limit : count;
  return Math.max(1, Math.ceil(Math.min(looked * averageSize, MOST_BYTES) / BYTES_PER_SEAT));
}

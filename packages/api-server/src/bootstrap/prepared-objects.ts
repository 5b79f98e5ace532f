/**
 * The objects that every new plane holds, as they are stored: only uids and times are filled in. To make
 * and encode them at each start was two thirds of the CPU of createApiServer on an empty store. They are
 * packed from `objectsOfEveryPlane`, and by its test the same; `scripts/prepare-new-plane.ts` packs them anew.
 *
 * Packed, each is `<key>\n` and its bytes, one character for each, with a uid and a time of the right
 * length that are nobody's. Not compressed: to load what inflates them takes longer than to read them.
 */
import type { Random } from "@homeostat/concurrency";
import { NEW_PLANE } from "./generated/new-plane.ts";

export interface Creation {
  readonly type: "create";
  readonly key: string;
  readonly value: Uint8Array;
}

/** As long as every time and uid, and in no object by chance. */
export const NO_TIME = "0000-00-00T00:00:00Z";
export const NO_UID = "00000000-0000-0000-0000-000000000000";

export interface Filling {
  readonly now: string;
  readonly random: Pick<Random, "uuid">;
}

/** New bytes with every call. */
export function preparedCreations(
  { now, random }: Filling,
  packed: readonly string[] = NEW_PLANE,
): Creation[] {
  // What is replaced is as long as what it is replaced by: one text and one buffer serve all of them.
  const text = packed
    .join("")
    .replaceAll(NO_TIME, now)
    .replaceAll(NO_UID, () => random.uuid());
  const bytes = Buffer.from(text, "latin1");
  let end = 0;
  return packed.map((each) => {
    const keyLength = each.indexOf("\n");
    const valueAt = end + keyLength + 1;
    end += each.length;
    const key = each.slice(0, keyLength);
    return { type: "create", key, value: bytes.subarray(valueAt, end) };
  });
}

/** For creations made with {@link NO_TIME} and {@link NO_UID}. */
export function packCreations(creations: readonly Creation[]): string[] {
  return creations.map(({ key, value }) => `${key}\n${Buffer.from(value).toString("latin1")}`);
}

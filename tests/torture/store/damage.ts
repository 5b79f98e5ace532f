import { readFileSync, writeFileSync } from "node:fs";
import type { SeededRandom } from "@homeostat/concurrency";

/** Sizes in the files of SQLite: a page of the store's database, and the headers around pages. */
const pageBytes = 16_384;
const databaseHeader = 100;
const walHeader = 32;
const frameHeader = 24;

type DamageKind = "bit" | "byte" | "some bytes" | "sector of zeros";

/** Damages a file in one place and tells how; undefined when that changed nothing. */
export function damageFile(file: string, random: SeededRandom): string | undefined {
  const before = readFileSync(file);
  if (before.length === 0) {
    writeFileSync(file, random.bytes(1 + random.below(600)));
    return "an empty file has random bytes";
  }
  const kinds: readonly DamageKind[] = ["bit", "bit", "byte", "some bytes", "sector of zeros"];
  const kind = kinds[random.below(kinds.length)] ?? "bit";
  const at = Math.min(choosePlace(file, before.length, random), before.length - 1);
  const after = Buffer.from(before);
  const bit = random.below(8);
  switch (kind) {
    case "bit":
      after[at] = after[at]! ^ (1 << bit);
      break;
    case "byte":
      after[at] = random.below(256);
      break;
    case "some bytes":
      after.set(random.bytes(2 + random.below(62)).subarray(0, after.length - at), at);
      break;
    case "sector of zeros":
      after.fill(0, at - (at % 512), Math.min(at - (at % 512) + 512, after.length));
      break;
  }
  if (after.equals(before)) return undefined;
  writeFileSync(file, after);
  return kind === "bit" ? `bit ${bit} of byte ${at}` : `${kind} at ${at}`;
}

/** Half of the places are headers: most of a large file is values, where damage is easily noticed. */
function choosePlace(file: string, length: number, random: SeededRandom): number {
  if (random.below(2) === 0) return random.below(length);
  if (file.endsWith("-wal")) {
    const frame = frameHeader + pageBytes;
    const frames = Math.max(Math.floor((length - walHeader) / frame), 1);
    if (random.below(4) === 0) return random.below(walHeader);
    return walHeader + random.below(frames) * frame + random.below(frameHeader);
  }
  if (random.below(3) === 0) return random.below(databaseHeader);
  // The header of a page, or its end, where its first cells are. The schema and the small tables
  // are in the first pages.
  const pages = Math.max(Math.floor(length / pageBytes), 1);
  const page = random.below(random.below(2) === 0 ? Math.min(pages, 4) : pages) * pageBytes;
  return page + (random.below(2) === 0 ? random.below(64) : pageBytes - 1 - random.below(64));
}

// `node --conditions=@homeostat/source scripts/prepare-new-plane.ts`: packs the objects of a new plane as
// they are stored, where packages/api-server/src/bootstrap/prepared-objects.ts takes them from. Its test says
// when that is due.
import { writeFileSync } from "node:fs";
import { creation } from "../packages/api-server/src/bootstrap/bootstrap.ts";
import { objectsOfEveryPlane } from "../packages/api-server/src/bootstrap/bootstrap-objects.ts";
import {
  NO_TIME,
  NO_UID,
  packCreations,
} from "../packages/api-server/src/bootstrap/prepared-objects.ts";
import { ResourceTable } from "../packages/api-server/src/registry/resource-table.ts";

const table = new ResourceTable();
const random = { uuid: () => NO_UID };
const creations = objectsOfEveryPlane({ now: NO_TIME, gathered: true }).map((each) =>
  creation(each, { table, now: NO_TIME, random }),
);
const lines = packCreations(creations).map((each) => `  ${asciiLiteral(each)},\n`);
const text = `// Written by scripts/prepare-new-plane.ts; read by ../prepared-objects.ts.
export const NEW_PLANE: readonly string[] = [
${lines.join("")}];
`;
const file = "../packages/api-server/src/bootstrap/generated/new-plane.ts";
writeFileSync(new URL(file, import.meta.url), text);

function asciiLiteral(latin1: string): string {
  const escaped = latin1
    .replaceAll(/['\\]/g, String.raw`\$&`)
    .replaceAll(
      /[^\x20-\x7e]/g,
      (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`,
    );
  return `'${escaped}'`;
}

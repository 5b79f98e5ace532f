import { seededRandom } from "@homeostat/concurrency";
import { expect, test } from "vitest";
import { ResourceTable } from "../registry/resource-table.ts";
import { creation } from "./bootstrap.ts";
import { objectsOfEveryPlane } from "./bootstrap-objects.ts";
import { type Creation, packCreations, preparedCreations } from "./prepared-objects.ts";

const now = "2026-11-16T12:00:00Z";

/** The same ones without preparation. */
function made(seed: number): Creation[] {
  const table = new ResourceTable();
  const random = seededRandom(seed);
  return objectsOfEveryPlane({ now, gathered: true }).map((each) =>
    creation(each, { table, now, random }),
  );
}

const readable = (creations: readonly Creation[]): [string, string][] =>
  creations.map(({ key, value }) => [key, Buffer.from(value).toString("latin1")]);

test("what is prepared is what would be made; if not, scripts/prepare-new-plane.ts is to be run", () => {
  const prepared = preparedCreations({ now, random: seededRandom(7) });
  expect(readable(prepared)).toEqual(readable(made(7)));
  expect(prepared.length).toBeGreaterThan(150);
});

test("values of any bytes are packed and unpacked as they were", () => {
  const value = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const creations: Creation[] = [
    { type: "create", key: "/a", value },
    { type: "create", key: "/b", value: new Uint8Array(0) },
    { type: "create", key: "/c", value },
  ];
  const unpacked = preparedCreations({ now, random: seededRandom(1) }, packCreations(creations));
  expect(readable(unpacked)).toEqual(readable(creations));
});

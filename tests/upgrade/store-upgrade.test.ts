import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openSqliteStore, type Store, StoreVersionError } from "@homeostat/store";
import { afterEach, expect, test } from "vitest";
import { readContents, type StoreContents } from "./store-contents.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const folders = readdirSync(fixtures);
const currentVersion = folders.length;
const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

function copyOf(fixture: string): string {
  const directory = mkdtempSync(join(tmpdir(), "store-upgrade-"));
  directories.push(directory);
  cpSync(join(fixtures, fixture), directory, { recursive: true });
  return directory;
}

function versionOf(directory: string): unknown {
  using db = new DatabaseSync(join(directory, "store.db"));
  return db.prepare("PRAGMA user_version").get()?.["user_version"];
}

async function contentsOf(store: Store): Promise<StoreContents> {
  await using open = store;
  return await readContents(open);
}

test("there is a fixture for every schema version up to the present one", async () => {
  expect(folders.toSorted()).toEqual(folders.map((_, index) => `store-v${index + 1}`));
  const directory = mkdtempSync(join(tmpdir(), "store-upgrade-"));
  directories.push(directory);
  await openSqliteStore({ directory }).close();
  expect(versionOf(directory)).toBe(currentVersion);
});

test.each(folders)("%s opens and keeps revision, states and history", async (fixture) => {
  const directory = copyOf(fixture);
  const expected: unknown = JSON.parse(readFileSync(join(directory, "expected.json"), "utf8"));
  expect(await contentsOf(openSqliteStore({ directory }))).toEqual(expected);
  expect(versionOf(directory)).toBe(currentVersion);
  expect(await contentsOf(openSqliteStore({ directory }))).toEqual(expected);
});

test.each(folders)("%s takes writes at the next revision", async (fixture) => {
  const directory = copyOf(fixture);
  const store = openSqliteStore({ directory });
  const before = store.revision;
  const result = await store.create("/new", Buffer.from("new"));
  expect(result).toMatchObject({ outcome: "created", revision: before + 1 });
  await store.close();
  await using again = openSqliteStore({ directory });
  expect(again.revision).toBe(before + 1);
});

test("a newer schema is refused, naming both versions, and left as it is", () => {
  const directory = copyOf(`store-v${currentVersion}`);
  using db = new DatabaseSync(join(directory, "store.db"));
  db.exec(`PRAGMA user_version = ${currentVersion + 1}`);
  db.close();
  const before = readFileSync(join(directory, "store.db"));
  const open = (): Store => openSqliteStore({ directory });
  expect(open).toThrow(StoreVersionError);
  expect(open).toThrow(`version ${currentVersion + 1}`);
  expect(open).toThrow(`version ${currentVersion}`);
  expect(readFileSync(join(directory, "store.db")).equals(before)).toBe(true);
});

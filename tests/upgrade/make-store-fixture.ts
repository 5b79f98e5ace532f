// Writes the fixture of the present schema version: a small data directory and what it holds. Run it
// once, in the change that raises the version, and never write over an older one:
//   node --conditions=@homeostat/source tests/upgrade/make-store-fixture.ts VERSION
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openSqliteStore } from "@homeostat/store";
import { readContents } from "./store-contents.ts";

const version = Number(process.argv[2]);
if (!Number.isInteger(version)) throw new Error("usage: make-store-fixture.ts VERSION");
const directory = fileURLToPath(new URL(`./fixtures/store-v${version}`, import.meta.url));
if (existsSync(directory))
  throw new Error(`${directory} is there already: fixtures are never changed`);
mkdirSync(directory, { recursive: true });

const prefix = "/registry/configmaps/default/";
const store = openSqliteStore({ directory });
await store.create(`${prefix}a`, Buffer.from("a one"));
await store.create(`${prefix}b`, Buffer.from("b one"));
await store.update(`${prefix}b`, Buffer.from("b two"));
await store.create(`${prefix}gone`, Buffer.from("gone"));
await store.delete(`${prefix}gone`);
await store.compact(store.revision);
await store.transaction([
  { type: "create", key: `${prefix}c`, value: Buffer.from("c one") },
  { type: "update", key: `${prefix}a`, value: Buffer.from("a two") },
]);
await store.create("/registry/events/default/e", Buffer.from("e one"), { timeToLive: 3e12 });
await store.delete(`${prefix}b`);
await store.create(`${prefix}__proto__`, new Uint8Array());
await store.create(`${prefix}ümläut`, Buffer.alloc(20_000, "x"));
const contents = await readContents(store);
await store.close();
writeFileSync(`${directory}/expected.json`, `${JSON.stringify(contents, undefined, 1)}\n`);
for (const file of ["lock.db", "lock-holder.json", "acknowledged"])
  rmSync(`${directory}/${file}`, { force: true });

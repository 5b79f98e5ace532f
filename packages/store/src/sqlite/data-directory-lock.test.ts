import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { dataDirectory } from "../conformance/data-directory.ts";
import { bytes, keepAll, show } from "../conformance/store-backend.ts";
import type { Store } from "../store.ts";
import { StoreCorruptError, StoreDirectoryError, StoreLockedError } from "../store-error.ts";
import { openSqliteStore } from "./sqlite-store.ts";

function open(directory: string): Store {
  return openSqliteStore({ directory, compaction: keepAll });
}

const self = `process ${process.pid} on ${hostname()}`;

test("a second opening in the same process is refused, naming the holder", async () => {
  const directory = dataDirectory();
  const first = open(directory);
  await first.create("a", bytes("1"));
  for (let attempt = 0; attempt < 2; attempt += 1) {
    expect(() => open(directory)).toThrow(StoreLockedError);
    expect(() => open(directory)).toThrow(
      `data directory ${directory} is in use by ${self}; stop it first or use another directory`,
    );
  }
  expect(await first.update("a", bytes("2"))).toMatchObject({ outcome: "updated", revision: 2 });
  await first.close();
  await using second = open(directory);
  expect(show(second.get("a"))).toBe("a@2=2");
});

test("a refused opening in this process leaves the lock in place for other processes", async () => {
  const directory = dataDirectory();
  await using store = open(directory);
  expect(() => open(directory)).toThrow(StoreLockedError);
  const child = await startChild(directory);
  expect(child.said).toBe(`StoreLockedError ${self}`);
  expect(store.revision).toBe(0);
});

test("another process is named, and its death by SIGKILL frees the directory", async () => {
  const directory = dataDirectory();
  const child = await startChild(directory);
  expect(child.said).toBe("open at 0");
  const holder = `process ${child.process.pid} on ${hostname()}`;
  expect(() => open(directory)).toThrow(holder);
  expect(thrownBy(() => open(directory))).toMatchObject({ code: "store-locked", holder });
  const acknowledged = await child.ask("write");
  child.process.kill("SIGKILL");
  await once(child.process, "exit");
  await using store = open(directory);
  expect(`${store.revision} ${show(store.get("a"))}`).toBe(acknowledged);
});

test("a holder that has not told its name is another process", async () => {
  const directory = dataDirectory();
  await using store = open(directory);
  for (const content of ["", "{", "null", "7", "{}"]) {
    writeFileSync(join(directory, "lock-holder.json"), content);
    expect(() => open(directory)).toThrow("is in use by another process");
  }
  expect(store.revision).toBe(0);
});

test("a name left over from a dead holder does not matter", async () => {
  const directory = dataDirectory();
  writeFileSync(join(directory, "lock-holder.json"), '{"pid":1,"host":"elsewhere"}');
  await using store = open(directory);
  expect(store.revision).toBe(0);
  expect(JSON.parse(readFileSync(join(directory, "lock-holder.json"), "utf8"))).toEqual({
    pid: process.pid,
    host: hostname(),
  });
});

test("a damaged lock file is named, and can be removed", async () => {
  const directory = dataDirectory();
  await open(directory).close();
  writeFileSync(join(directory, "lock.db"), "this is no lock ".repeat(1_000));
  expect(() => open(directory)).toThrow(StoreCorruptError);
  expect(() => open(directory)).toThrow(`${join(directory, "lock.db")} is damaged`);
  rmSync(join(directory, "lock.db"));
  await open(directory).close();
});

test("a directory that cannot be one is refused with its name", () => {
  const file = join(dataDirectory(), "file");
  writeFileSync(file, "");
  for (const directory of [file, join(file, "below")]) {
    expect(() => open(directory)).toThrow(StoreDirectoryError);
    expect(() => open(directory)).toThrow(`data directory ${directory} cannot be used`);
  }
  expect(readFileSync(file, "utf8")).toBe("");
});

test("directories above the data directory are made", async () => {
  const directory = join(dataDirectory(), "a", "b", "c");
  const store = open(directory);
  await store.close();
  expect(store.revision).toBe(0);
});

const program = `
  import { createInterface } from "node:readline";
  const { openSqliteStore } = await import(process.argv[1]);
  let store;
  try {
    store = openSqliteStore({ directory: process.argv[2] });
    console.log("open at " + store.revision);
  } catch (error) {
    console.log(error.name + " " + error.holder);
    process.exit(0);
  }
  for await (const line of createInterface(process.stdin)) {
    const { revision } = await store.create("a", Buffer.from(line));
    console.log(revision + " a@" + revision + "=" + line);
  }
`;

interface Child {
  readonly process: ChildProcessWithoutNullStreams;
  readonly said: string;
  readonly ask: (line: string) => Promise<string>;
}

/** Another process that opens the directory, says how that went, and writes what it is told. */
async function startChild(directory: string): Promise<Child> {
  const module = new URL("./sqlite-store.ts", import.meta.url).href;
  const flags = ["--conditions=@homeostat/source", "--input-type=module", "--eval", program];
  const child = spawn(process.execPath, [...flags, module, directory], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stderr.pipe(process.stderr);
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<string> => (await lines.next()).value as string;
  const ask = (line: string): Promise<string> => {
    child.stdin.write(`${line}\n`);
    return next();
  };
  return { process: child, said: await next(), ask };
}

function thrownBy(read: () => unknown): unknown {
  try {
    read();
  } catch (error) {
    return error;
  }
  return undefined;
}

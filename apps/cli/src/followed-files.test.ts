import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock, realClock } from "@homeostat/concurrency";
import { expect, onTestFinished, test } from "vitest";
import { FollowedFiles } from "./followed-files.ts";

function newFile(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), "homeostat-followed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "file");
  writeFileSync(file, content);
  return file;
}

function readValid(file: string): string {
  const content = readFileSync(file, "utf8");
  if (content === "") throw new Error("nothing in it");
  return content;
}

test("a file is looked at every minute, and what cannot be used changes nothing", async () => {
  const file = newFile("a");
  const clock = new ManualClock();
  const heard: unknown[] = [];
  using _ = new FollowedFiles("a", {
    // Of a folder that does not exist nothing is ever told.
    files: ["/nowhere/at/all"],
    read: () => readValid(file),
    clock,
    onChange: (said) => heard.push(said),
    onError: (error) => heard.push(error),
  });
  await clock.advance(60_000);
  writeFileSync(file, "b");
  await clock.advance(59_999);
  expect(heard).toEqual([]);
  await clock.advance(1);
  expect(heard).toEqual(["b"]);
  writeFileSync(file, "");
  await clock.advance(60_000);
  expect(heard).toEqual(["b", new Error("nothing in it")]);
  writeFileSync(file, "c");
  await clock.advance(60_000);
  expect(heard.at(-1)).toBe("c");
});

test("a file that is replaced is read at once", async () => {
  const file = newFile("a");
  const changed = new Promise((resolve) => {
    const followed = new FollowedFiles("a", {
      files: [file],
      read: () => readValid(file),
      clock: realClock,
      onChange: resolve,
      onError: resolve,
    });
    onTestFinished(() => followed[Symbol.dispose]());
  });
  writeFileSync(`${file}.new`, "b");
  renameSync(`${file}.new`, file);
  expect(await changed).toBe("b");
});

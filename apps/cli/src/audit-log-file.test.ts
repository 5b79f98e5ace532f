import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditEvent } from "@homeostat/api-server";
import { ManualClock } from "@homeostat/concurrency";
import { expect, onTestFinished, test } from "vitest";
import { AuditLogFile } from "./audit-log-file.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "homeostat-audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const EVENT: AuditEvent = {
  kind: "Event",
  apiVersion: "audit.k8s.io/v1",
  level: "Metadata",
  auditID: "a",
  stage: "RequestReceived",
  requestURI: "/api?a=b&c=d",
  verb: "get",
  user: {},
  requestReceivedTimestamp: "",
  stageTimestamp: "",
};

const OPTIONS = { maxSize: 1, maxBackups: 2, maxAge: 0, onError: () => undefined };

test("events are lines, written together at the end of a turn, for nobody else to read", async () => {
  const path = join(newFolder(), "deep", "audit.log");
  const clock = new ManualClock();
  using log = new AuditLogFile({ ...OPTIONS, path, clock });
  log.write(EVENT);
  log.write({ ...EVENT, auditID: "b" });
  expect(readFileSync(path, "utf8")).toBe("");
  await clock.settle();
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as AuditEvent).auditID)).toEqual(["a", "b"]);
  expect(statSync(path).mode & 0o077).toBe(0);
});

test("what a request came to is in the file before it is answered", () => {
  const path = join(newFolder(), "audit.log");
  using log = new AuditLogFile({ ...OPTIONS, path, clock: new ManualClock() });
  log.write(EVENT);
  log.write({ ...EVENT, stage: "ResponseComplete" });
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as AuditEvent).stage)).toEqual([
    "RequestReceived",
    "ResponseComplete",
  ]);
});

test("a file that is full gives way to a new one, and only so many are kept", async () => {
  const folder = newFolder();
  const clock = new ManualClock();
  {
    using log = new AuditLogFile({ ...OPTIONS, path: join(folder, "audit.log"), clock });
    for (let at = 0; at < 5; at++) {
      log.write({ ...EVENT, requestURI: "x".repeat(700_000) });
      await clock.advance(1000);
    }
  }
  expect(readdirSync(folder).filter((name) => /^audit-\d+\.log$/.test(name))).toHaveLength(2);
  expect(statSync(join(folder, "audit.log")).size).toBeLessThan(1024 * 1024);
});

test("what is left is written when it is closed, and a second start goes on in the same file", () => {
  const path = join(newFolder(), "audit.log");
  const clock = new ManualClock();
  for (const auditID of ["a", "b"]) {
    using log = new AuditLogFile({ ...OPTIONS, path, clock });
    log.write({ ...EVENT, auditID });
  }
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(3);
});

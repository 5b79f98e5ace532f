/**
 * A thread beside a SQLite store, with a connection of its own: one moves the write-ahead log into
 * the database, another one writes the commits when the disk is too slow to do so on the loop.
 */
import { performance } from "node:perf_hooks";
import { parentPort, workerData } from "node:worker_threads";
import { CommitFailedError } from "../store-error.ts";
import { connect } from "./connection.ts";
import { LogWriter } from "./log-transaction.ts";
import type { LogWorkerData, WorkerAnswer, WorkerRequest } from "./worker-message.ts";

const port = parentPort;
if (port === null) throw new Error("log-worker.ts runs as a worker of a SQLite store only");

const { file, sync } = workerData as LogWorkerData;
const db = connect(file, { sync });
const writer = new LogWriter(db);
const checkpoint = db.prepare("PRAGMA wal_checkpoint(PASSIVE)");

port.on("message", (request: WorkerRequest) => {
  const answer = request.type === "commit" ? commit(request) : runCheckpoint(request.id);
  port.postMessage(answer, answer.type === "committed" ? answer.memory : []);
});

function commit(request: Extract<WorkerRequest, { type: "commit" }>): WorkerAnswer {
  const { id, transaction } = request;
  const start = performance.now();
  try {
    writer.write(transaction);
  } catch (error) {
    const reason = error instanceof CommitFailedError ? error.reason : "io-failed";
    return { id, type: "commit-failed", reason, message: (error as Error).message };
  }
  const memory = transaction.rows.map((row) => row.records.buffer as ArrayBuffer);
  return { id, type: "committed", time: performance.now() - start, memory };
}

function runCheckpoint(id: number): WorkerAnswer {
  try {
    const values = checkpoint.get() ?? {};
    return {
      id,
      type: "checkpointed",
      frames: Number(values["log"]),
      moved: Number(values["checkpointed"]),
    };
  } catch (error) {
    return { id, type: "checkpoint-failed", message: String(error) };
  }
}

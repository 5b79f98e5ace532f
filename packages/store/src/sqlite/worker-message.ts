import type { LogTransaction } from "./log-transaction.ts";

/** What a log worker is started with. */
export interface LogWorkerData {
  readonly file: string;
  readonly sync: boolean;
}

/** What the store asks its log worker; answers carry the same id. */
export type WorkerRequest =
  | { readonly id: number; readonly type: "commit"; readonly transaction: LogTransaction }
  | { readonly id: number; readonly type: "checkpoint" };

export type WorkerAnswer =
  /** `time` in milliseconds, without the way there; the rows' memory for the next commit. */
  | {
      readonly id: number;
      readonly type: "committed";
      readonly time: number;
      readonly memory: ArrayBuffer[];
    }
  | {
      readonly id: number;
      readonly type: "commit-failed";
      readonly reason: "disk-full" | "busy" | "io-failed";
      readonly message: string;
    }
  /** Frames in the write-ahead log, and how many of them are in the database now. */
  | {
      readonly id: number;
      readonly type: "checkpointed";
      readonly frames: number;
      readonly moved: number;
    }
  | { readonly id: number; readonly type: "checkpoint-failed"; readonly message: string };

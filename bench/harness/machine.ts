// The facts without which a figure means nothing.
import { availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os";
import { dataRoot, fileSystemOf } from "./data-folder.ts";

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryBytes: number;
  readonly node: string;
  readonly kernel: string;
  /** Where benchmarks keep data, and on what. */
  readonly dataFolder: string;
  readonly fileSystem: string;
  readonly dataInMemory: boolean;
  /** Processes that wanted to run over the last minute, before we began: should be near 0. */
  readonly loadBefore: number;
}

export function thisMachine(): Machine {
  const fileSystem = fileSystemOf(dataRoot());
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? "unknown",
    memoryBytes: totalmem(),
    node: process.version,
    kernel: `${type()} ${release()}`,
    dataFolder: dataRoot(),
    fileSystem: fileSystem.name,
    dataInMemory: fileSystem.inMemory,
    loadBefore: loadavg()[0] ?? 0,
  };
}

/** The facts in a few lines, with a warning for each that spoils the figures. */
export function describeMachine(machine: Machine): string {
  const lines = [
    `${machine.cores} cores (${machine.processor}), ${(machine.memoryBytes / 2 ** 30).toFixed(1)} GiB memory`,
    `Node ${machine.node}, ${machine.kernel}; data in ${machine.dataFolder} (${machine.fileSystem})`,
  ];
  if (machine.dataInMemory) {
    lines.push(
      "WARNING: the data folder is in memory, so durable writes cost nothing there; set HOMEOSTAT_BENCH_DATA to a folder on a disk.",
    );
  }
  if (machine.loadBefore > machine.cores / 4) {
    lines.push(
      `WARNING: the machine is busy (load ${machine.loadBefore.toFixed(1)}): take the figures as rough.`,
    );
  }
  return lines.join("\n");
}

import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** A disk whose size the torture decides, and what a process needs to live on it. */
export interface DiskSpace extends Disposable {
  readonly name: string;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Makes room for this many more bytes. */
  free(bytes: number): void;
  /** How often a write was refused; undefined where nobody counts. */
  refusals(): number | undefined;
}

const noLimit = 1n << 50n;

/** A directory whose size the preload shim limits: exact to a block, on any machine. */
export class LimitedSpace implements DiskSpace {
  readonly name = "shim";
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly #quota: number;

  constructor(options: { directory: string; shim: string; bytes: number }) {
    this.directory = options.directory;
    const quota = `${options.directory}.quota`;
    writeFileSync(quota, new BigInt64Array([BigInt(options.bytes), 0n, 0n]));
    this.#quota = openSync(quota, "r+");
    this.environment = {
      LD_PRELOAD: options.shim,
      TORTURE_ROOT: options.directory,
      TORTURE_QUOTA: quota,
    };
  }

  free(bytes: number): void {
    const [limit = 0n, used = 0n] = this.#read();
    const more = used + BigInt(Math.min(bytes, Number(noLimit)));
    writeSync(this.#quota, new BigInt64Array([more > limit ? more : limit]), 0, 8, 0);
  }

  refusals(): number {
    return Number(this.#read()[2] ?? 0n);
  }

  [Symbol.dispose](): void {
    closeSync(this.#quota);
  }

  #read(): BigInt64Array {
    const numbers = new BigInt64Array(3);
    readSync(this.#quota, numbers, 0, 24, 0);
    return numbers;
  }
}

/** A small file system of its own. Mounting needs root. */
export class MountedSpace implements DiskSpace {
  readonly name = "tmpfs";
  readonly environment: Readonly<Record<string, string>> = {};
  readonly #mountPoint: string;
  #bytes: number;
  #isMounted = true;

  private constructor(mountPoint: string, bytes: number) {
    this.#mountPoint = mountPoint;
    this.#bytes = bytes;
  }

  /** Undefined when this machine does not let us mount. */
  static mount(mountPoint: string, bytes: number): MountedSpace | undefined {
    const { status } = mountTmpfs(["-o", `size=${bytes}`, "tmpfs", mountPoint]);
    if (status !== 0) return undefined;
    const space = new MountedSpace(mountPoint, bytes);
    mkdirSync(space.directory);
    return space;
  }

  get directory(): string {
    return join(this.#mountPoint, "data");
  }

  free(bytes: number): void {
    this.#bytes += bytes;
    mountTmpfs(["-o", `remount,size=${this.#bytes}`, this.#mountPoint]);
  }

  refusals(): undefined {
    return undefined;
  }

  [Symbol.dispose](): void {
    if (!this.#isMounted) return;
    this.#isMounted = false;
    spawnSync("/bin/umount", ["--lazy", this.#mountPoint]);
    rmSync(this.#mountPoint, { recursive: true, force: true });
  }
}

function mountTmpfs(args: readonly string[]): { status: number | null } {
  return spawnSync("/bin/mount", ["-t", "tmpfs", ...args], { stdio: "ignore" });
}

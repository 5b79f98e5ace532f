import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/**
 * The shim between a program and the disk: a small C library, preloaded. What it offers is told at
 * the top of `preload-shim.c`; a program runs with it as
 *
 *     spawn(program, { env: { ...process.env, LD_PRELOAD: await buildShim(), FSYNC_DELAY_MS: "3" } })
 */
const source = fileURLToPath(new URL("./preload-shim.c", import.meta.url));

/** The machine cannot build or use the shim. The message says what to install. */
export class ShimUnavailableError extends Error {
  readonly code = "torture-shim-unavailable";
  override readonly name = "ShimUnavailableError";
}

let built: Promise<string> | undefined;

/** Compiles the shim, once per version of its source, and answers the library's path. */
export function buildShim(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  if (process.platform !== "linux") {
    throw new ShimUnavailableError(
      `the preload shim needs Linux, this is ${process.platform}; run in a Linux machine or container`,
    );
  }
  const hash = createHash("sha256").update(readFileSync(source)).update(process.arch);
  const directory = join(tmpdir(), `homeostat-preload-shim-${hash.digest("hex").slice(0, 16)}`);
  const library = join(directory, "preload-shim.so");
  if (existsSync(library)) return library;
  mkdirSync(directory, { recursive: true });
  // Under another name first: several programs may build at the same time.
  const fresh = join(directory, `${process.pid}.so`);
  await compile(fresh);
  renameSync(fresh, library);
  return library;
}

async function compile(library: string): Promise<void> {
  const compiler = process.env["CC"] ?? "cc";
  const flags = ["-O2", "-Wall", "-shared", "-fPIC", "-o", library];
  try {
    await promisify(execFile)(compiler, [...flags, source, "-ldl", "-lpthread"]);
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === "ENOENT") {
      throw new ShimUnavailableError(
        `no C compiler: ${compiler} was not found. Install one ("apt install gcc libc6-dev", ` +
          `"dnf install gcc") or set CC`,
      );
    }
    throw new ShimUnavailableError(
      `${compiler} could not compile ${source}: ${stderr ?? String(error)}`,
    );
  }
}

/**
 * `homeostat envtest-assets DIR`: a folder for KUBEBUILDER_ASSETS. Its `etcd` and `kube-apiserver`
 * are shell scripts that start this installation; what programs ask them before they start them
 * (`--help`, `--version`) they answer by themselves, which saves two starts of Node out of four.
 */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join, resolve } from "node:path";
import type { Command } from "commander";
import { etcdHelp } from "../envtest/etcd-flags.ts";
import { flagSorts, kubeApiserverHelp } from "../envtest/kube-apiserver-flags.ts";
import { ETCD_VERSION, KUBERNETES_VERSION } from "../envtest/versions.ts";
import { launcherFile } from "../launcher-file.ts";
import { print } from "../output.ts";

/** The folder holds a program that is not ours. Nothing was changed. */
class AssetsFolderError extends Error {
  readonly code = "flag-assets-folder";
  override readonly name = "AssetsFolderError";
}

export interface EnvtestAssetsOptions {
  /** A command with the flags of `homeostat api-server`. */
  readonly serving: Command;
  /** Where to look for kubectl. Default: PATH of the environment. */
  readonly path?: string;
}

const MARK = "# Written by homeostat envtest-assets; replaced when it is run again.";

export function writeEnvtestAssets(folder: string, options: EnvtestAssetsOptions): void {
  const directory = resolve(folder);
  mkdirSync(directory, { recursive: true });
  const programs = [
    { name: "etcd", help: etcdHelp(), version: `etcd Version: ${ETCD_VERSION}\n` },
    {
      name: "kube-apiserver",
      help: kubeApiserverHelp(flagSorts(options.serving)),
      version: `Kubernetes v${KUBERNETES_VERSION}\n`,
    },
  ];
  for (const { name } of programs) checkOurs(join(directory, name));
  for (const program of programs) {
    const file = join(directory, program.name);
    writeFileSync(`${file}.new`, launcherText(program));
    chmodSync(`${file}.new`, 0o755);
    // By a rename: one that runs is read on while it is replaced.
    renameSync(`${file}.new`, file);
  }
  const kubectl = linkKubectl(directory, options.path ?? process.env["PATH"] ?? "");
  print(`etcd and kube-apiserver are in ${directory}${kubectl ? `, kubectl is ${kubectl}` : ""}`);
  if (kubectl === undefined) {
    print("no kubectl was found in PATH: tests that call it need one in that folder");
  }
  print(`export KUBEBUILDER_ASSETS=${quote(directory)}`);
}

interface Program {
  readonly name: string;
  readonly help: string;
  readonly version: string;
}

function launcherText({ name, help, version }: Program): string {
  return `#!/bin/sh
${MARK}
case "$1" in
--help | -h | -help)
  cat <<'END_OF_HELP'
${help}END_OF_HELP
  exit 0
  ;;
--version | -version)
  cat <<'END_OF_VERSION'
${version}END_OF_VERSION
  exit 0
  ;;
esac
exec ${quote(process.execPath)} ${quote(launcherFile())} envtest-program ${name} "$@"
`;
}

function checkOurs(file: string): void {
  if (!existsSync(file) || readFileSync(file, "utf8").includes(MARK)) return;
  throw new AssetsFolderError(
    `${file} was not written by homeostat envtest-assets; choose another folder, or remove that file`,
  );
}

/** One that is there already, other than a link of ours to nowhere, stays. */
function linkKubectl(directory: string, path: string): string | undefined {
  const link = join(directory, "kubectl");
  if (existsSync(link)) return realpathSync(link);
  const found = path
    .split(delimiter)
    .filter((each) => each !== "")
    .map((each) => join(resolve(each), "kubectl"))
    .find((file) => file !== link && isProgram(file));
  if (found === undefined) return undefined;
  if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) rmSync(link);
  symlinkSync(found, link);
  return found;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** For a POSIX shell. */
function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

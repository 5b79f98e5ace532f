import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerUnderControl } from "../control-plane/server-under-control.ts";
import { kubeconfigText } from "../kubeconfig-text.ts";
import { type ProgramEnd, runProgram } from "../program-run.ts";

/** Helm against one server, and what it said so far, without what differs from run to run. */
export class HelmSession {
  readonly transcript: string[] = [];
  readonly #helm: string;
  readonly #folder: string;
  readonly #kubeconfig: string;

  constructor(helm: string, { access, files }: ServerUnderControl) {
    this.#helm = helm;
    this.#folder = files.folder;
    this.#kubeconfig = join(files.folder, "admin.kubeconfig");
    writeFileSync(this.#kubeconfig, kubeconfigText(access), { mode: 0o600 });
  }

  async run(...args: readonly string[]): Promise<ProgramEnd> {
    const end = await runProgram({
      command: this.#helm,
      args,
      folder: this.#folder,
      environment: {
        KUBECONFIG: this.#kubeconfig,
        HELM_CACHE_HOME: join(this.#folder, "helm-cache"),
        HELM_CONFIG_HOME: join(this.#folder, "helm-config"),
        HELM_DATA_HOME: join(this.#folder, "helm-data"),
      },
    });
    const command = args.map((each) => each.split("/").at(-1)).join(" ");
    this.transcript.push(`${command} -> ${end.code}\n${canonical(end.output)}`);
    return end;
  }
}

/** Helm lists what a release has in the order of a Go map, in columns as wide as what is in them. */
function canonical(output: string): string {
  const masked = output
    .replaceAll(/\w{3} \w{3} +\d+ \d\d:\d\d:\d\d \d{4}/g, "TIME")
    .replaceAll(
      /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| ?[+-]\d\d:?\d\d(?: \w+)?)?/g,
      "TIME",
    )
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+/g, "UID")
    .replaceAll(/\\*"resourceVersion\\*":\\*"\d+/g, "VERSION")
    .replaceAll(/(https:\/\/)?\b\d+(?:\.\d+){3}\b(?::\d+)?/g, "ADDRESS")
    .replaceAll(/\b(?:\d+m)?\d+s\b/g, "AGE")
    .replaceAll(/-[a-z0-9]{8,10}-[a-z0-9]{5}\b/g, "-POD")
    .replaceAll(/ +/g, " ");
  return masked.includes("==> ") ? masked.split("\n").sort().join("\n") : masked;
}

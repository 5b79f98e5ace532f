import { type ChildProcess, execFile, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { readlink } from "node:fs/promises";
import { createConnection } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { realClock, sleep } from "@homeostat/concurrency";
import type { Container, Pod } from "@homeostat/object-model/core-v1";
import type { ApiClient } from "../../kubelet/api-client.ts";

interface PodProcess {
  readonly child: ChildProcess;
  readonly root: string;
}

const run = promisify(execFile);
const ENVIRONMENT = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
/** Tests ask for these to see what becomes of a pod that cannot start. */
const ABSENT_IMAGE = /:(?:404|non-?existent)$/;
const READY_MILLISECONDS = 20_000;

/**
 * Runs those pods for real that the API server itself has to reach: webhooks. A process with a root folder
 * and a network of its own stands for the container; everything else about pods is as the agent says.
 */
export class PodProcesses implements Disposable {
  readonly #agnhost: string;
  #place: { readonly api: ApiClient; readonly folder: string } | undefined;
  readonly #running = new Map<string, PodProcess>();
  #count = 0;

  /** @param agnhost the program of the tests' image, which needs no other file. */
  constructor(agnhost: string) {
    this.#agnhost = agnhost;
  }

  /** From here on pods run: as the administrator sees them, with their files in the folder. */
  serve(api: ApiClient, folder: string): void {
    this.#place = { api, folder };
  }

  /**
   * Resolves when it accepts connections. Pods that need not run are left alone; it rejects where there
   * is no such image, so that the pod waits for ever.
   */
  async start(pod: Pod, address: string): Promise<void> {
    const absent = pod.spec?.containers?.find(({ image = "" }) => ABSENT_IMAGE.test(image));
    if (absent !== undefined) throw new Error(`there is no image ${absent.image}`);
    const container = pod.spec?.containers?.find(isReal);
    const uid = pod.metadata?.uid ?? "";
    const place = this.#place;
    if (container === undefined || place === undefined || this.#running.has(uid)) return;
    const root = join(place.folder, uid);
    mkdirSync(root, { recursive: true });
    copyFileSync(this.#agnhost, join(root, "agnhost"));
    await writeSecrets(pod, { container, root, api: place.api });
    await writeToken(pod, root, place.api);
    const args = ["--net", `--root=${root}`, "/agnhost", ...(container.args ?? [])];
    const child = spawn("unshare", args, { stdio: "ignore", env: ENVIRONMENT });
    child.once("error", () => undefined);
    this.#running.set(uid, { child, root });
    this.#count++;
    await connect({ link: `pod${this.#count}`, pid: child.pid!, address });
    const port = container.ports?.[0]?.containerPort;
    if (port !== undefined) await accepts(address, port);
  }

  stop(uid: string): void {
    const running = this.#running.get(uid);
    if (running === undefined) return;
    this.#running.delete(uid);
    running.child.kill("SIGKILL");
    rmSync(running.root, { recursive: true, force: true });
  }

  [Symbol.dispose](): void {
    for (const uid of this.#running.keys()) this.stop(uid);
  }
}

/** Puts the files of secrets where the container mounts them. */
async function writeSecrets(
  { spec, metadata }: Pod,
  { container, root, api }: { container: Container; root: string; api: ApiClient },
): Promise<void> {
  for (const { name, mountPath = "" } of container.volumeMounts ?? []) {
    const secret = spec?.volumes?.find((each) => each.name === name)?.secret?.secretName;
    if (secret === undefined) continue;
    const path = `/api/v1/namespaces/${metadata?.namespace}/secrets/${secret}`;
    const { data } = await api.ask("GET", path);
    for (const [key, value] of Object.entries(data as Record<string, string>)) {
      const file = join(root, mountPath, key);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, Buffer.from(value, "base64"));
    }
  }
}

/** Some ask for the means of a client, even if they do not use them. */
async function writeToken({ spec, metadata }: Pod, root: string, api: ApiClient): Promise<void> {
  const { namespace = "" } = metadata ?? {};
  const account = `serviceaccounts/${spec?.serviceAccountName ?? "default"}`;
  const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const path = `/api/v1/namespaces/${namespace}/${account}/token`;
  const { status } = await api.ask("POST", path, { body: review });
  const folder = join(root, "var/run/secrets/kubernetes.io/serviceaccount");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "token"), (status as { readonly token: string }).token);
  writeFileSync(join(folder, "namespace"), namespace);
}

function isReal({ image = "", args = [] }: Container): boolean {
  return image.includes("/agnhost:") && /^(?:crd-conversion-)?webhook$/.test(args[0] ?? "");
}

/** Gives the process's network one end of a cable and the pod's address. */
async function connect(cable: { link: string; pid: number; address: string }): Promise<void> {
  const { link, pid, address } = cable;
  const ip = (command: string): Promise<unknown> => run("ip", command.split(" "));
  const inside = (command: string): Promise<unknown> =>
    run("nsenter", ["--net", `--target=${pid}`, "ip", ...command.split(" ")]);
  await whenUnshared(pid);
  await ip(`link add ${link} type veth peer name eth0 netns ${pid}`);
  await ip(`link set ${link} up`);
  await ip(`route add ${address}/32 dev ${link}`);
  await inside(`addr add ${address}/32 dev eth0`);
  await inside("link set eth0 up");
  await inside("route add default dev eth0");
}

/** A process begins in the network of its parent. */
async function whenUnshared(pid: number): Promise<void> {
  const networkOf = (which: number): Promise<string> => readlink(`/proc/${which}/ns/net`);
  const mine = await networkOf(process.pid);
  const end = realClock.monotonic() + READY_MILLISECONDS;
  while ((await networkOf(pid)) === mine) {
    if (realClock.monotonic() > end) throw new Error(`process ${pid} has no network of its own`);
    await sleep(realClock, 20);
  }
}

async function accepts(host: string, port: number): Promise<void> {
  const end = realClock.monotonic() + READY_MILLISECONDS;
  while (realClock.monotonic() < end) {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const socket = createConnection({ host, port });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    const isOpen = await promise;
    socket.destroy();
    if (isOpen) return;
    await sleep(realClock, 50);
  }
}

// From the start of the process to the first created object, on an empty data directory. A Namespace is
// what a plane can create first. The question is asked again and again from outside until it is answered.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DataFolder } from "../harness/data-folder.ts";
import { onExit } from "../harness/exit-cleanup.ts";
import { HomeostatPeer, type KubeconfigAccess, readKubeconfig } from "../harness/homeostat-peer.ts";
import { KubeApiserverPeer } from "../harness/kube-apiserver-peer.ts";
import { processTree } from "../harness/process-tree.ts";

class NotStartedError extends Error {
  readonly code = "NOT_STARTED";
}

const patienceMilliseconds = 60_000;

/** Milliseconds of a first start, which makes certificates, and of a second one on the same data. */
export async function homeostatStart(): Promise<{ first: number; again: number }> {
  HomeostatPeer.prepare();
  await using folder = new DataFolder("start");
  return {
    first: await startOnce(folder.path, "first"),
    again: await startOnce(folder.path, "again"),
  };
}

async function startOnce(folder: string, name: string): Promise<number> {
  const kubeconfig = join(folder, "kubeconfig");
  const [command, ...args] = HomeostatPeer.command(folder);
  const before = existsSync(kubeconfig) ? readFileSync(kubeconfig, "utf8") : undefined;
  const begin = performance.now();
  const child = spawn(command, args, { cwd: folder, stdio: "ignore" });
  const forget = onExit(() => child.kill("SIGKILL"));
  try {
    // The port is new each time, so a kubeconfig that has not changed is the one before.
    const isWritten = (): boolean =>
      existsSync(kubeconfig) && readFileSync(kubeconfig, "utf8") !== before;
    await until(begin, async () => {
      if (child.exitCode !== null) throw new NotStartedError("homeostat ended before it was ready");
      return isWritten();
    });
    const access = readKubeconfig(kubeconfig);
    await until(begin, () => createsNamespace(access, name));
    return performance.now() - begin;
  } finally {
    const ended = once(child, "exit");
    if (child.exitCode === null) {
      child.kill("SIGTERM");
      await ended;
    }
    forget();
  }
}

/** Milliseconds from the start of etcd, which comes first, to kube-apiserver's first created object. */
export async function kubeApiserverStart(signal: AbortSignal): Promise<number> {
  let begin: number | undefined;
  let isOver = false;
  const starting = KubeApiserverPeer.start({ durable: true, signal }).finally(() => {
    isOver = true;
  });
  const measuring = (async () => {
    for (;;) {
      const places = commandsOfChildren();
      if (
        begin === undefined &&
        places.some((command) => command.includes("--listen-client-urls"))
      ) {
        begin = performance.now();
      }
      const apiserver = places.find((command) => command.includes("--secure-port="));
      if (apiserver !== undefined && (await createsNamespace(accessOf(apiserver), "first"))) {
        return performance.now() - begin!;
      }
      if (isOver && apiserver === undefined)
        throw new NotStartedError("kube-apiserver did not start");
      await sleep(10);
    }
  })();
  const [peer, milliseconds] = await Promise.allSettled([starting, measuring]);
  if (peer.status === "fulfilled") await peer.value.stop();
  if (peer.status === "rejected") throw peer.reason;
  if (milliseconds.status === "rejected") throw milliseconds.reason;
  return milliseconds.value;
}

async function until(begin: number, isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) {
    if (performance.now() - begin > patienceMilliseconds) {
      throw new NotStartedError(`no object was created within ${patienceMilliseconds} ms`);
    }
    await sleep(1);
  }
}

function createsNamespace(access: KubeconfigAccess, name: string): Promise<boolean> {
  const body = JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const asked = request(
    `${access.url}/api/v1/namespaces`,
    {
      method: "POST",
      ca: access.ca,
      cert: access.clientCertificate,
      key: access.clientKey,
      agent: false,
      headers: { "content-type": "application/json" },
    },
    (answer) => void answer.resume().once("end", () => resolve(answer.statusCode === 201)),
  );
  asked.once("error", () => resolve(false)).end(body);
  return promise;
}

/** The command lines of what this process started. */
function commandsOfChildren(): string[] {
  return processTree(process.pid).flatMap((pid) => {
    try {
      return pid === process.pid ? [] : [readFileSync(`/proc/${pid}/cmdline`, "utf8")];
    } catch {
      return [];
    }
  });
}

/** How to get in, from kube-apiserver's own flags. */
function accessOf(command: string): KubeconfigAccess {
  const flag = (name: string): string =>
    command
      .split("\0")
      .find((part) => part.startsWith(`--${name}=`))!
      .slice(name.length + 3);
  const file = (name: string): string => readFileSync(join(flag("cert-dir"), name), "utf8");
  return {
    url: `https://127.0.0.1:${flag("secure-port")}`,
    ca: file("ca.crt"),
    clientCertificate: file("admin.crt"),
    clientKey: file("admin.key"),
  };
}
